import type { IDataObject, IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import { keepLatest } from '../jobs/claims';
import { fingerprint, entriesIn, LEDGER } from '../jobs/ledger';
import { withDetailsBelow } from '../run/nodeError';

/*
 * A node of a sub-workflow that fails makes the call of it fail. Where the calling node has *Retry On
 * Fail*, n8n calls again, in an execution of its own whose ledger is empty. So the jobs of a failed call
 * are left to the next one with the same input, from the same execution: what n8n does not tell apart
 * from a retry is the same order (money rule 6).
 */

/** Ledgers that failed calls have left, by call, as long as n8n runs: so long it retries a node. */
const left = new Map<string, unknown[]>();

const MOST_REMEMBERED = 100;

/**
 * Takes over the jobs of a failed call before this one.
 *
 * @returns names the call; `undefined` where the execution is none
 */
export async function takeOverJobs(context: IExecuteFunctions): Promise<string | undefined> {
	if (context.getMode() !== 'integrated') return undefined;
	const call = await callOf(context).catch(() => undefined);
	if (call === undefined) return undefined;
	const ledgers = left.get(call) ?? [];
	const memory = context.getContext('node');
	// Of several such calls at once, each goes on with its own.
	const taken = ledgers.includes(memory[LEDGER]) ? memory[LEDGER] : ledgers[0];
	if (taken === undefined) return call;
	memory[LEDGER] = taken as IDataObject;
	const others = leftBesides(call, taken);
	if (others.length > 0) left.set(call, others);
	else left.delete(call);
	return call;
}

const leftBesides = (call: string, ledger: unknown) =>
	(left.get(call) ?? []).filter((one) => one !== ledger);

/**
 * Leaves the jobs to the next call, and says in the error what else there is to do: n8n offers to retry
 * the execution that has called, too, and nothing tells that this is the same order.
 */
export function leaveJobs<E>(context: IExecuteFunctions, call: string | undefined, error: E): E {
	const memory = context.getContext('node');
	const hasOrdered = Object.keys(entriesIn(memory)).length > 0;
	if (call === undefined || !hasOrdered) return error;
	const all = [...leftBesides(call, memory[LEDGER]), memory[LEDGER]];
	left.delete(call);
	keepLatest(left, call, all, MOST_REMEMBERED);
	const own = context.getExecutionId();
	const advice = `Another workflow has called this one. Retry execution ${own}, which is this one: it pays only for what is missing. Retry execution of the calling workflow pays for all items again.`;
	const told = withDetailsBelow(error) as { description?: string | null };
	told.description = [advice, told.description].filter(Boolean).join(' ');
	return error;
}

/** @returns the same for calls of the same node, by the same execution, with the same items */
async function callOf(context: IExecuteFunctions): Promise<string | undefined> {
	const data = await context.getExecutionDataById(context.getExecutionId());
	const caller = data?.parentExecution?.executionId;
	if (!data || caller === undefined) return undefined;
	return fingerprint({
		caller,
		workflow: context.getWorkflow().id,
		node: context.getNode().name,
		run: context.evaluateExpression('{{ $runIndex }}', 0),
		input: inputOf(data),
	});
}

/** What the execution was started with: what its first node has given out, or is to run with. */
function inputOf({ resultData, executionData }: IRunExecutionData): unknown {
	const [first] = Object.values(resultData.runData).flat();
	const [main = []] = first?.data?.main ?? executionData?.nodeExecutionStack[0]?.data.main ?? [];
	return main?.map(({ json, binary }) => [json, binary]);
}
