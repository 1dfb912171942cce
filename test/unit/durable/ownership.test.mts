import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { RUN_HANDLE } from '../../../nodes/shared/durable/executions.ts';
import {
	SUPERVISOR,
	type SupervisorState,
	type WorkState,
} from '../../../nodes/shared/durable/state.ts';
import { ownershipOf } from '../../../nodes/shared/durable/supervisor.ts';
import { VirtualClock } from '../../support/virtualClock.mts';
import { CALLER, NODE, workState } from './caller.mts';

/** Whether a worker is the one that works on its run, by what n8n has stored of caller and supervisor. */

const [OWN, OTHER] = ['worker', 'other'];

/** As n8n has stored an execution: what the node remembers, and until when it is parked. */
const stored = (memory: IDataObject, waitTill?: Date) => ({
	waitTill,
	resultData: { runData: {} },
	executionData: {
		contextData: { [`node:${NODE}`]: memory },
		nodeExecutionStack: [{ node: { name: NODE } }],
	},
});

const HERE = stored({ [RUN_HANDLE]: { runId: 'mine' } }, new Date('3000-01-01'));

/** As n8n leaves it. */
const DROPPED = {
	resultData: { error: { message: 'Failed to be processed' }, runData: {} },
	executionData: { contextData: {}, nodeExecutionStack: [] },
};

const supervisorOf = (state: Partial<SupervisorState>, waitTill?: Date) =>
	stored({ [SUPERVISOR]: state as IDataObject }, waitTill);

let clock: VirtualClock;
let executions: Record<string, unknown>;
let asked: string[];

beforeEach(() => {
	clock = new VirtualClock();
	asked = [];
	executions = { caller: HERE };
});

const context = {
	getExecutionId: () => OWN,
	getExecutionDataById: async (id: string) => {
		asked.push(id);
		return executions[id];
	},
} as unknown as IExecuteFunctions;

const worker = (more: Partial<WorkState> = {}) => workState(more);

const owner = async (state: WorkState) => await clock.run(ownershipOf(context, state, clock));

describe('at first', () => {
	it('is the owner where the caller has parked', async () => {
		const state = worker();
		expect(await owner(state)).toEqual({ kind: 'owned' });
		expect(state.checkedAt).toBe(clock.now());
		expect(asked).toEqual(['caller', 'supervisor']);
	});

	it('gives the caller time to park', async () => {
		delete executions.caller;
		void clock.sleep(59_000).then(() => (executions.caller = HERE));
		expect(await owner(worker())).toEqual({ kind: 'owned' });
	});

	it('has no caller where none has parked by then', async () => {
		delete executions.caller;
		const state = worker();
		expect(await owner(state)).toEqual({ kind: 'callerGone' });
		expect(state.checkedAt).toBeUndefined();
		expect(clock.elapsed()).toBeGreaterThanOrEqual(60_000);
		expect(clock.elapsed()).toBeLessThan(61_000);
	});
});

