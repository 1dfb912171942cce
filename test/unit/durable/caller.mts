import { type Caller, PARKED_VERSION } from '../../../nodes/shared/durable/executions.ts';
import { storePlans, type WorkState } from '../../../nodes/shared/durable/state.ts';

/** The node that waits for a durable run, and its run. */
export const NODE = 'Images';

export const CALLER: Caller = {
	executionId: 'caller',
	workflowId: 'w',
	node: NODE,
	runIndex: 0,
	runId: 'mine',
};

/** What a worker begins with, that has no items. */
export const workState = (more: Partial<WorkState>): WorkState => ({
	version: PARKED_VERSION,
	caller: CALLER,
	supervisor: 'supervisor',
	continueOnFail: false,
	failedAs: 'items' as never,
	isRetry: false,
	parameters: '',
	plans: storePlans([]),
	results: {},
	intents: { at: 0, items: [] },
	isReplacement: false,
	lastProgressAt: 0,
	consecutiveErrors: 0,
	...more,
});
