import type { IDataObject, IExecuteFunctions, IWorkflowBase } from 'n8n-workflow';

import { PARKED_VERSION, RUN_HANDLE } from '../../../nodes/shared/durable/executions.ts';
import { forgetAll } from '../../../nodes/shared/durable/parking.ts';
import {
	SUPERVISOR,
	WORK,
	type SupervisorState,
	type WorkState,
} from '../../../nodes/shared/durable/state.ts';
import { supervise } from '../../../nodes/shared/durable/supervisor.ts';
import { ROLE_PARAMETER } from '../../../nodes/shared/parameters/names.ts';
import { VirtualClock } from '../../support/virtualClock.mts';
import { CALLER, NODE } from './caller.mts';

/** What a supervisor does next, by what n8n has stored of the caller, the worker and the standby. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;

let clock: VirtualClock;
let executions: Record<string, object>;
let parkedAt: number | undefined;
let warnings: string[];
let started: Array<{ role: unknown; parent?: string; item: IDataObject }>;

/** An execution as n8n has stored it: what the node remembers, and in how many ms it is due. */
const stored = (memory: IDataObject, dueMs = 10 * MINUTE, error?: object) => ({
	waitTill: new Date(clock.now() + dueMs),
	resultData: { runData: { [NODE]: [{}] }, ...(error && { error }) },
	executionData: {
		contextData: { [`node:${NODE}`]: memory },
		nodeExecutionStack: [{ node: { name: NODE }, data: { main: [] } }],
	},
});

const worker = (more: Partial<WorkState> = {}, dueMs?: number, error?: object) =>
	stored({ [WORK]: { supervisor: 'own', ...more } as IDataObject }, dueMs, error);

const supervisor = (more: Partial<SupervisorState> = {}, dueMs?: number) =>
	stored({ [SUPERVISOR]: { caller: CALLER, ...more } as IDataObject }, dueMs);

const state = (more: Partial<SupervisorState> = {}): SupervisorState => ({
	version: PARKED_VERSION,
	caller: CALLER,
	deliveries: 0,
	dueAt: clock.now(),
	worker: 'worker',
	standby: 'standby',
	...more,
});

/** In how many ms it checks again; `over` where there is nothing left to supervise. */
async function check(own: SupervisorState): Promise<number | 'over'> {
	const out = await round({ [SUPERVISOR]: own });
	if (parkedAt !== undefined) return parkedAt - clock.now();
	expect(out).toEqual([[]]);
	return 'over';
}

/** What it gives out. */
async function round(memory: IDataObject, input: IDataObject = {}) {
	parkedAt = undefined;
	const context = {
		getContext: () => memory,
		getInputData: () => [{ json: input }],
		getExecutionId: () => 'own',
		getNode: () => ({ name: NODE, type: 't', typeVersion: 1, parameters: {} }),
		getExecutionDataById: async (id: string) => executions[id],
		putExecutionToWait: async (date: Date) => (parkedAt = date.getTime()),
		executeWorkflow: async (
			{ code }: { code: IWorkflowBase },
			[item]: [{ json: IDataObject }],
			_: undefined,
			{ parentExecution }: { parentExecution: { executionId: string } },
		) => {
			const { parameters } = code.nodes.find(({ name }) => name === NODE)!;
			const role = parameters[ROLE_PARAMETER];
			started.push({ role, parent: parentExecution.executionId, item: item.json });
			return { executionId: `new ${started.length}` };
		},
		logger: { warn: (text: string) => void warnings.push(text) },
	} as unknown as IExecuteFunctions;
	return await supervise(context, clock);
}

const roles = () => started.map(({ role }) => role);

beforeEach(() => {
	clock = new VirtualClock();
	forgetAll();
	warnings = [];
	started = [];
	executions = {
		caller: stored({ [RUN_HANDLE]: { runId: 'mine', worker: 'worker' } }),
		worker: worker(),
		standby: supervisor({ isStandby: true }),
	};
});

const KEPT = 'This supervisor has done its work';

