import type { Sandbox } from '../../sandbox/server.mts';
import type { Item } from '../../tools/lib/n8nClient.mts';
import type { ChainNode } from './n8nRuns.mts';

/** A batch of images, one for each item: what goes into the MediaGen node, and what came out of it. */

export const prompts = (count: number, name = 'image') =>
	Array.from({ length: count }, (_, index) => ({ prompt: `${name} ${index + 1}.` }));

/** Nodes that give these items. */
export const nodesOf = (items: object[]): ChainNode[] => [
	{
		...{ name: 'Items', type: 'n8n-nodes-base.set', typeVersion: 3.4 },
		parameters: { mode: 'raw', jsonOutput: JSON.stringify({ items }), options: {} },
	},
	{
		...{ name: 'Split', type: 'n8n-nodes-base.splitOut' },
		parameters: { fieldToSplitOut: 'items', options: {} },
	},
];

/** Parameters of the node, which takes its prompts from the items. */
export const parameters = {
	resource: 'image',
	operation: 'generate',
	prompt: '={{ $json.prompt }}',
	size: '1:1',
};

/** The prompts of the items' jobs. */
export const promptsOf = (sandbox: Sandbox, items: readonly Item[] = []) =>
	items.map(({ json }) => sandbox.jobs.find(({ id }) => id === json.jobId)?.body.prompt);
