import { WOKEN, type Clock } from '../clock/clock';
import { stateIn } from '../jobs/readRecord';
import { jobRecord } from '../service/bodies';
import { listIn } from '../service/listIn';
import { limitsOf } from '../limits/limits';
import type { Priority } from '../plan/requests';
import { sendWithRetry } from '../service/retry';
import type { ServiceRequest } from '../service/request';
import type { Service } from '../service/service';
import { isFinal } from '../spec/answers';
import type { ListOperation } from '../spec/types';
import type { TriggerOperation } from '../spec/catalogs';
import type { SharedReads } from './sharedReads';

/** How long a page of a list serves all triggers of the account, ms. */
const PAGE_MS = 30_000;

/** The same for pages far down: where requests are few, several polls come to the end of a long list. */
const DEEP_PAGE_MS = 600_000;
const DEEP_FROM = 500;

/** The same for the status of a job, ms; one that has ended does not change. */
const STATUS_MS = 20_000;
const ENDED_MS = 600_000;

/** A page that nothing waits for serves as long as it takes to come to the end of a list, one page a poll, ms. */
const SPARE_MS = 1_800_000;

/** A request waits so long for its turn, ms; then the next poll tries. */
const TURN_MS = 60_000;
const SPARE_TURN_MS = 1000;

/** How a trigger reads. */
interface Reading {
	clock: Clock;
	/** Ends it. */
	signal: AbortSignal;
	/** A person waits for it. */
	isAwaited: boolean;
	/** What has been read already. */
	reads: SharedReads;
}

interface Sending {
	priority: Priority;
	/** How long a request waits for its turn, ms. */
	turnMs: number;
}

export interface TriggerService extends Service {
	/** Sends what can be left to another poll: if there is a request for it at once. */
	sendSpare: (request: ServiceRequest) => Promise<unknown>;
}

/** The service for what triggers read: after all others, unless a person waits for it. */
export function triggerService(
	service: Service,
	{ sources }: TriggerOperation,
	reading: Reading,
): TriggerService {
	const { isAwaited, reads, clock } = reading;
	const { rateLimiter } = limitsOf(service.account, clock);
	const lists = new Map(sources.map(({ list }) => [String(list.path), list]));
	const keepMs = ({ path, query }: ServiceRequest, answer: unknown) => {
		const list = lists.get(path);
		if (!list) return statusMs(answer);
		// What cannot be read is asked for again.
		if (!('entries' in listIn(answer))) return 0;
		// The tries of a person are one beginning, and its pages fit together.
		return isAwaited ? Infinity : pageMs(list, query);
	};
	const inTime = (): Sending => ({
		// Where none run, triggers have enough, and whoever starts one must not find the requests used up.
		priority: isAwaited && rateLimiter.isBusy ? 'read' : 'trigger',
		turnMs: TURN_MS,
	});
	const spare: Sending = { priority: 'trigger', turnMs: SPARE_TURN_MS };
	return {
		...service,
		send: async (request) =>
			await reads.read(
				keyOf(request),
				async () => await sendInTime(service, request, { ...reading, ...inTime() }),
				(answer) => keepMs(request, answer),
			),
		sendSpare: async (request) =>
			await reads.read(
				`spare ${keyOf(request)}`,
				async () => await sendInTime(service, request, { ...reading, ...spare }),
				() => SPARE_MS,
			),
	};
}

const keyOf = ({ path, query }: ServiceRequest) => JSON.stringify([path, query]);

function pageMs({ paging }: ListOperation, query: ServiceRequest['query'] = {}): number {
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
	{ clock, signal, priority, turnMs }: Reading & Sending,
): Promise<unknown> {
	const late = new AbortController();
	const sent = new AbortController();
	clock.sleep(turnMs, sent.signal).then(
		() => late.abort(),
		() => {},
	);
	const options = {
		priority,
		signal: AbortSignal.any([signal, late.signal]),
		onSend: () => sent.abort(WOKEN),
	};
	return await sendWithRetry(service, request, clock, options).finally(() => sent.abort(WOKEN));
}
