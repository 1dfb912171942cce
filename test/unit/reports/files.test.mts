import type { IDataObject } from 'n8n-workflow';

import { flat } from '../../support/flat.mts';
import { runNode } from '../../support/product.mts';
import { virtualContext } from '../../support/virtualContext.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { fakeContext } from '../files/fakeContext.mts';
import { NODE, PARAMETERS, PNG } from '../files/pictureVideo.mts';

/** Files that come in as something else than a name, and answers that are no files. */

const IMAGE = {
	resource: 'image',
	operation: 'generate',
	prompt: 'a kite',
	size: '1:1',
	downloadMedia: true,
};

describe('an answer that is no media is not stored as one', () => {
	test.each([
		['{"error": "expired"}', 'application/json'],
		['<?xml version="1.0"?><Error/>', 'application/xml'],
		['Access denied', 'text/plain'],
		['<!DOCTYPE html><p>Log in', 'text/html'],
	])('%s as %s', async (body, contentType) => {
		const n8n = new VirtualN8n();
		n8n.state.faults.add({
			match: { pathPattern: '^/media/' },
			fault: { kind: 'status', status: 200, body, contentType },
		});
		const { items } = await n8n.clock.run(n8n.execute({ items: [{}], parameters: IMAGE }));
		const { json, binary } = items[0]!;
		expect(binary ?? {}).toEqual({});
		expect(json.mediaUrl).toMatch(/^https:.*\.png$/);
		const [failed] = flat(json).downloadErrors as Array<{ error: string }>;
		expect(failed?.error).toContain(`sent ${contentType}`);
	});
});

/** A video is ordered of an item with a picture; what is sent, or the error. */
async function sentWith(given: IDataObject) {
	const n8n = new VirtualN8n();
	const { context: fake } = fakeContext({ data: { file: PNG, fileName: 'a.png' } });
	const [own] = fake.getInputData();
	const context = virtualContext({
		kind: 'video',
		network: n8n.network,
		credential: n8n.credential,
		items: [own!],
		parameters: { ...PARAMETERS, prompt: 'a kite', waitForCompletion: false },
		evaluated: given,
		node: NODE,
		memory: {},
		executionId: '1',
		mode: 'trigger',
		hints: [],
		messages: [],
	});
	Object.assign(context.helpers, { ...fake.helpers, ...context.helpers });
	const message = await n8n.clock.run(runNode('video', context, n8n.machine)).then(
		() => undefined,
		(error: Error) => error.message,
	);
	const [sent] = n8n.state.journal.ofKind('create').map(({ body }) => body as IDataObject);
	return { message, sent };
}

const ADDRESS = /^https:\/\/n8n\.example\/rest\/binary-data\/signed\?token=store:data\./;

/** As `$binary.data` gives it: without the content. */
const TOLD = { mimeType: '', fileName: 'a.png', id: 'store:data' };

describe('a file that an expression hands over', () => {
	test.each<[string, IDataObject]>([
		['$binary.data', { imageUrls: TOLD }],
		['a list of it', { imageUrls: [TOLD] }],
		['its name', { imageUrls: 'data' }],
	])('is the file of the item: %s', async (_, given) => {
		const { sent, message } = await sentWith(given);
		expect(message).toBeUndefined();
		expect(sent?.imageUrls).toEqual([expect.stringMatching(ADDRESS)]);
	});

	test.each<[string, IDataObject]>([
		['alone', { imageUrls: JSON.stringify(TOLD) }],
		['in a list', { imageUrls: [JSON.stringify(TOLD)] }],
	])('is no text that describes one, which may come from outside: %s', async (_, given) => {
		const { sent, message } = await sentWith(given);
		expect(sent).toBeUndefined();
		expect(message).toMatch(/^Images \(imageUrls\) must /);
	});

	test('that is not there is refused', async () => {
		const { sent, message } = await sentWith({ imageUrls: { ...TOLD, id: 'store:other' } });
		expect(sent).toBeUndefined();
		expect(message).toContain('cannot be read from "a.png"');
	});
});
