import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';

/** What the error of a value says: the entry that is wrong, as it was read. */

async function run(parameters: IDataObject, evaluated: IDataObject = {}) {
	const n8n = new VirtualN8n({ settings: { credits: { purchased: 1000, welcome: 0 } } });
	const { error } = await n8n.clock.run(
		n8n.execute({ items: [{}], kind: 'video', parameters, evaluated }),
	);
	return { message: error?.message, sent: n8n.state.journal.ofKind('create') };
}

const IMAGES = { resource: 'vidA31', operation: 'generate', prompt: 'a kite' };
const B30 = { resource: 'vidB30', operation: 'generate', prompt: 'a kite' };

test.each<[string, string]>([
	['\nhttps://x.example/a.png\nftp://x.example/c.png', 'but is "ftp://x.example/c.png"'],
	['https://x/a.png\nhttps://x/b.png\nhttps://x/c.png', 'must have 1 to 2 URLs, but has 3'],
])('%j', async (imageUrls, words) => {
	const { message, sent } = await run({ ...IMAGES, imageUrls });
	expect(message).toContain(words);
	expect(sent).toEqual([]);
});

test('fields that the user names, all without a value, are not left out in silence', async () => {
	const additionalFields = { payload: '{"imageUrls":[null]}' };
	const { message, sent } = await run({ ...B30, additionalFields });
	expect(message).toContain('must have at least one field with a value');
	expect(sent).toEqual([]);
});

test('the token of an address is not shown, in a list either', async () => {
	const video = { resource: 'vidE26', operation: 'imageToVideo', prompt: 'a kite' };
	const image_url = '={{ [1] }}';
	const url = 'https://x.example/a.png?token=secret-4711';
	const { message, sent } = await run({ ...video, image_url }, { image_url: [url] as never });
	expect(message).toContain('Image (image_url) must be a URL');
	expect(message).not.toContain('secret-4711');
	expect(sent).toEqual([]);
});
