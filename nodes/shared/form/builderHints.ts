import type { IBuilderHint } from 'n8n-workflow';

import { OUTPUT_BY_STATUS } from '../parameters/names';
import { listInWords } from '../spec/conditions';
import { startsJob } from '../spec/jobs';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import type { Catalog, Operation } from '../spec/types';
import { operationInWords } from './catalogProperties';
import { neededPaths } from './notices';

/**
 * What n8n's AI builder reads of the nodes besides their forms. No person sees it: what people need, too,
 * is in the forms.
 */

const OF_CREATIONS = [
	"Creating a job costs credits of the service's account. Each input item is one job.",
	'Nothing limits what a run costs unless options.maxCredits is added.',
	`The node waits for its jobs by itself and takes lists of items, ${CONCURRENT_GENERATIONS} at a time: no loop and no Wait node needed.`,
	`It has one output unless options.${OUTPUT_BY_STATUS} is true.`,
].join(' ');

const OF_FREE = 'Costs no credits.';

/** Of a node: what it costs and how it waits; of each operation: what it does, costs and needs. */
export function builderHintOf({ operations }: Pick<Catalog, 'operations'>): IBuilderHint {
	const creations = operations.filter(startsJob);
	const ofAll = neededByAll(creations);
	const hint = creations.length > 0 ? OF_CREATIONS : OF_FREE;
	return {
		searchHint: [hint, ...needs(ofAll)].join(' '),
		extraTypeDefContent: operations.map((operation) => ({
			content: aboutOperation(operation, ofAll),
			displayOptions: {
				show: { resource: [operation.resource], operation: [operation.operation] },
			},
		})),
	};
}

/** The settings that each of some operations needs. */
const neededByAll = ([first, ...others]: readonly Operation[]) =>
	first === undefined
		? []
		: neededPaths(first).filter((path) => others.every((one) => neededPaths(one).includes(path)));

const needs = (paths: readonly string[]) =>
	paths.length === 0 ? [] : [`Needs in the credential: ${listInWords(paths, 'and')}.`];

/** n8n puts the words of the resource there by itself. */
function aboutOperation(operation: Operation, known: readonly string[]): string {
	const more = neededPaths(operation).filter((path) => !known.includes(path));
	return [`${operationInWords(operation)}.`, ...needs(more)].join(' ');
}

/** Of the trigger. */
export const TRIGGER_HINT: IBuilderHint = {
	searchHint:
		'Costs no credits. Not needed to wait for a job that a MediaGen node of the same workflow creates: that node waits by itself.',
};
