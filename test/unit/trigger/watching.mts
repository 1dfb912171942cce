import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { VirtualPolling } from '../../support/virtualPoll.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { startJob } from './tell.mts';

export const MINUTE_MS = 60_000;

/** From the document. */
export const HISTORY = '/api/v1/generate/history/';
const STUDIO_HISTORY = '/api/v1/video-studio/history/';

export type Entry = Record<string, unknown>;
export type ListShape = NonNullable<NonNullable<SandboxSettingsInput['shapes']>['list']>;

interface Watched {
	/** Of the trigger, as saved, and values that only an expression can give. */
	parameters?: IDataObject;
	evaluated?: IDataObject;
	shapes?: SandboxSettingsInput['shapes'];
	everyMinutes?: number;
	polling?: ConstructorParameters<typeof VirtualPolling>[1];
}

/** A workflow with a trigger, on an account of the sandbox whose lists and records a test may write itself. */
export function watching(watched: Watched = {}) {
	const { parameters, evaluated, shapes, everyMinutes, polling: options } = watched;
	const told: Record<string, unknown> = {};
	const asked: Array<{ path: string }> = [];
	const retell = (answer: unknown, { url, qs }: IHttpRequestOptions) => {
		const { pathname } = new URL(url);
		const offset = Number(qs?.offset ?? 0);
		asked.push({ path: pathname });
		const own = told[pathname.includes('history') ? pathname : pathname.split('/').at(-2)!];
		if (!Array.isArray(own)) return own ?? answer;
		return own.slice(offset, offset + Number(qs?.limit ?? own.length));
	};
	const n8n: VirtualN8n = new VirtualN8n({ retell, settings: { shapes } });
	const { clock, state } = n8n;
	const polling = new VirtualPolling(n8n, options);
	const workflow = polling.add(parameters, everyMinutes, evaluated);
	const answer = (path: string, body: unknown) => {
		const known = { match: { pathPattern: `/${path}/$` } };
		if (!(path in told))
			state.faults.add({ ...known, fault: { kind: 'status', status: 200, body: {} } });
		told[path] = body;
	};
	return {
		clock,
		state,
		workflow,
		asked,
		list: (...entries: unknown[]) => void (told[HISTORY] = entries),
		listStudio: (...entries: unknown[]) => void (told[STUDIO_HISTORY] = entries),
		/** What the status of a job says from now on. */
		tell: (id: string, record: Entry) => answer(id, record),
		fail: (match: FaultRuleInput['match'], fault: FaultRuleInput['fault'], times?: number) =>
			void state.faults.add({ match, fault, ...(times && { times }) }),
		/** Starts jobs outside of n8n that take so long, ms. */
		start: (count = 1, ms = 1000, made = 'image generate', fails = false) =>
			Array.from({ length: count }, () => startJob(state, { made, fails, ms }).id),
		activate: async () => await clock.run(workflow.activate()),
		edit: async (changed: IDataObject) => await clock.run(workflow.edit(changed)),
		restart: async () => await clock.run(polling.restart(MINUTE_MS)),
		poll: async (minutes = 1) => await clock.advance(minutes * MINUTE_MS),
		ids: () => workflow.items.map(({ json }) => json.jobId),
		urls: () => workflow.items.map(({ json }) => json.mediaUrl),
	};
}

export const at = (minutes: number) =>
	new Date(Date.UTC(2026, 0, 1) + minutes * MINUTE_MS).toISOString();

let files = 0;

/** An entry of a job that has ended. */
export const ended = (id: unknown, more: Entry = {}): Entry => ({
	id,
	status: 'completed',
	generation_type: 'image',
	image_url: `https://cdn.example/${++files}.png`,
	...more,
});

/** One whose list does not tell the result. */
export const bare = (id: unknown): Entry => ({
	id,
	status: 'completed',
	generation_type: 'image',
});

export const going = (id: unknown): Entry => ({ id, status: 'processing' });

export const many = <T,>(count: number, make: (index: number) => T): T[] =>
	Array.from({ length: count }, (_, index) => make(index));
