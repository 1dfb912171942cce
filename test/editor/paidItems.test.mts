import { useEditor } from '../support/useEditor.mts';

/** Before a run: that each item is paid for, and nothing limits what they cost together. */

const { editor } = useEditor();

const HINT =
	'Each input item is a paid job, and nothing limits what this run may cost. To set a limit, add Options > Max Credits per Run.';

const IMAGE = { resource: 'image', operation: 'generate', prompt: 'A lighthouse' };

/** Opens a node behind one that has given out some of the customers that n8n brings for tries. */
async function openBehind(limit: number, kind: string, parameters: object) {
	const nodes = [
		{
			name: 'Customers',
			type: 'n8n-nodes-base.n8nTrainingCustomerDatastore',
			typeVersion: 1,
			parameters: { operation: 'getAllPeople', returnAll: false, limit },
		},
		{ name: 'Make', type: `n8n-nodes-mediagen.mediaGen${kind}`, typeVersion: 1, parameters },
	];
	await editor.openNodes(nodes, {
		Start: { main: [[{ node: 'Customers', type: 'main', index: 0 }]] },
		Customers: { main: [[{ node: 'Make', type: 'main', index: 0 }]] },
	});
	const customers = await editor.openPanel('Customers');
	await editor.executeStep();
	await customers.close();
	return await editor.openPanel('Make');
}

const hints = async () => {
	const output = editor.page.locator('[data-test-id="output-panel"]');
	await output.waitFor();
	const texts = await output.locator('[data-test-id="node-hint"]').allInnerTexts();
	return texts.map((text) => text.trim());
};

const appeared = async () => await editor.page.getByText(HINT).waitFor();

test('several items and no limit: it says so, until there is one', async () => {
	const panel = await openBehind(3, 'Image', IMAGE);
	await appeared();
	expect(await hints()).toEqual([HINT]);
	await panel.add('Options', 'Max Credits per Run');
	await editor.page.getByText(HINT).waitFor({ state: 'detached' });
	await panel.close();
});

test.each([
	['one item', 1, 'Image', IMAGE],
	['an estimate', 3, 'Image', { ...IMAGE, options: { estimateOnly: true } }],
	['jobs that are free', 3, 'Music', { resource: 'track', operation: 'midi' }],
	['what makes no jobs', 3, 'Video', { resource: 'job', operation: 'get' }],
])('%s: nothing is said', async (_, items, kind, parameters) => {
	const panel = await openBehind(items, kind, parameters);
	expect(await hints()).toEqual([]);
	await panel.close();
});
