import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { PARKED_VERSION, RUN_HANDLE } from '../../../nodes/shared/durable/executions.ts';
import { RESUME } from '../../../nodes/shared/durable/results.ts';
import { runRole } from '../../../nodes/shared/durable/role.ts';
import type { Role } from '../../../nodes/shared/durable/roleWorkflow.ts';
import { SUPERVISOR, WORK } from '../../../nodes/shared/durable/state.ts';
import { LEDGER } from '../../../nodes/shared/jobs/ledger.ts';
import { VirtualClock } from '../../support/virtualClock.mts';
import { CALLER, NODE } from './caller.mts';

/** What a helper does with what another version of this package has parked: who says that, and when. */

const OTHER_VERSION = PARKED_VERSION + 1;

/** As n8n has stored an execution. */
const stored = (memory: IDataObject, more: object = {}) => ({
	resultData: { runData: {} },
	executionData: {
		contextData: { [`node:${NODE}`]: memory },
		nodeExecutionStack: [{ node: { name: NODE }, data: { main: [[]] } }],
	},
	...more,
});

const handle = { runId: 'mine', worker: 'first worker' };
const WAITING = stored({ [RUN_HANDLE]: handle }, { waitTill: new Date('3000-01-01') });

/** A ledger with paid jobs. */
const paid = (...ids: string[]) => ({
	[LEDGER]: {
		entries: Object.fromEntries(ids.map((id, item) => [item, { state: 'running', job: { id } }])),
	},
});

interface Started {
	role: unknown;
	parent: unknown;
	resume: { caller: object; version: number; error: { message: string } };
}

/** One round of a helper. */
async function round(role: Role, json: IDataObject, more: Partial<Around> = {}) {
	const { memory = {}, executions = { caller: WAITING } } = more;
	const clock = new VirtualClock();
	const started: Started[] = [];
	const warnings: string[] = [];
	let parkedTill: number | undefined;
	const context = {
		getNode: () => ({ name: NODE, type: 'n8n-nodes-mediagen.mediaGenImage', parameters: {} }),
		getContext: () => memory,
		getInputData: () => [{ json }],
		getExecutionDataById: async (id: string) => executions[id],
		putExecutionToWait: async (till: Date) => void (parkedTill = till.getTime()),
		executeWorkflow: async (
			{ code }: { code: { name: string } },
			items: INodeExecutionData[],
			_: unknown,
			{ parentExecution }: { parentExecution: object },
		) => {
			const resume = items[0]?.json[RESUME] as object as Started['resume'];
			started.push({ role: code.name, parent: parentExecution, resume });
			return { executionId: '9' };
		},
		logger: { warn: (text: string) => warnings.push(text) },
	} as unknown as IExecuteFunctions;
	const [settled] = await Promise.allSettled([clock.run(runRole(context, role, clock))]);
	return { settled, started, warnings, memory, parkedIn: parkedTill && parkedTill - clock.now() };
}

interface Around {
	memory: IDataObject;
	executions: Record<string, object>;
}

const ENDS = { status: 'fulfilled', value: [[]] };
const MISMATCH = 'Another version of n8n-nodes-mediagen has parked this durable run';

/** The execution that hands the error over, which names these jobs and no other. */
function expectRefusal({ started, warnings }: Awaited<ReturnType<typeof round>>, jobs: string) {
	expect(started).toEqual([
		{
			role: `${NODE}: resume`,
			parent: { executionId: 'caller', workflowId: 'w', shouldResume: true },
			resume: {
				version: PARKED_VERSION,
				caller: CALLER,
				error: { message: expect.stringContaining(MISMATCH), description: expect.any(String) },
			},
		},
	]);
	const message = started[0]?.resume.error.message ?? '';
	expect(message).toMatch(new RegExp(`go on with it\\. ${jobs}$`));
	expect(warnings).toEqual([`${NODE}: ${message}`]);
}

describe.each([
	['an older version, without a number', undefined],
	['a newer one', OTHER_VERSION],
])('a worker parked by %s', (_, version) => {
	it('hands the error over that names what is paid for', async () => {
		const refused = await round('work', {
			[WORK]: { version, caller: CALLER } as IDataObject,
			...paid('a', 'b', 'a'),
		});
		expect(refused.settled).toEqual(ENDS);
		expectRefusal(refused, 'Paid for: jobs a, b\\.');
	});
});

const work = (caller: unknown) => ({ [WORK]: { version: OTHER_VERSION, caller } as IDataObject });

it('names the jobs in the log alone where nobody waits any more', async () => {
	const { settled, started, warnings } = await round(
		'work',
		{ ...work(CALLER), ...paid('a') },
		{ executions: {} },
	);
	expect(settled).toEqual(ENDS);
	expect(started).toEqual([]);
	expect(warnings).toEqual([expect.stringContaining('Paid for: jobs a.')]);
});

it('fails, with the jobs in its error, where it was started with nothing', async () => {
	const { settled, started } = await round('work', paid('a'));
	expect(settled).toMatchObject({
		status: 'rejected',
		reason: {
			message: expect.stringContaining('Paid for: jobs a.'),
			description: expect.stringContaining('No more jobs were created.'),
		},
	});
	expect(started).toEqual([]);
});

it('fails so in the role that makes the items, whoever waits', async () => {
	const { settled, started } = await round('output', { ...work(CALLER), ...paid('a') });
	expect(settled).toMatchObject({
		status: 'rejected',
		reason: {
			name: 'NodeOperationError',
			message: expect.stringContaining('Paid for: jobs a.'),
		},
	});
	expect(started).toEqual([]);
});

describe('a supervisor', () => {
	const json = {
		[SUPERVISOR]: { version: OTHER_VERSION, caller: CALLER, worker: 'later worker' },
	} as unknown as IDataObject;
	const executions = {
		caller: WAITING,
		'first worker': stored(paid('a')),
		'later worker': stored(paid('b', 'a')),
	};

	it('leaves it to the others for a quarter of an hour, and remembers whose it is', async () => {
		const { settled, started, parkedIn, memory } = await round('supervise', json, { executions });
		expect(settled).toMatchObject({ status: 'fulfilled', value: [[{ json: {} }]] });
		expect(started).toEqual([]);
		expect(parkedIn).toBe(900_000);
		expect(memory).toMatchObject({ ...json, mediaGenLeft: true });
	});

	it('then says it itself, with the jobs of both workers', async () => {
		const memory = { ...json, mediaGenLeft: true };
		const refused = await round('supervise', {}, { executions, memory });
		expect(refused.settled).toEqual(ENDS);
		expectRefusal(refused, 'Paid for: jobs b, a\\.');
	});

	it('says it though there is no worker to read', async () => {
		const memory = { ...json, mediaGenLeft: true };
		const refused = await round('supervise', {}, { executions: { caller: WAITING }, memory });
		expectRefusal(refused, '');
	});

	it.each<[string, IDataObject, Record<string, object>]>([
		['nobody waits any more', json, {}],
		['it cannot be read who waits', { [SUPERVISOR]: { version: OTHER_VERSION } }, executions],
	])('says nothing where %s', async (_, parked, around) => {
		const memory = { ...parked, mediaGenLeft: true };
		const refused = await round('supervise', {}, { executions: around, memory });
		expect(refused.settled).toEqual(ENDS);
		expect([refused.started, refused.warnings]).toEqual([[], []]);
	});
});
