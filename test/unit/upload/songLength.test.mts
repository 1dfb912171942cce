import { wavFile } from '../../support/audioFiles.mts';
import { virtualContext } from '../../support/virtualContext.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { runNode } from '../../support/product.mts';
import { fakeContext } from './fakeContext.mts';
import { NODE } from './pictureVideo.mts';

/** Audio that is uploaded: MP3 or WAV, up to 8 minutes. */

/** Orders a cover of a WAV file that is so long, and gives what was sent and what went wrong. */
async function coverOf(seconds: number) {
	const n8n = new VirtualN8n({ settings: { shapes: { music: { upload: 'url' } } } });
	Object.assign(n8n.credential, n8n.state.settings.openPaths, { uploadAs: 'url' });
	const { context: fake } = fakeContext({ data: { file: wavFile({ seconds, sampleRate: 100 }) } });
	const context = virtualContext({
		kind: 'music',
		network: n8n.network,
		credential: n8n.credential,
		items: fake.getInputData(),
		parameters: {
			resource: 'song',
			operation: 'upload_cover',
			upload: 'data',
			style: 'shanty',
			model: 'V5',
			waitForCompletion: false,
		},
		node: { ...NODE, type: 'n8n-nodes-mediagen.mediaGenMusic' },
		memory: {},
		executionId: '1',
		mode: 'trigger',
		hints: [],
		messages: [],
	});
	Object.assign(context.helpers, { ...fake.helpers, ...context.helpers });
	const error = await n8n.clock.run(
		runNode('music', context, n8n.machine).then(
			() => undefined,
			(thrown: Error) => thrown,
		),
	);
	return { error, sent: n8n.state.journal.entries.map(({ body }) => body) };
}

test('a WAV of 8 minutes is sent', async () => {
	const { error, sent } = await coverOf(480);
	expect(error).toBeUndefined();
	expect(sent).toEqual([
		expect.objectContaining({ upload: expect.stringContaining('store:data') }),
	]);
});

test('a WAV of a second more is refused before any request', async () => {
	const { error, sent } = await coverOf(481);
	expect(error?.message).toContain('481 seconds');
	expect(sent).toEqual([]);
});
