import type { IRunExecutionData } from 'n8n-workflow';

import { workOf } from '../../../nodes/shared/durable/recovery.ts';
import { workState } from './caller.mts';

/** Of which items is in doubt whether a worker that nobody knows has created their jobs. */

const execution = (error?: object, contextData: object = {}) =>
	({
		resultData: { runData: {}, ...(error && { error }) },
		executionData: { contextData, nodeExecutionStack: [] },
	}) as unknown as IRunExecutionData;

const KEPT = execution(undefined, { 'node:Images': {} });
/** As n8n leaves it. */
const DROPPED = execution({ message: 'job stalled more than maxStalledCount' });
const STOPPED = execution({ reason: 'manual' }, { 'node:Images': {} });
const DELETED = undefined;

const NONE: number[] = [];
const ALL = [0, 1];

const PLANS = { shared: [], items: [{}, {}] } as never;

interface Found {
	supervisor: IRunExecutionData | undefined;
	worker?: IRunExecutionData | undefined;
	isWaiting?: boolean;
	/** As the worker knows it. */
	state?: Parameters<typeof workState>[0];
}

test.each<[string, Found, number[]]>([
	['a supervisor that n8n has', { supervisor: KEPT }, NONE],
	['one that n8n has dropped', { supervisor: DROPPED }, ALL],
	['one that n8n has dropped, and nobody waits', { supervisor: DROPPED, isWaiting: false }, ALL],
	['one that was deleted', { supervisor: DELETED }, ALL],
	['one that was deleted with its worker', { supervisor: DELETED, worker: DELETED }, ALL],
	['one that has ended, as nobody waits', { supervisor: DELETED, isWaiting: false }, NONE],
	['one that has ended, as its worker was stopped', { supervisor: DELETED, worker: STOPPED }, NONE],
	['that of another version', { supervisor: DROPPED, state: { version: 'old' as never } }, NONE],
])('%s', (_, { supervisor, isWaiting = true, state, ...more }, doubts) => {
	const worker = 'worker' in more ? more.worker : KEPT;
	const work = { state: workState({ plans: PLANS, ...state }), entries: {} };
	const others = [
		{ id: '2', data: DROPPED },
		...(supervisor ? [{ id: 'supervisor', data: supervisor }] : []),
	];
	const helpers = [...others, { id: 'worker', data: worker, work }];
	expect(workOf({ helpers, isWaiting })?.state.intents.items).toEqual(doubts);
});

test('where no worker is known, there is no work', () => {
	const helpers = [{ id: 'supervisor', data: KEPT }];
	expect(workOf({ helpers, isWaiting: true })).toBeUndefined();
});