describe('a supervisor', () => {
	it('takes in what it is started with, which n8n stores before it does anything', async () => {
		const memory: IDataObject = {};
		const out = await round(memory, { [SUPERVISOR]: state() });
		expect(memory).toEqual({ [SUPERVISOR]: state() });
		expect(out).toEqual([[{ json: { mediaGenAgain: true } }]]);
		expect(parkedAt).toBeUndefined();
		expect(started).toEqual([]);
	});

	it('begins with a standby, and looks at the worker after 90 s', async () => {
		const own = state({ dueAt: undefined, standby: undefined });
		expect(await check(own)).toBe(90 * SECOND);
		expect(started).toMatchObject([
			{ role: 'supervise', parent: 'caller', item: { [SUPERVISOR]: { isStandby: true } } },
		]);
		expect(own).toMatchObject({ standby: 'new 1', dueAt: clock.now() + 90 * SECOND });
	});

	it('has one standby', async () => {
		await check(state({ dueAt: undefined }));
		expect(started).toEqual([]);
	});

	it('checks 90 s after the worker is due', async () => {
		expect(await check(state())).toBe(10 * MINUTE + 90 * SECOND);
		executions.worker = worker({}, -59 * SECOND);
		expect(await check(state())).toBe(90 * SECOND);
		expect(started).toEqual([]);
	});

	it('finds the worker by the waiting node, where it has none', async () => {
		const own = state({ worker: undefined });
		expect(await check(own)).toBe(10 * MINUTE + 90 * SECOND);
		expect(own.worker).toBe('worker');
	});

	it('replaces a worker that has done nothing for two checks', async () => {
		executions.worker = worker(
			{ resuming: undefined, silence: { fingerprint: 'f', times: 1 }, consecutiveErrors: 3 },
			-60 * SECOND,
		);
		const own = state();
		expect(await check(own)).toBe(66 * SECOND);
		expect(started).toEqual([]);
		await clock.advance(66 * SECOND);
		// n8n stores first that it is dismissed: it may have stood still, and go on just now.
		expect(await check(own)).toBe(15 * SECOND);
		expect(own.isWorkerDismissed).toBe(true);
		expect(started).toEqual([]);
		executions.worker = worker({ intents: { at: 7, items: [2] } });
		expect(await check(own)).toBe(90 * SECOND);
		expect(roles()).toEqual(['work']);
		const replacement = started[0]!.item[WORK] as IDataObject;
		expect(replacement).toMatchObject({
			supervisor: 'own',
			isReplacement: true,
			consecutiveErrors: 0,
			intents: { at: 7, items: [2] },
		});
		expect(own.isWorkerDismissed).toBeUndefined();
		expect(replacement.silence).toBeUndefined();
		expect(own).toMatchObject({ worker: 'new 1', hasReplaced: true, standby: 'standby' });
		expect(own.silence).toBeUndefined();
	});

	it('begins to count anew where it is woken up late: n8n was down', async () => {
		executions.worker = worker({}, -60 * SECOND);
		const own = state();
		await check(own);
		await clock.advance(66 * SECOND + 90 * SECOND + 1);
		expect(await check(own)).toBe(66 * SECOND);
		expect(own.silence).toMatchObject({ times: 1 });
		expect(started).toEqual([]);
	});

	it('says in the log what keeps it from checking, and tries again', async () => {
		Object.defineProperty(executions, 'caller', {
			get: () => {
				throw new Error('The database is locked');
			},
		});
		expect(await check(state())).toBe(66 * SECOND);
		expect(warnings).toEqual(['Images supervises: The database is locked']);
	});

	it('lets its standby end when nobody waits any more', async () => {
		delete executions.caller;
		expect(await check(state())).toBe('over');
		expect(started).toMatchObject([{ role: 'wake', parent: 'standby' }]);
	});

	it.each([
		['is due by itself', { standby: () => supervisor({ isStandby: true }, 60 * SECOND) }],
		['is gone', { standby: () => ({ ...supervisor({ isStandby: true }), waitTill: undefined }) }],
	])('does not where that %s', async (_, { standby }) => {
		delete executions.caller;
		executions.standby = standby();
		expect(await check(state())).toBe('over');
		expect(started).toEqual([]);
	});

	it('is kept by n8n where the way to the worker leads through it', async () => {
		delete executions.caller;
		await expect(check(state({ hasReplaced: true }))).rejects.toThrow(KEPT);
		executions.standby = supervisor();
		await expect(check(state())).rejects.toThrow(KEPT);
	});

	it.each([
		['there is no worker', undefined],
		['a person has stopped the worker', () => worker({}, undefined, { reason: 'manual' })],
	])('is over where %s', async (_, make) => {
		if (make) executions.worker = make();
		else delete executions.worker;
		expect(await check(state())).toBe('over');
		expect(started).toEqual([]);
	});

	it('gives way to another that the worker has', async () => {
		executions.worker = worker({ supervisor: 'other' });
		await expect(check(state())).rejects.toThrow(KEPT);
	});

	it('gives way to a standby that has taken over', async () => {
		executions.standby = supervisor();
		await expect(check(state())).rejects.toThrow(KEPT);
		expect(started).toEqual([]);
	});

	it('replaces a standby that has done nothing for two checks', async () => {
		executions.standby = supervisor({ isStandby: true }, -60 * SECOND);
		const own = state();
		await check(own);
		expect(started).toEqual([]);
		await check(own);
		expect(started).toMatchObject([
			{ role: 'supervise', item: { [SUPERVISOR]: { isStandby: true, worker: 'worker' } } },
		]);
		expect(own).toMatchObject({ standby: 'new 1' });
		expect(own.standbySilence).toBeUndefined();
	});

	it('has results handed over again, after twice as many checks each time, three times at most', async () => {
		const handing = () => worker({ resuming: 'resume' }, -60 * MINUTE);
		executions.worker = handing();
		executions.resume = stored({}, -60 * MINUTE);
		const own = state();
		const checks = [0];
		for (let next: number | 'over' = 0; next !== 'over'; ) {
			checks[checks.length - 1]! += 1;
			if (checks.at(-1)! > 20) throw new Error('They are never handed over');
			own.dueAt = clock.now();
			next = await check(own).catch(({ message }: Error) => {
				expect(message).toContain(KEPT);
				return 'over' as const;
			});
			if (started.length < checks.length) continue;
			checks.push(0);
			executions[own.worker!] = handing();
		}
		expect(checks).toEqual([2, 4, 8, 16]);
		expect(roles()).toEqual(['work', 'work', 'work']);
	});

	it('leaves those alone that are handed over', async () => {
		executions.worker = worker({ resuming: 'resume' }, -60 * MINUTE);
		executions.resume = stored({}, 5 * MINUTE);
		const own = state();
		for (let checks = 0; checks < 5; checks++) {
			own.dueAt = clock.now();
			expect(await check(own)).toBe(5 * MINUTE + 90 * SECOND);
		}
		expect(started).toEqual([]);
	});
});

