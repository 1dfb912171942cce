import type { IBuilderHint } from 'n8n-workflow';

import { OUTPUT_BY_STATUS, STATUS_OUTPUTS } from '../parameters/names';
import { listInWords } from '../spec/conditions';
import { startsJob } from '../spec/jobs';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import type { Adjustment, Catalog, Operation, RateCondition } from '../spec/types';
import { operationInWords } from './catalogProperties';
import { neededPaths } from './notices';

/**
 * What n8n's AI builder reads about the nodes besides their forms. No person sees it, so whatever people
 * also need is in the forms.
 */

const OF_CREATIONS = [
	"Creating a job costs credits of the service's account. Each input item is one job.",
	'Nothing limits what a run costs unless options.maxCredits is added: then the node fails and creates nothing where all items together could cost more.',
	`The node waits for its jobs by itself and takes lists of items, ${CONCURRENT_GENERATIONS} at a time: no loop and no Wait node needed.`,
	'It gives out mediaUrl, status, jobId, creditsUsed and more; the fields of the input items are not among them.',
	`It has one output unless options.${OUTPUT_BY_STATUS} is true: then ${listInWords(
		STATUS_OUTPUTS.map((name, index) => `${index} is ${name}`),
		'and',
	)}.`,
	'Where a field takes the URL of an image, video or audio, the bare name of a binary field of the item will do, such as data.',
].join(' ');

const OF_FREE = 'Costs no credits.';

/** What a node costs and how it waits, and what each operation that starts jobs does, costs and needs. */
export function builderHintOf({ operations }: Pick<Catalog, 'operations'>): IBuilderHint {
	const creations = operations.filter(startsJob);
	const ofAll = neededByAll(creations);
	const hint = creations.length > 0 ? OF_CREATIONS : OF_FREE;
	return {
		searchHint: [hint, ...needs(ofAll)].join(' '),
		extraTypeDefContent: creations.map((operation) => ({
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

/** n8n adds the resource's description by itself, but shows the operation's only in search results. */
function aboutOperation(operation: Operation, known: readonly string[]): string {
	const more = neededPaths(operation).filter((path) => !known.includes(path));
	return [`${operationInWords(operation)}.`, ...pricesOf(operation), ...needs(more)].join(' ');
}

/** Each price of an operation that has several, with what decides it. */
function pricesOf(operation: Operation): string[] {
	if (operation.kind !== 'create' || !operation.price.shown) return [];
	const { rates, surcharges = [], discounts = [], perUnitOf } = operation.price;
	const all = [
		...rates.map(({ when = {}, credits }) => `${credits} with ${conditionOf(when)}`),
		...surcharges.map((one) => adjustmentOf(one, 'more')),
		...discounts.map((one) => adjustmentOf(one, 'less')),
	];
	if (all.length < 2) return [];
	const unit = perUnitOf === undefined ? '' : ` for each of ${perUnitOf}`;
	return [`Credits${unit}: ${all.join('; ')}.`];
}

const adjustmentOf = ({ when, credits, from }: Adjustment, direction: string) =>
	`${credits ?? 'some'} ${direction} with ${conditionOf(when)}${from === undefined ? '' : ` from ${from} on`}`;

const conditionOf = (when: RateCondition) =>
	Object.entries(when)
		.map(([name, allowed]) =>
			'not' in allowed
				? `${name} not ${allowed.not.join(' or ')}`
				: `${name} ${allowed.join(' or ')}`,
		)
		.join(', ') || 'any values';

export const TRIGGER_HINT: IBuilderHint = {
	searchHint:
		'Costs no credits. Not needed to wait for a job that a MediaGen node of the same workflow creates: that node waits by itself.',
};
