import { useEditor } from '../support/useEditor.mts';

/** *Job ID* in the panel: picked from the history, or typed. */

const { editor, n8n } = useEditor();

const LABEL = 'Job ID';

/** A node that reads a job, and the jobs of these prompts. */
async function open(prompts: string[], jobId?: unknown, type = 'mediaGenImage') {
	n8n.sandbox.settings.jobMs = { min: 0, max: 0 };
	if (prompts.length > 0) {
		const { execution } = await n8n.run({
			items: prompts.map((prompt) => ({ prompt })),
			parameters: { resource: 'image', operation: 'generate', prompt: '={{ $json.prompt }}' },
		});
		expect(execution.status).toBe('success');
	}
	const { id, name } = n8n.credential;
	await editor.openNodes([
		{
			name: 'Read',
			type: `n8n-nodes-mediagen.${type}`,
			typeVersion: 1,
			parameters: { resource: 'job', operation: 'get', ...(jobId !== undefined && { jobId }) },
			credentials: { mediaGenApi: { id, name } },
		},
	]);
	return await editor.openPanel('Read');
}

test('a job is picked from the list, and read', async () => {
	const panel = await open(['a red fox', 'a blue whale', 'a green frog']);
	const locator = panel.locator(LABEL);
	await locator.fix();
	await locator.chooseMode('From list');
	const names = await locator.open();
	expect(names).toHaveLength(3);
	expect(names.join('\n')).toMatch(/a blue whale · \d{4}-\d\d-\d\d \d\d:\d\d · completed/);
	expect(await locator.search('WHALE')).toEqual([names.find((name) => name.includes('whale'))]);
	await locator.pick('a blue whale');
	expect(await panel.value(LABEL)).toContain('a blue whale');
	await editor.executeStep();
	const asked = n8n.sandbox.journal.ofKind('status').at(-1);
	const whale = n8n.sandbox.jobs.find(({ body }) => body.prompt === 'a blue whale');
	expect(asked?.path).toContain(whale?.id);
	await locator.chooseMode('By ID');
	expect(await panel.value(LABEL)).toBe(whale?.id);
	await panel.close();
});

test('a list that cannot be read says why', async () => {
	const panel = await open([]);
	n8n.sandbox.faults.add({
		match: { kind: 'list' },
		fault: { kind: 'status', status: 402 },
	});
	const locator = panel.locator(LABEL);
	await locator.fix();
	await locator.chooseMode('From list');
	expect(await locator.error()).toContain('credits');
	await panel.close();
});

test('a plain text of an older workflow stands in the field, as does an expression', async () => {
	const panel = await open([], 'job-1');
	expect(await panel.value(LABEL)).toBe('job-1');
	await panel.close();
	const other = await open([], '={{ $json.jobId }}');
	expect(await other.value(LABEL)).toContain('$json.jobId');
	await other.close();
});

test('a new node takes the job of the item; as a tool, the model can name it', async () => {
	const panel = await open([]);
	expect(await panel.value(LABEL)).toContain('$json.jobId ?? $json.id');
	await panel.close();
	const tool = await open([], { __rl: true, mode: 'id', value: '' }, 'mediaGenImageTool');
	const field = tool.field(LABEL);
	await field.hover();
	expect(await field.locator('[data-test-id="from-ai-override-button"]').count()).toBe(1);
	await tool.close();
});
