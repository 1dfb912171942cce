import { type ExpressionString, NodeConnectionTypes } from 'n8n-workflow';

import { OUTPUT_BY_STATUS, STATUS_OUTPUTS } from '../parameters/names';
import { inCode } from './inCode';

const byStatus = STATUS_OUTPUTS.map((displayName) => ({
	type: NodeConnectionTypes.Main,
	displayName,
}));

/** The outputs of a node: one, unless *Output by Status* is on. */
export const OUTPUTS: ExpressionString = `={{ $parameter.options?.${OUTPUT_BY_STATUS} === true ? ${inCode(byStatus)} : ${inCode([NodeConnectionTypes.Main])} }}`;
