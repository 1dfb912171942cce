import { Readable } from 'node:stream';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { JournalEntry } from '../../sandbox/journal.mts';
import { seededRandom, wholeBetween, type Random } from '../../sandbox/random.mts';
import { receive, type Received } from '../../sandbox/receive.mts';
import type { Answer } from '../../sandbox/service.mts';
import { newState, type SandboxState } from '../../sandbox/state.mts';
import type { SandboxSettingsInput } from '../../sandbox/settings.mts';
import type { VirtualClock } from './virtualClock.mts';

/** A time in which no connection can be made, ms from the start. */
export interface Outage {
	fromMs: number;
	toMs: number;
	/** `ECONNREFUSED`, `ENOTFOUND`, … */
	code: string;
}

export interface NetworkOptions {
	/** Of the sandbox; its clock is replaced, and the base of its media has another default. */
	settings?: SandboxSettingsInput;
	/** Latency of each way, ms, drawn each time; so requests may overtake one another. */
	latencyMs?: { min: number; max: number };
	outages?: readonly Outage[];
	/** What a service unlike the sandbox answers instead; given the sandbox's parsed answer. */
	retell?: (answer: unknown, request: IHttpRequestOptions) => unknown;
}

/** What the node's request helper gives. */
export interface RawAnswer {
	statusCode: number;
	headers: IDataObject;
	body: Readable;
}

/** Address of the sandbox; nothing is ever sent there. */
export const BASE_URL = 'https://service.example';

/** The reason to end the wait for a time-out: the request is over. */
const OVER = 'over';

const LATENCY_MS = { min: 5, max: 35 };

/**
 * The sandbox, and the way to it, in virtual time and without sockets: answers take time, and
 * requests time out, are reset or hang, as over a network.
 */
export class VirtualNetwork {
	readonly state: SandboxState;
	/** Requests to other origins than the service's, such as its media may have, in the order in which they arrived. */
	readonly elsewhere: Array<{ url: string; headers: IDataObject }> = [];
	/** The requests whose answers have arrived, before whoever sent them gave up. */
	readonly answered = new WeakSet<JournalEntry>();
	private readonly random: Random;
	private readonly startedAt: number;

	constructor(
		private readonly clock: VirtualClock,
		private readonly options: NetworkOptions = {},
	) {
		this.state = newState({ mediaBase: BASE_URL, ...options.settings, clock });
		this.startedAt = clock.now();
		this.random = seededRandom(this.state.settings.seed, 'latency');
	}

	/**
	 * Sends a request as n8n's helper does with `encoding: 'stream'`: the time-out ends with the
	 * headers, the body follows.
	 *
	 * @throws Error with the `code` that axios gives it
	 */
	async send(request: IHttpRequestOptions): Promise<RawAnswer> {
		const signal = request.abortSignal as AbortSignal | undefined;
		const over = new AbortController();
		const stopped = new Promise<never>((_, reject) => {
			const stop = () => reject(broken('ERR_CANCELED'));
			if (signal?.aborted) stop();
			signal?.addEventListener('abort', stop, { once: true, signal: over.signal });
		});
		const late = request.timeout
			? [this.clock.sleep(request.timeout, over.signal).then(() => fail('ECONNABORTED'))]
			: [];
		for (const promise of [stopped, ...late]) promise.catch(() => {});
		try {
			const { answer, entry } = await Promise.race([this.exchange(request), stopped, ...late]);
			this.answered.add(entry);
			const { status: statusCode, headers = {}, body } = answer;
			return { statusCode, headers, body: this.streamOf(body, signal) };
		} finally {
			// A reason of our own is much cheaper than the default, which has a stack.
			over.abort(OVER);
		}
	}

	/** There and back. What has been sent arrives, even if nobody waits for the answer any more. */
	private async exchange(
		request: IHttpRequestOptions,
	): Promise<{ answer: Answer & { body: Buffer }; entry: JournalEntry }> {
		this.clock.count();
		this.checkConnection();
		await this.latency();
		const { url, headers = {}, disableFollowRedirect } = request;
		if (new URL(url).origin !== BASE_URL) this.elsewhere.push({ url, headers });
		const receiving = receive(this.state, received(request));
		// It is noted at once.
		const entry = this.state.journal.entries.at(-1)!;
		const outcome = await receiving;
		if (outcome === 'hang') return await new Promise(() => {});
		if (outcome === 'reset') {
			await this.latency();
			return fail('ECONNRESET');
		}
		const { location } = outcome.headers ?? {};
		// With all its headers: older n8n take off none.
		if (isRedirect(outcome) && location !== undefined && !disableFollowRedirect) {
			return await this.exchange({ ...request, url: new URL(location, url).href });
		}
		// Making a picture takes turns of the event loop, but no time on the clock.
		const body = await this.clock.hold(Promise.resolve(outcome.body));
		const payload = this.payloadOf(body, request);
		await this.latency();
		return { answer: { ...outcome, body: payload }, entry };
	}

	private payloadOf(body: unknown, request: IHttpRequestOptions): Buffer {
		if (Buffer.isBuffer(body)) return body;
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		const { retell } = this.options;
		const answer = retell && parsed(text);
		return Buffer.from(answer === undefined ? text : JSON.stringify(retell!(answer, request)));
	}

	private checkConnection(): void {
		const now = this.clock.now() - this.startedAt;
		const outage = this.options.outages?.find(({ fromMs, toMs }) => now >= fromMs && now < toMs);
		if (outage) fail(outage.code);
	}

	private async latency(): Promise<void> {
		const { min, max } = this.options.latencyMs ?? LATENCY_MS;
		await this.clock.sleep(wholeBetween(this.random, min, max));
	}

	/** Reading the body takes turns of the event loop, but no time on the clock. */
	private streamOf(payload: Buffer, signal?: AbortSignal): Readable {
		const body = new Readable({ read() {} });
		body.push(payload);
		body.push(null);
		body.once('close', this.clock.begin());
		// Whoever does not want it ends the request.
		const end = () => void body.destroy();
		signal?.addEventListener('abort', end, { once: true });
		body.once('close', () => signal?.removeEventListener('abort', end));
		return body;
	}
}

/** Nothing where it is not JSON: that is told as it is. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

function received({
	method = 'GET',
	url,
	qs = {},
	body,
	headers = {},
}: IHttpRequestOptions): Received {
	const { pathname, searchParams } = new URL(url);
	for (const [name, value] of Object.entries(qs)) {
		if (value !== undefined && value !== null) searchParams.append(name, String(value));
	}
	const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
	return {
		method,
		path: pathname,
		query: Object.fromEntries(searchParams),
		headers: {
			...Object.fromEntries(sent),
			...(body !== undefined && { 'content-type': 'application/json' }),
		},
		body: body && JSON.stringify(body),
		origin: BASE_URL,
	};
}

const isRedirect = ({ status }: Answer) => status >= 300 && status <= 399;

function fail(code: string): never {
	throw broken(code);
}

function broken(code: string): Error {
	return Object.assign(new Error(`No answer: ${code}`), { code });
}
