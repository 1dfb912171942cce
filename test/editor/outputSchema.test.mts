import { useEditor } from '../support/useEditor.mts';

/** What a node gives out can be mapped before it has run, and so before anything is paid for. */

const { editor, n8n } = useEditor();

const input = () => editor.page.locator('[data-test-id="ndv-input-panel"]');

/** What the panel of the next node lists of one that has never run. */
async function listed(kind: string, parameters: object): Promise<string[]> {
	await editor.openNodes(
		[
			{ name: 'Make', type: `n8n-nodes-mediagen.mediaGen${kind}`, typeVersion: 1, parameters },
			{ name: 'Next', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: {} },
		],
		{
			Start: { main: [[{ node: 'Make', type: 'main', index: 0 }]] },
			Make: { main: [[{ node: 'Next', type: 'main', index: 0 }]] },
		},
	);
	const panel = await editor.openPanel('Next');
	await input().getByText('Usually outputs the following fields.').waitFor();
	const names = await input().locator('[data-test-id="run-data-schema-node-name"]').allInnerTexts();
	await panel.close();
	return names;
}

const JOB = ['mediaUrl', 'status', 'jobId', 'mediaType', 'creditsUsed', 'prompt'];

test.each([
	['Image', { resource: 'image', operation: 'generate', prompt: 'A kite' }, JOB],
	['Video', { resource: 'vidE26', operation: 'textToVideo', prompt: 'A kite' }, JOB],
	['Music', { resource: 'song', operation: 'generate', prompt: 'A song' }, JOB],
	[
		'Music',
		{ resource: 'job', operation: 'get', jobId: '1' },
		['mediaUrl', 'status', 'jobId', 'takes'],
	],
])('%s %j: its fields are listed before the first run', async (kind, parameters, first) => {
	const names = await listed(kind, parameters);
	expect(names).toEqual(expect.arrayContaining(first));
	expect(n8n.sandbox.jobs).toEqual([]);
});

test('a field that is dragged is an expression of the next node', async () => {
	await listed('Image', { resource: 'image', operation: 'generate', prompt: 'A kite' });
	const panel = await editor.openPanel('Next');
	await input()
		.getByText('mediaUrl', { exact: true })
		.dragTo(editor.page.locator('[data-test-id="drop-area"]'));
	const field = editor.page.locator('[data-test-id="assignment"]').first();
	await field.waitFor();
	expect(await field.innerText()).toContain('$json.mediaUrl');
	await panel.close();
});
