import type { Sandbox } from '../../sandbox/server.mts';
import type { Item } from '../../tools/lib/n8nClient.mts';
import { n8nNode } from '../../tools/lib/workflowNodes.mts';

/** A batch of images, one for each item: what goes into the MediaGen node, and what came out of it. */

export const prompts = (count: number, name = 'image') =>
	Array.from({ length: count }, (_, index) => ({ prompt: `${name} ${index + 1}.` }));

/** Nodes that give these items. */
export const nodesOf = (items: object[]) => [
	n8nNode('Items', 'set', 3.4, {
		mode: 'raw',
		jsonOutput: JSON.stringify({ items }),
		options: {},
	}),
	n8nNode('Split', 'splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
];

/** Parameters of the node, which takes its prompts from the items. */
export const parameters = {
	resource: 'image',
	operation: 'generate',
	prompt: '={{ $json.prompt }}',
	size: '1:1',
};

/** The sandbox's job with this prompt. They are created side by side, so their order is not that of the items. */
export const jobOf = (sandbox: Pick<Sandbox, 'jobs'>, prompt: string) =>
	sandbox.jobs.find(({ body }) => body.prompt === prompt);

/** The prompts of the items' jobs. */
export const promptsOf = (sandbox: Sandbox, items: readonly Item[] = []) =>
	items.map(({ json }) => sandbox.jobs.find(({ id }) => id === json.jobId)?.body.prompt);
