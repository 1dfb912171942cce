import type { Clock } from '../clock/clock';
import { identifiersIn, stateIn } from '../jobs/readRecord';
import { loopOf } from '../limits/accountLoop';
import { perAccount } from '../limits/perAccount';
import { pathWithId } from '../request/buildRequest';
import { attempt } from '../service/attempt';
import { jobRecord, listIn } from '../service/bodies';
import type { ServiceRequest } from '../service/request';
import { sendInTime, type Patience } from '../service/retry';
import type { Service } from '../service/service';
import { isFinal } from '../spec/answers';
import type { ListOperation } from '../spec/types';
import type { TriggerOperation } from '../spec/catalogs';

/** How many answers are kept for an account. */
const MOST_KEPT = 200;

interface Kept {
	answer: Promise<unknown>;
	/** When it came, as elapsed ms and as ms since 1970; `undefined` while it is under way. */
	at?: { elapsed: number; time: number };
	/** How long it serves others, in ms. */
	keepMs: number;
}

/**
 * Answers that all triggers of an account in this process share for some seconds: twenty triggers cost
 * hardly more requests than one.
 */
export class SharedReads {
	/** By what was asked for, oldest first. */
	private readonly kept = new Map<string, Kept>();

	constructor(private readonly clock: Clock) {}

	/**
	 * The answer to a request, which another trigger may have sent a moment ago.
	 *
	 * @param key stands for the request
	 * @param keepMs how long an answer serves others, in ms
	 * @throws what `send` throws; a failure is not kept
	 */
	async read(
		key: string,
		send: () => Promise<unknown>,
		keepMs: (answer: unknown) => number,
	): Promise<unknown> {
		this.forget();
		const known = this.kept.get(key);
		if (known) return await known.answer;
		const entry: Kept = { answer: send(), keepMs: 0 };
		this.kept.set(key, entry);
		const answer = await attempt(entry.answer);
		if ('error' in answer) {
			if (this.kept.get(key) === entry) this.kept.delete(key);
			throw answer.error;
		}
		entry.at = { elapsed: this.clock.elapsed(), time: this.clock.now() };
		entry.keepMs = keepMs(answer.value);
		return answer.value;
	}

	/** Drops answers that are too old or too many. */
	private forget(): void {
		for (const [key, entry] of this.kept) {
			if (!this.isFresh(entry) || this.kept.size >= MOST_KEPT) this.kept.delete(key);
		}
	}

	private isFresh({ at, keepMs }: Kept): boolean {
		if (at === undefined) return true;
		// An answer grows old while the machine sleeps, too, which only the time of day shows.
		return this.clock.elapsed() - at.elapsed < keepMs && this.clock.now() - at.time < keepMs;
	}
}

export const sharedReadsOf = perAccount((clock) => new SharedReads(clock));

/** How long a page of a list serves all triggers of the account, ms. */
const PAGE_MS = 30_000;

/** The same for pages far down: where requests are few, a long list takes several polls. */
const DEEP_PAGE_MS = 600_000;
const DEEP_FROM = 500;

/** The same for the status of a job, in ms; that of an ended job does not change. */
const STATUS_MS = 20_000;
const ENDED_MS = 600_000;

/** The same for a page that nothing waits for, in ms: enough to reach the end of a list at one page a poll. */
const SPARE_MS = 1_800_000;

/** How long a request waits for its turn, in ms; then the next poll tries. */
const TURN_MS = 60_000;
const SPARE_TURN_MS = 1000;

interface Reading {
	clock: Clock;
	/** Ends the poll. */
	signal: AbortSignal;
	/** A person waits for the poll. */
	isAwaited: boolean;
	/** What has been read already. */
	reads: SharedReads;
}

type Sending = Pick<Patience, 'priority' | 'turnMs'>;

export interface TriggerService extends Service {
	/** Sends what can be left to a later poll, only if it gets its turn at once. */
	sendSpare: (request: ServiceRequest) => Promise<unknown>;
}

/** The service as triggers use it: their requests come after all others, unless a person waits for them. */
export function triggerService(
	service: Service,
	{ sources }: TriggerOperation,
	reading: Reading,
): TriggerService {
	const { isAwaited, reads, clock } = reading;
	const loop = loopOf(service.account, clock);
	const lists = new Map(sources.map(({ operation }) => [String(operation.path), operation]));
	const keepMs = ({ path, query }: ServiceRequest, answer: unknown) => {
		const list = lists.get(path);
		if (!list) return statusMs(path, answer);
		// What cannot be read is asked for again.
		if (!('entries' in listIn(answer))) return 0;
		// A person's tries to publish are one beginning: their pages have to fit together.
		return isAwaited ? Infinity : pageMs(list, query);
	};
	const inTime = (): Sending => ({
		// While no jobs run, `trigger` has enough requests, and leaves some for a job that somebody starts.
		priority: isAwaited && loop.areJobsSeen ? 'other' : 'trigger',
		turnMs: TURN_MS,
	});
	const spare = (): Sending => ({ priority: 'trigger', turnMs: SPARE_TURN_MS });
	const shared =
		(kind: string, sending: () => Sending, keepFor: typeof keepMs) =>
		async (request: ServiceRequest) =>
			await reads.read(
				JSON.stringify([kind, request.path, request.query]),
				async () => await sendInTime(service, request, { ...reading, ...sending() }),
				(answer) => keepFor(request, answer),
			);
	return {
		...service,
		send: shared('needed', inTime, keepMs),
		sendSpare: shared('spare', spare, () => SPARE_MS),
	};
}

function pageMs({ paging }: ListOperation, query: ServiceRequest['query'] = {}): number {
	const isDeep = paging !== undefined && Number(query[paging.offset] ?? 0) >= DEEP_FROM;
	return isDeep ? DEEP_PAGE_MS : PAGE_MS;
}

function statusMs(path: string, answer: unknown): number {
	const record = jobRecord(answer);
	if (!record || !isFinal(stateIn(record) ?? '')) return STATUS_MS;
	// A record that names only another job may be about that one.
	const told = identifiersIn(record);
	const isOwn =
		told.length === 0 ||
		told.some(({ value }) => path.includes(pathWithId('{id}', value) ?? value));
	return isOwn ? ENDED_MS : STATUS_MS;
}
