import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeOperationError,
} from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { entriesIn } from '../jobs/ledger';
import { ROLE_PARAMETER } from '../parameters/names';
import { type Caller, callerState, handleIn, isOwnVersion, memoryOf } from './executions';
import { makeItems, RESUME, resumeCaller, startResume, versionMismatch } from './results';
import { continueAt, isRole, LOOP, NOTHING, type Role } from './roleWorkflow';
import { keptIn, paidIdsIn, parkedIn, SUPERVISOR, WORK } from './state';
import { supervise } from './supervisor';
import { work } from './worker';

type Runner = (context: IExecuteFunctions, clock: Clock) => Promise<INodeExecutionData[][]>;

/** What each role does, and how it refuses what another version has parked. */
const RUNNERS: Record<Role, { run: Runner; refuse?: Runner }> = {
	work: { run: work, refuse: refuseWork },
	supervise: { run: supervise, refuse: refuseSupervise },
	output: { run: makeItems, refuse: refuseOutput },
	// Runs even if another version has parked its input: it must park before it can hand an error over.
	resume: { run: resumeCaller },
	// Parks once and ends, which wakes up its parent.
	wake: { run: async (context, clock) => await continueAt(context, clock.now()) },
	probe: { run: async (context) => [context.getInputData()] },
};

/**
 * The node's role in a durable run; `undefined` in a user's workflow.
 *
 * @throws NodeOperationError if this version lacks the role: treated as a user's node, it would create new jobs
 */
export function roleOf(context: IExecuteFunctions): Role | undefined {
	const role: unknown = context.getNodeParameter(ROLE_PARAMETER, 0, '');
	if (isRole(role)) return role;
	if (role === '') return undefined;
	throw new NodeOperationError(
		context.getNode(),
		`This version has no durable role ${JSON.stringify(role)}`,
		{
			description:
				'Another version of n8n-nodes-mediagen has started this execution. Nothing was created. Do not set the parameter durableRole in a workflow of your own.',
		},
	);
}

export async function runRole(
	context: IExecuteFunctions,
	role: Role,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const { run, refuse = run } = RUNNERS[role];
	const parked = parkedIn(context);
	const isOwn = isOwnVersion(parked[WORK] ?? parked[SUPERVISOR]);
	return await (isOwn ? run : refuse)(context, clock);
}

/** How long supervisors leave it to workers to say what is paid for, in ms. */
const LEFT_TO_OTHERS_MS = 900_000;

/** Key under which a supervisor notes that it has waited that long. */
const LEFT = 'mediaGenLeft';

/**
 * In the role `work`: hands over the error that names what is paid for.
 *
 * @throws NodeOperationError with that error, if its input does not say who waits
 */
async function refuseWork(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const parked = parkedIn(context);
	const caller = callerIn(parked[WORK]);
	if (!caller) return await refuseOutput(context);
	await refuse(context, caller, paidIdsIn(entriesIn(parked)));
	return NOTHING;
}

/**
 * In the role `output`: fails, and the worker that started it hands the error over.
 *
 * @throws NodeOperationError
 */
async function refuseOutput(context: IExecuteFunctions): Promise<never> {
	const { message, description } = versionMismatch(paidIdsIn(entriesIn(parkedIn(context))));
	throw new NodeOperationError(context.getNode(), message, { description });
}

/**
 * In the role `supervise`: hands the error over for a worker that is dead. It waits first, to leave that to a living
 * worker or to the execution that resumes the caller.
 */