describe('later', () => {
	const checked = (agoMs: number) => worker({ checkedAt: clock.now() - agoMs });

	it('asks every five seconds', async () => {
		executions.supervisor = supervisorOf({ worker: OWN }, new Date('3000-01-01'));
		expect(await owner(checked(4999))).toEqual({ kind: 'owned' });
		expect(asked).toEqual([]);
		const state = checked(5000);
		expect(await owner(state)).toEqual({ kind: 'owned' });
		expect(asked).toEqual(['caller', 'supervisor']);
		expect(state.checkedAt).toBe(clock.now());
	});

	it('counts from before it was answered', async () => {
		const answeredLate = {
			...context,
			getExecutionDataById: async (id: string) => {
				await clock.sleep(600_000);
				return executions[id];
			},
		} as unknown as IExecuteFunctions;
		executions.supervisor = supervisorOf({ worker: OWN }, new Date('3000-01-01'));
		const state = checked(5000);
		const before = clock.now();
		expect(await clock.run(ownershipOf(answeredLate, state, clock))).toEqual({ kind: 'owned' });
		expect(state.checkedAt).toBe(before);
	});

	it('has no caller once that is gone, and waits for none', async () => {
		delete executions.caller;
		expect(await owner(checked(5000))).toEqual({ kind: 'callerGone' });
		expect(clock.elapsed()).toBe(0);
	});

	it('is superseded where its supervisor has dismissed it, also at first', async () => {
		executions.supervisor = supervisorOf({ worker: OWN, isWorkerDismissed: true });
		expect(await owner(checked(5000))).toEqual({ kind: 'superseded' });
		expect(await owner(worker())).toEqual({ kind: 'superseded' });
	});

	it('is superseded where its supervisor names another', async () => {
		executions.supervisor = supervisorOf({ worker: OTHER }, new Date('3000-01-01'));
		expect(await owner(checked(5000))).toEqual({ kind: 'superseded' });
	});

	it.each([
		['owned', { isStandby: true }],
		// Worker and supervisor stood still together, and the standby has replaced both.
		['superseded', { worker: OTHER }],
		['superseded', { isStandby: true, isWorkerDismissed: true }],
	])('is %s where the standby of its supervisor has stored %j', async (kind, state) => {
		executions.supervisor = supervisorOf(
			{ worker: OWN, standby: 'standby' },
			new Date('3000-01-01'),
		);
		executions.standby = supervisorOf({ caller: CALLER, ...(state as Partial<SupervisorState>) });
		expect(await owner(checked(5000))).toEqual({ kind });
	});

	it('is superseded, not without a supervisor, where that has ended since its standby took over', async () => {
		const long = new Date(clock.now() - 60_000);
		executions.supervisor = supervisorOf({ worker: OWN, standby: 'standby' }, long);
		executions.standby = supervisorOf({ caller: CALLER, worker: OTHER });
		const state = checked(5000);
		expect(await owner(state)).toEqual({ kind: 'superseded' });
		await clock.advance(5000);
		expect(await owner(state)).toEqual({ kind: 'superseded' });
	});

	it('has lost its supervisor, and perhaps its place, also where the first look after a silence fails', async () => {
		const failing = {
			...context,
			getExecutionDataById: async (id: string) => {
				if (id === 'supervisor') throw new Error('SQLITE_BUSY: database is locked');
				return executions[id];
			},
		} as unknown as IExecuteFunctions;
		executions.supervisor = DROPPED;
		const state = checked(600_000);
		await expect(clock.run(ownershipOf(failing, state, clock))).rejects.toThrow('SQLITE_BUSY');
		state.parkedUntil = clock.now() + 60_000;
		await clock.advance(60_000);
		expect(await owner(state)).toEqual({ kind: 'inTheDark' });
		expect(await owner(state)).toEqual({ kind: 'owned' });
	});

	it('is the owner where its supervisor has named none yet', async () => {
		executions.supervisor = supervisorOf({}, new Date('3000-01-01'));
		expect(await owner(checked(5000))).toEqual({ kind: 'owned' });
	});

	it('is without a supervisor after two checks in which that has done nothing', async () => {
		const long = new Date(clock.now() - 60_000);
		executions.supervisor = supervisorOf({ worker: OWN, standby: 'standby' }, long);
		const state = checked(5000);
		expect(await owner(state)).toEqual({ kind: 'owned' });
		expect(state.silence).toMatchObject({ times: 1 });
		await clock.advance(5000);
		expect(await owner(state)).toEqual({ kind: 'unsupervised', standby: 'standby' });
	});
});

describe('a replacement', () => {
	const replacement = () => worker({ isReplacement: true });

	it('is the owner once its supervisor has stored that', async () => {
		executions.supervisor = supervisorOf({});
		void clock
			.sleep(19_000)
			.then(() => (executions.supervisor = supervisorOf({ worker: OWN }, undefined)));
		expect(await owner(replacement())).toEqual({ kind: 'owned' });
	});

	it('is superseded once the standby of its supervisor has taken over', async () => {
		executions.supervisor = supervisorOf({ worker: OWN, standby: 'standby' });
		executions.standby = supervisorOf({ caller: CALLER, worker: OTHER });
		expect(await owner(replacement())).toEqual({ kind: 'superseded' });
	});

	it.each([
		['superseded', { worker: OTHER }],
		['superseded', { worker: OWN, isWorkerDismissed: true }],
		['superseded', {}],
		// It has taken over, and has no standby of its own.
		['unsupervised', { isStandby: true, isWorkerDismissed: true }],
	])('is %s where the supervisor that started it has stored %j', async (kind, state) => {
		executions.supervisor = supervisorOf(state as Partial<SupervisorState>);
		expect(await owner(replacement())).toEqual({ kind });
	});
});
