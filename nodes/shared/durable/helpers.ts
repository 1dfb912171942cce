import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import { readExecution, type RunHandle, type Caller } from './executions';
import { keptIn, SUPERVISOR, supervisorStateIn, WORK, workIn, type Work } from './state';

/** Where n8n keeps what a node remembers. */
export const NODE_CONTEXT = 'node:';

/** Executions of one durable run that are read at most. */
const MOST_HELPERS = 200;

/** An execution that works for a durable run, or has worked for it. */
export interface Helper {
	id: string;
	data: IRunExecutionData;
	/** Whom it works for, where it says so. */
	caller?: Partial<Caller>;
	/** Of a worker. */
	work?: Work;
}

/**
 * All that have worked for a durable run, as far as n8n still has them: those that the waiting node
 * names, and whom each of them names in turn. Oldest first.
 */
export async function helpersOf(
	context: IExecuteFunctions,
	node: string,
	{ worker, supervisor }: RunHandle,
): Promise<Helper[]> {
	const helpers: Helper[] = [];
	const ids = new Set([worker, supervisor]);
	// A set gives out what is added to it meanwhile, too.
	for (const id of ids) {
		const data = await readExecution(context, id);
		if (!data) continue;
		const work = workIn(data, node);
		const supervise = supervisorStateIn(data, node);
		helpers.push({ id, data, work, caller: work?.state.caller ?? supervise.caller });
		const named = [
			work?.state.supervisor,
			work?.state.resuming,
			supervise.worker,
			supervise.standby,
		];
		for (const other of named) {
			if (typeof other === 'string' && ids.size < MOST_HELPERS) ids.add(other);
		}
	}
	// n8n numbers executions as they begin.
	return helpers.sort((a, b) => Number(a.id) - Number(b.id));
}

/** Whom an execution works for; `undefined` where it works for none. */
export function callerOf(data: IRunExecutionData): Partial<Caller> | undefined {
	for (const node of nodesIn(data)) {
		const kept = keptIn(data, node);
		const state = (kept[WORK] ?? kept[SUPERVISOR]) as { caller?: Partial<Caller> } | undefined;
		if (state?.caller) return state.caller;
	}
	return undefined;
}

/** The nodes that remember something; one that has not begun yet is next in line. */
function nodesIn({ executionData }: IRunExecutionData): string[] {
	const keys = Object.keys(executionData?.contextData ?? {});
	const remembering = keys.filter((key) => key.startsWith(NODE_CONTEXT));
	return [...remembering.map((key) => key.slice(NODE_CONTEXT.length)), ''];
}
