import { useEditor } from '../support/useEditor.mts';

/** *Job > Recover From Execution* in the panel: the execution is picked, and one click brings its results. */

const { editor, n8n } = useEditor();

const LABEL = 'Execution ID';

/** A workflow that makes images in one node, and recovers them in another that nothing leads to. */
async function open(prompts: string[], executionId?: unknown) {
	n8n.sandbox.settings.jobMs = { min: 100, max: 100 };
	const { id, name } = n8n.credential;
	const node = (own: string, parameters: object) => ({
		name: own,
		type: 'n8n-nodes-mediagen.mediaGenImage',
		typeVersion: 1,
		position: [own === 'Make' ? 250 : 500, own === 'Make' ? 0 : 300] as [number, number],
		parameters,
		credentials: { mediaGenApi: { id, name } },
	});
	const lines = prompts.map((prompt) => ({ prompt }));
	const nodes = [
		{
			name: 'Prompts',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ lines }) },
		},
		{
			name: 'Lines',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'lines', options: {} },
		},
		node('Make', {
			...{ resource: 'image', operation: 'generate', size: '1:1' },
			prompt: '={{ $json.prompt }}',
		}),
		node('Recover', {
			...{ resource: 'job', operation: 'recover' },
			...(executionId !== undefined && { executionId }),
		}),
	];
	const to = (next: string) => ({ main: [[{ node: next, type: 'main', index: 0 }]] });
	const connections = { Start: to('Prompts'), Prompts: to('Lines'), Lines: to('Make') };
	return await editor.openNodes(nodes, connections);
}

const PROMPTS = ['a red fox', 'a blue whale [fail]', 'a green frog'];

test('one that has failed is picked, and its results are there after one click', async () => {
	const workflow = await open(PROMPTS);
	const executionId = await n8n.client.runManually(workflow, 'Start');
	const { status } = await n8n.client.waitForExecution(executionId);
	expect(status).toBe('error');
	const panel = await editor.openPanel('Recover');
	const locator = panel.locator(LABEL);
	const names = await locator.open();
	expect(names).toHaveLength(1);
	expect(names[0]).toMatch(
		new RegExp(
			`^${executionId} · failed · 3 jobs · \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d \\(.+\\) · Make$`,
		),
	);
	await locator.pick(executionId);
	const paid = n8n.sandbox.account.charges.length;
	await editor.executeStep();
	const hint = editor.page.getByText(
		`Execution ${executionId}: 2 jobs paid and here, 1 failed (row 2).`,
	);
	await hint.waitFor();
	expect(n8n.sandbox.account.charges).toHaveLength(paid);
	await panel.close();
});

test('a workflow that has none of its own says so, and what to do', async () => {
	const other = await open(PROMPTS);
	await n8n.client.waitForExecution(await n8n.client.runManually(other, 'Start'));
	await open(PROMPTS);
	const panel = await editor.openPanel('Recover');
	const locator = panel.locator(LABEL);
	const text = await locator.error();
	expect(text).toContain(
		'This n8n has seen no execution of this workflow with paid jobs since it started',
	);
	await locator.chooseMode('By ID');
	await panel.close();
});

test('a plain text of an older workflow stands in the field, as does an expression', async () => {
	await open([], '231');
	const panel = await editor.openPanel('Recover');
	expect(await panel.value(LABEL)).toBe('231');
	await panel.close();
	await open([], '={{ $json.executionId }}');
	const other = await editor.openPanel('Recover');
	expect(await other.value(LABEL)).toContain('$json.executionId');
	await other.close();
});
