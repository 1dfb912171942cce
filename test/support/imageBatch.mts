import type { Sandbox } from '../../sandbox/server.mts';
import type { Item } from '../../tools/lib/n8nClient.mts';

/** A batch of images, an item each: what goes into the MediaGen node, and what came out of it. */

export const prompts = (count: number, name = 'image') =>
	Array.from({ length: count }, (_, index) => ({ prompt: `${name} ${index + 1}.` }));

/** Of the node, which takes its prompts from the items. */
export const parameters = {
	resource: 'image',
	operation: 'generate',
	prompt: '={{ $json.prompt }}',
	size: '1:1',
};

/** The prompts of the jobs that the items are of. */
export const promptsOf = (sandbox: Sandbox, items: readonly Item[] = []) =>
	items.map(({ json }) => sandbox.jobs.find(({ id }) => id === json.jobId)?.body.prompt);
