import type { Sandbox } from '../../sandbox/server.mts';
import type { Item } from '../../tools/lib/n8nClient.mts';

/** A batch of images, one for each item: what goes into the MediaGen node, and what came out of it. */

export const prompts = (count: number, name = 'image') =>
	Array.from({ length: count }, (_, index) => ({ prompt: `${name} ${index + 1}.` }));

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
