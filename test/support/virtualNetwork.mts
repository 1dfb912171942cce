import { Readable } from 'node:stream';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { createSandboxApp } from '../../sandbox/app.mts';
import { seededRandom, wholeBetween, type Random } from '../../sandbox/random.mts';
import { newState, type SandboxState } from '../../sandbox/state.mts';
import type { SandboxSettingsInput } from '../../sandbox/settings.mts';
import type { VirtualClock } from './virtualClock.mts';

/** Times at which no connection is made, ms from the start. */
export interface Outage {
	fromMs: number;
	toMs: number;
	/** `ECONNREFUSED`, `ENOTFOUND`, … */
	code: string;
}

export interface NetworkOptions {
	/** Of the sandbox; its clock and the base of its media are set. */
	settings?: SandboxSettingsInput;
	/** One way, ms, drawn for each; several requests overtake one another. */
	latencyMs?: { min: number; max: number };
	outages?: readonly Outage[];
	/** What a service says instead that is not like the sandbox; given the parsed answer. */
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

/** The reason why nobody waits for a time-out any more. */
const OVER = 'over';

const LATENCY_MS = { min: 5, max: 35 };

/**
 * The sandbox, and the way to it, in virtual time and without sockets: answers take a latency, a
 * request times out, is reset or hangs as over a network.
 */
export class VirtualNetwork {
	readonly state: SandboxState;
	private readonly app: FastifyInstance;
	private readonly random: Random;
	private readonly startedAt: number;
	/** Pieces of work of the sandbox under way, and how to tell the clock that none is left. */
	private working = 0;
	private rest = () => {};

	constructor(
		private readonly clock: VirtualClock,
		private readonly options: NetworkOptions = {},
	) {
		const sandboxClock = {
			now: clock.now,
			// While it sleeps, time has to pass.
			sleep: async (ms: number) => {
				this.end();
				await clock.sleep(ms);
				this.begin();
			},
		};
		this.state = newState({ mediaBase: BASE_URL, ...options.settings, clock: sandboxClock });
		this.startedAt = clock.now();
		this.random = seededRandom(this.state.settings.seed, 'latency');
		this.app = createSandboxApp(this.state, {
			breakOff: (how, _request, { raw }) => {
				if (how === 'reset') raw.destroy();
				else this.end();
			},
		});
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
			const answer = await Promise.race([this.exchange(request), stopped, ...late]);
			const { statusCode, headers } = answer;
			const payload = this.payloadOf(answer, request);
			return { statusCode, headers: headers as IDataObject, body: this.streamOf(payload) };
		} finally {
			// A reason of one's own is much cheaper than the default, which has a stack.
			over.abort(OVER);
		}
	}

	/** There and back; what has been sent arrives, whether somebody still waits or not. */
	private async exchange(request: IHttpRequestOptions): Promise<LightMyRequestResponse> {
		this.checkConnection();
		await this.latency();
		this.begin();
		const answer = await this.app.inject(injectOptions(request)).catch(() => undefined);
		this.end();
		await this.latency();
		return answer ?? fail('ECONNRESET');
	}

	private payloadOf({ rawPayload }: LightMyRequestResponse, request: IHttpRequestOptions): Buffer {
		const { retell } = this.options;
		if (!retell) return rawPayload;
		return Buffer.from(JSON.stringify(retell(JSON.parse(rawPayload.toString()), request)));
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

	/** Reading it takes turns of the event loop, and no time. */
	private streamOf(payload: Buffer): Readable {
		const body = new Readable({ read() {} });
		body.push(payload);
		body.push(null);
		body.once('close', this.clock.begin());
		return body;
	}

	private begin(): void {
		if (this.working === 0) this.rest = this.clock.begin();
		this.working += 1;
	}

	private end(): void {
		this.working -= 1;
		if (this.working === 0) this.rest();
	}
}

function injectOptions(request: IHttpRequestOptions): InjectOptions {
	const { method = 'GET', url, qs = {}, body, headers } = request;
	const query = Object.entries(qs).filter(([, value]) => value !== undefined && value !== null);
	return {
		method: method as InjectOptions['method'],
		url: url.slice(BASE_URL.length),
		query: Object.fromEntries(query.map(([name, value]) => [name, String(value)])),
		headers: {
			...(headers as Record<string, string>),
			...(body !== undefined && { 'content-type': 'application/json' }),
		},
		...(body !== undefined && { payload: JSON.stringify(body) }),
	};
}

function fail(code: string): never {
	throw broken(code);
}

function broken(code: string): Error {
	return Object.assign(new Error(`No answer: ${code}`), { code });
}
