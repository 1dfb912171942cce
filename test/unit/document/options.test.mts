import { type INodeProperties } from 'n8n-workflow';

import { nodeType, type ItemKind } from '../../support/product.mts';

/** The collection *Options*: what a person can add, and what that does at once. */

/** By name, what the form begins with when it is added. */
const OPTIONS = {
	binaryPropertyName: 'data',
	continueExecution: '',
	estimateOnly: true,
	maxConcurrentJobs: 1,
	maxCredits: 100,
	outputByStatus: true,
	resultField: '',
	simplify: true,
	timeout: 1800,
	waitMode: 'durable',
};

const collectionsOf = (kind: ItemKind) =>
	nodeType(kind).description.properties.filter(({ name }) => name === 'options');

test.each(['image', 'video', 'music'] as const)(
	'%s: these and no others, and each does at once what its name says',
	(kind) => {
		const added = collectionsOf(kind)
			.flatMap(({ options = [] }) => options as INodeProperties[])
			.map((option) => [option.name, option.default] as const);
		expect(Object.fromEntries(added)).toEqual(OPTIONS);
	},
);
