import { WOKEN, type Clock } from '../clock/clock';
import { stateIn } from '../jobs/readRecord';
import { jobRecord } from '../service/bodies';
import { sendWithRetry } from '../service/retry';
import type { ServiceRequest } from '../service/request';
import type { Service } from '../service/service';
import { isFinal } from '../spec/states';
import type { ListOperation, TriggerOperation } from '../spec/types';
import { sharedReadsOf } from './sharedReads';

/** How long a page of a list serves all triggers of the account, ms. */
const PAGE_MS = 30_000;

/** The same for pages far down: where requests are few, several polls come to the end of a long list. */
const DEEP_PAGE_MS = 600_000;
const DEEP_FROM = 500;

/** The same for the status of a job, ms; one that has ended does not change. */
const STATUS_MS = 20_000;
const ENDED_MS = 600_000;

/** A request waits so long for its turn, ms; then the next poll tries. */
const TURN_MS = 60_000;

/**
 * The service for what triggers read: after all others, and once for all triggers of an account. What has
 * ended when a trigger begins to watch has to be in what it reads: an answer from before that may lack it.
 */
export function triggerService(
	service: Service,
	{ sources }: TriggerOperation,
	{ clock, signal, isBeginning }: { clock: Clock; signal: AbortSignal; isBeginning: boolean },
): Service {
	const reads = sharedReadsOf(service.account, clock);
	const lists = new Map(sources.map(({ list }) => [String(list.path), list]));
	return {
		...service,
		send: async (request) =>
			await reads.read(
				request,
				async () => await sendInTime(service, request, { clock, signal }),
				(answer) => {
					const list = lists.get(request.path);
					return list ? pageMs(list, request) : statusMs(answer);
				},
				isBeginning,
			),
	};
}

function pageMs({ paging }: ListOperation, { query = {} }: ServiceRequest): number {
	const isDeep = paging !== undefined && Number(query[paging.offset] ?? 0) >= DEEP_FROM;
	return isDeep ? DEEP_PAGE_MS : PAGE_MS;
}

function statusMs(answer: unknown): number {
	const record = jobRecord(answer);
	return record && isFinal(stateIn(record) ?? '') ? ENDED_MS : STATUS_MS;
}

/** @throws ServiceError also when its turn does not come in time */
async function sendInTime(
	service: Service,
	request: ServiceRequest,
	{ clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<unknown> {
	const late = new AbortController();
	const sent = new AbortController();
	clock.sleep(TURN_MS, sent.signal).then(
		() => late.abort(),
		() => {},
	);
	const options = {
		priority: 'trigger' as const,
		signal: AbortSignal.any([signal, late.signal]),
		onSend: () => sent.abort(WOKEN),
	};
	return await sendWithRetry(service, request, clock, options).finally(() => sent.abort(WOKEN));
}
