import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	PARKED_VERSION,
	RUN_HANDLE,
	type RunHandle,
} from '../../../nodes/shared/durable/executions.ts';
import { helpersOf, workOf } from '../../../nodes/shared/durable/recovery.ts';
import { SUPERVISOR } from '../../../nodes/shared/durable/state.ts';
import { ledgerOf } from '../../../nodes/shared/jobs/ledger.ts';
import { CALLER, NODE } from './caller.mts';

/** n8n has dropped what it had stored of a worker: of the copies of it, that counts which knows most. */

const job = (id: string) => ({ state: 'running', job: { id, startedAt: 1 } });

/** The work as it was when so many jobs had been created. */
function copyOf(at: number, jobs: readonly string[]) {
	const entries = Object.fromEntries(jobs.map((id, item) => [`0:${item}`, job(id)]));
	const state = {
		caller: CALLER,
		plans: { shared: [], items: [] },
		results: {},
		intents: { at, items: [] },
	};
	return { worker: '5', work: { state, entries } };
}

const remembering = (memory: object) => ({
	resultData: { runData: {} },
	executionData: { contextData: { [`node:${NODE}`]: memory }, nodeExecutionStack: [] },
});

/** As n8n leaves it. */
const DROPPED = {
	resultData: { error: { message: 'Failed to be processed' }, runData: {} },
	executionData: { contextData: {}, nodeExecutionStack: [] },
};

const workKnownTo = async (memory: IDataObject, executions: Record<string, object>) => {
	const context = {
		getExecutionDataById: async (id: string) => executions[id],
	} as unknown as IExecuteFunctions;
	return workOf({ helpers: await helpersOf(context, memory), isWaiting: true });
};

const HANDLE: RunHandle = {
	version: PARKED_VERSION,
	runId: 'mine',
	worker: '5',
	supervisor: '3',
	work: copyOf(0, []).work.state,
};

test.each([
	// Of the error of a tick, as when the service has failed for an hour.
	['the worker had dropped its intents', 0, 1000],
	['the clock was set back', 500, 1000],
])('%s since the standby has looked', async (_, at, atBefore) => {
	const executions: Record<string, object> = {
		3: remembering({
			[SUPERVISOR]: { caller: CALLER, worker: '5', standby: '4', copy: copyOf(at, ['one', 'two']) },
		}),
		4: remembering({
			[SUPERVISOR]: {
				caller: CALLER,
				worker: '5',
				isStandby: true,
				copy: copyOf(atBefore, ['one']),
			},
		}),
		5: DROPPED,
	};
	const work = await workKnownTo({ [RUN_HANDLE]: { ...HANDLE } }, executions);
	expect(Object.keys(work?.entries ?? {})).toEqual(['0:0', '0:1']);
});

test('nobody has a copy: what the caller remembers counts, with the jobs of an earlier try', async () => {
	const { state, entries } = copyOf(0, ['paid before']).work;
	const memory = {
		...ledgerOf(entries as unknown as Parameters<typeof ledgerOf>[0]),
		[RUN_HANDLE]: { ...HANDLE, work: state },
	};
	const work = await workKnownTo(memory, { 3: DROPPED, 5: DROPPED });
	expect(work?.entries).toEqual(entries);
});
