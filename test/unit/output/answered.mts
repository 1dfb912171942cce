import type { IDataObject } from 'n8n-workflow';

import { OPEN_PATHS } from '../../../sandbox/settings.mts';
import type { ItemKind } from '../../support/product.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** Nodes whose job has the record that a test says. */

const VIDEO = {
	...{ resource: 'vidD', operation: 'generate', prompt: 'a cat', aspect_ratio: '16:9' },
	...{ resolution: '480p', duration: '4', generate_audio: false },
};

export const NODES = {
	image: ['image', { resource: 'image', operation: 'generate', prompt: 'a cat', size: '1:1' }],
	/** The document names the field of its result, and that alone. */
	standard: ['video', { ...VIDEO, resource: 'standardVideo' }],
	video: ['video', VIDEO],
	audio: ['music', { resource: 'song', operation: 'generate', prompt: 'a cat', model: 'V5' }],
	text: ['music', { resource: 'lyrics', operation: 'lyrics', prompt: 'a cat' }],
	/** Found by its identifier: what it makes, only its record says. */
	read: ['image', { resource: 'job', operation: 'get', startedWith: 'generation', jobId: 'j' }],
	readMusic: ['music', { resource: 'job', operation: 'get', startedWith: 'music', jobId: 'j' }],
} as const satisfies Record<string, readonly [ItemKind, IDataObject]>;

export type NodeName = keyof typeof NODES;

interface Given extends IDataObject {
	/** Of the node's *Options*. */
	options?: IDataObject;
	/** Of the credential. */
	credential?: IDataObject;
	onError?: 'continueRegularOutput';
}

/** The item of a job whose status is answered so, and what the node says of it. */
export async function answered(name: NodeName, record: unknown, given: Given = {}) {
	const { options = {}, credential = {}, onError, ...more } = given;
	const n8n = new VirtualN8n(
		{ retell: (answer, { method }) => (method === 'GET' ? record : answer) },
		{ ...OPEN_PATHS, ...(name === 'video' && { statusPath: '/state/{job_id}/' }), ...credential },
	);
	const fault = { kind: 'status', status: 200, body: {} } as const;
	n8n.state.faults.add({ match: { method: 'GET' }, fault });
	const [kind, parameters] = NODES[name];
	const { outputs, error, hints } = await n8n.run({
		...{ items: [{}], kind, node: { onError } },
		parameters: { ...parameters, ...more, options: { timeout: 30, ...options } },
	});
	expect(error).toBeUndefined();
	return { json: outputs.flat()[0]!.json, hints: hints.map(({ message }) => message).join('\n') };
}