async function refuseSupervise(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const memory = context.getContext('node');
	const parked = parkedIn(context);
	memory[SUPERVISOR] ??= parked[SUPERVISOR];
	if (!memory[LEFT]) {
		memory[LEFT] = true;
		return await continueAt(context, clock.now() + LEFT_TO_OTHERS_MS);
	}
	const caller = callerIn(parked[SUPERVISOR]);
	if (!caller) return NOTHING;
	const waiting = await context.getExecutionDataById(caller.executionId);
	if (callerState(waiting, caller) !== 'here') return NOTHING;
	const { worker } = parked[SUPERVISOR] as { worker?: unknown };
	const workers = [worker, handleIn(memoryOf(waiting, caller.node), caller)?.worker];
	const ids = await Promise.all(
		[...new Set(workers)].map(async (id) => await idsOf(context, id, caller)),
	);
	await refuse(context, caller, ids.flat());
	return NOTHING;
}

async function idsOf(context: IExecuteFunctions, id: unknown, { node }: Caller) {
	const data = typeof id === 'string' ? await context.getExecutionDataById(id) : undefined;
	return paidIdsIn(entriesIn(keptIn(data, node)));
}

/** The caller that the execution works for; `undefined` if it was started with nothing. */
const callerIn = (parked: unknown): Caller | undefined => Object(parked).caller;

async function refuse(context: IExecuteFunctions, caller: Caller, ids: readonly string[]) {
	const error = versionMismatch([...new Set(ids)]);
	context.logger.warn(`${context.getNode().name}: ${error.message}`);
	const waiting = await context.getExecutionDataById(caller.executionId);
	if (callerState(waiting, caller) === 'here') await startResume(context, caller, { error });
}

/** Fields that only a helper's item has. */
const MARKS = [WORK, SUPERVISOR, RESUME, LOOP];

/**
 * Keeps a node from ordering anything for a helper that a person retries. n8n shows a helper that was awake at a kill
 * in red, and offers to retry it: with the saved workflow, which gives the helper's item to the user's own node, or
 * with the original one, which would create again what was noted before the kill.
 *
 * @returns what the node gives out; `undefined` if it has work of its own to do. Under *Continue*, it gives out no
 * items and adds a hint: an error would go on as an item, even to nodes that order something
 * @throws NodeOperationError without *Continue*
 */
export function refuseHelper(context: IExecuteFunctions): INodeExecutionData[][] | undefined {
	const hasRole = context.getNodeParameter(ROLE_PARAMETER, 0, '') !== '';
	const input = context.getInputData().map(({ json }) => json);
	const item = input.find((json) => MARKS.some((mark) => mark in json));
	const isRefused = hasRole ? context.getMode() === 'retry' : item !== undefined;
	if (!isRefused) return undefined;
	const { message, description } = refusal(servedIn({ ...item, ...context.getContext('node') }));
	if (!context.continueOnFail()) {
		throw new NodeOperationError(context.getNode(), message, { description });
	}
	const hint = `${message}. ${description}`;
	context.addExecutionHints({ message: hint, type: 'warning', location: 'outputPane' });
	return NOTHING;
}

function refusal(served: string | undefined) {
	const execution = served === undefined ? 'an execution' : `execution ${served}`;
	const where = served === undefined ? 'the execution that its note names' : `execution ${served}`;
	return {
		message: `Nothing was ordered: this is a helper of ${execution}, or an item of one`,
		description: `Look at ${where}: it waits durably and goes on by itself, with the jobs that are paid for. n8n shows in red what was at work when n8n ended; another helper takes its place. If the execution has not gone on after 15 minutes, enter its number in Job > Get Paid Jobs Back.`,
	};
}

/** Number of the execution that a helper works for; `undefined` if it does not say. */
function servedIn({ items, ...known }: IDataObject): string | undefined {
	// The role `resume` remembers the items that it was started with.
	const [first] = Array.isArray(items) ? (items as INodeExecutionData[]) : [];
	const said = { ...first?.json, ...known };
	const callers = [WORK, SUPERVISOR, RESUME].map((name) => Object(Object(said[name]).caller));
	// The item may come from anywhere, so its ID is checked.
	const isNumber = (id: unknown) => typeof id === 'string' && /^\d+$/.test(id);
	return callers.map(({ executionId }) => executionId).find(isNumber);
}
