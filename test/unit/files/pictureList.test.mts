import { virtualContext } from '../../support/virtualContext.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { runNode } from '../../support/product.mts';
import { fakeContext } from './fakeContext.mts';
import { NODE, PARAMETERS, PNG } from './pictureVideo.mts';

/** Pictures of a video that are files of the item: the service fetches each at an address of its own. */

const URL = 'https://cdn.example/b.png';

const ADDRESS = /^https:\/\/n8n\.example\/rest\/binary-data\/signed\?token=store:(\w+)\.(\d+)s$/;

/** What the service is sent for the field imageUrls. */
async function sentFor(imageUrls: unknown): Promise<string[]> {
	const n8n = new VirtualN8n();
	const { context: fake } = fakeContext({ first: { file: PNG }, last: { file: PNG } });
	const context = virtualContext({
		kind: 'video',
		network: n8n.network,
		credential: n8n.credential,
		items: fake.getInputData(),
		parameters: { ...PARAMETERS, prompt: 'it moves', waitForCompletion: false },
		evaluated: { imageUrls: imageUrls as string },
		node: NODE,
		memory: {},
		executionId: '1',
		mode: 'trigger',
		hints: [],
		messages: [],
	});
	Object.assign(context.helpers, { ...fake.helpers, ...context.helpers });
	await n8n.clock.run(runNode('video', context, n8n.machine));
	const sent = n8n.state.journal.ofKind('create');
	expect(sent).toHaveLength(1);
	return (sent[0]!.body as { imageUrls: string[] }).imageUrls;
}

test.each<[string, unknown, string[]]>([
	['two files', ['first', 'last'], ['first', 'last']],
	['two files, the other way round', ['last', 'first'], ['last', 'first']],
	['two files by a text', 'first, last', ['first', 'last']],
	['a URL and a file', [URL, 'first'], [URL, 'first']],
	['a file and a URL', ['last', URL], ['last', URL]],
])('of %s, the service has the address of each, in order', async (_, given, expected) => {
	const sent = await sentFor(given);
	expect(sent.map((address) => ADDRESS.exec(address)?.[1] ?? address)).toEqual(expected);
});

test('an address lives for a day at least, although nobody waits for the job', async () => {
	const sent = await sentFor(['first', 'last']);
	expect(sent).toHaveLength(2);
	for (const address of sent) {
		expect(Number(ADDRESS.exec(address)?.[2])).toBeGreaterThanOrEqual(24 * 60 * 60);
	}
});
