import { Readable } from 'node:stream';
import type { INode } from 'n8n-workflow';

import { OPEN_PATHS } from '../../../sandbox/settings.mts';
import { virtualContext } from '../../support/virtualContext.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { runNode } from '../../support/product.mts';

/** Files of songs, for whoever stores them all in one folder. */

const NODE: INode = {
	id: '1',
	name: 'MediaGen',
	type: 'n8n-nodes-mediagen.mediaGenMusic',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const file = () => Readable.from([Buffer.from('ID3 and the rest')], { objectMode: false });

async function namesOfFiles(options: object) {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 500, max: 500 } } }, OPEN_PATHS);
	const context = virtualContext({
		kind: 'music',
		network: n8n.network,
		credential: n8n.credential,
		items: [{ json: {} }, { json: {} }],
		parameters: {
			...{ resource: 'song', operation: 'generate', model: 'V5' },
			...{ prompt: 'First snow', downloadMedia: true, options },
		},
		node: NODE,
		memory: {},
		executionId: '1',
		mode: 'trigger',
		hints: [],
		messages: [],
	});
	Object.assign(context.helpers, {
		httpRequest: async () => ({
			statusCode: 200,
			headers: { 'content-type': 'audio/mpeg' },
			body: file(),
		}),
		prepareBinaryData: async (body: Readable, fileName: string, mimeType: string) => {
			for await (const _ of body);
			return { data: '', fileName, mimeType };
		},
	});
	const [items = []] = await n8n.clock.run(runNode('music', context, n8n.machine));
	return items.map(({ binary = {} }) => Object.values(binary).map(({ fileName }) => fileName));
}

test('both takes in one item', async () => {
	expect(await namesOfFiles({})).toEqual([
		['01-first-snow.mp3', '01-first-snow-2.mp3'],
		['02-first-snow.mp3', '02-first-snow-2.mp3'],
	]);
});
