import { type ExpressionString, NodeConnectionTypes } from 'n8n-workflow';

import { inCode } from './inCode';
import { OUTPUT_BY_STATUS } from './waiting';

/** Outputs of a node with *Output by Status*, in their order. */
export const STATUS_OUTPUTS = ['Completed', 'Failed', 'In Progress'] as const;

const byStatus = STATUS_OUTPUTS.map((displayName) => ({
	type: NodeConnectionTypes.Main,
	displayName,
}));

/** The outputs of a node: one, unless *Output by Status* is on. */
export const OUTPUTS: ExpressionString = `={{ $parameter.options?.${OUTPUT_BY_STATUS} === true ? ${inCode(byStatus)} : ${inCode([NodeConnectionTypes.Main])} }}`;
