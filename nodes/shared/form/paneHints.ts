import type { NodeHint } from 'n8n-workflow';

import { startsJob } from '../spec/jobs';
import type { Catalog, Operation } from '../spec/types';
import { inCode } from './expressions';
import { FREE, priceInWords } from './prices';

/** What n8n says in the panel of a node before it runs. The text is shown as it stands. */
export function paneHintsOf({ operations }: Catalog): NodeHint[] {
	const paid = operations
		.filter(isPaid)
		.map(({ resource, operation }) => `${resource}.${operation}`);
	return [
		{
			message:
				'Each input item is a paid job, and nothing limits what this run may cost. To set a limit, add Options > Max Credits per Run.',
			displayCondition: `={{ (${UNLIMITED})($rawParameter, ${inCode(paid)}, $input.all().length) }}`,
			whenToDisplay: 'beforeExecution',
			location: 'outputPane',
		},
	];
}

/** Whether its jobs cost something, or may. */
const isPaid = (operation: Operation) =>
	startsJob(operation) && !(operation.kind === 'create' && priceInWords(operation) === FREE);

/** A limit that is an expression is one, as is an estimate: both stand in the node as they are typed. */
const UNLIMITED = `({ resource, operation, options }, paid, items) => {
	const { maxCredits, estimateOnly } = options ?? { };
	const isLimited = maxCredits !== undefined || Boolean(estimateOnly);
	return items > 1 && !isLimited && paid.includes(resource + '.' + operation);
}`.replace(/\s+/g, ' ');
