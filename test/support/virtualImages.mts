import type { IDataObject } from 'n8n-workflow';

import type { ExecutionOptions } from './virtualRun.mts';

/** The image that a node makes where a test says nothing else. */
export const IMAGE = { resource: 'image', operation: 'generate', size: '1:1', prompt: 'a kite' };

/** One image for each prompt, which its item has. @param parameters of the node, besides */
export const images = (
	prompts: readonly string[],
	more: Partial<ExecutionOptions> = {},
	parameters: IDataObject = {},
): ExecutionOptions => ({
	items: prompts.map((prompt) => ({ prompt })),
	parameters: (item) => ({ ...IMAGE, prompt: prompts[item], ...parameters }),
	...more,
});