describe('a standby', () => {
	const own = () => state({ isStandby: true, standby: undefined });

	beforeEach(() => {
		executions.worker = worker({ supervisor: 'supervisor' });
		executions.supervisor = supervisor({ worker: 'worker' });
	});

	it('checks once in a quarter of an hour', async () => {
		expect(await check(own())).toBe(15 * MINUTE);
		expect(await check({ ...own(), dueAt: undefined })).toBe(15 * MINUTE);
		expect(started).toEqual([]);
	});

	it('leaves a silent worker to its supervisor, as long as that is alive', async () => {
		executions.worker = worker({ supervisor: 'supervisor' }, -60 * SECOND);
		const standby = own();
		for (let checks = 0; checks < 3; checks++) {
			standby.dueAt = clock.now();
			expect(await check(standby)).toBe(15 * MINUTE);
		}
		expect(started).toEqual([]);
	});

	it('replaces both where neither has done anything for two checks, and has a standby itself', async () => {
		executions.worker = worker({ supervisor: 'supervisor' }, -60 * SECOND);
		executions.supervisor = supervisor({ worker: 'worker' }, -60 * SECOND);
		const standby = own();
		expect(await check(standby)).toBe(66 * SECOND);
		expect(await check(standby)).toBe(15 * SECOND);
		expect(standby).toMatchObject({ isStandby: true, isWorkerDismissed: true });
		expect(await check(standby)).toBe(90 * SECOND);
		expect(roles()).toEqual(['work', 'supervise']);
		expect(started[1]!.item[SUPERVISOR]).toMatchObject({ isStandby: true, worker: 'new 1' });
		expect(standby).toMatchObject({ worker: 'new 1', standby: 'new 2', hasReplaced: true });
		expect(standby.isStandby).toBeUndefined();
	});

	it('takes nothing over where it has been replaced before n8n had stored that it does', async () => {
		executions.worker = worker({ supervisor: 'supervisor' }, 60 * SECOND);
		executions.supervisor = supervisor({ worker: 'worker', standby: 'other' }, 60 * SECOND);
		expect(await check({ ...own(), isWorkerDismissed: true })).toBe('over');
		expect(started).toEqual([]);
	});

	it('follows supervisors to who works now', async () => {
		executions.supervisor = supervisor({ worker: 'second', deliveries: 2 });
		executions.second = worker({ supervisor: 'next' });
		executions.next = supervisor({ worker: 'third', deliveries: 1 });
		executions.third = worker({ supervisor: 'next' });
		const standby = own();
		await check(standby);
		expect(standby).toMatchObject({ worker: 'third', deliveries: 2 });
	});
});
