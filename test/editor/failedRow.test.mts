import { connectionsOf, type Edge } from '../../tools/lib/workflowNodes.mts';
import { nodesOf, parameters } from '../support/imageBatch.mts';
import { useEditor } from '../support/useEditor.mts';

/** What a person reads of a row that has failed: which one, as the table counts it, and the way back. */

const { editor, n8n } = useEditor();

const PROMPTS = ['a red fox', 'a blue whale [fail]', 'a green frog'];

/** A workflow with three rows, whose second fails. */
async function open() {
	const make = {
		...{ name: 'Make', type: 'n8n-nodes-mediagen.mediaGenImage', typeVersion: 1, parameters },
		credentials: { mediaGenApi: n8n.credential },
	};
	const nodes = [...nodesOf(PROMPTS.map((prompt) => ({ prompt }))), make];
	const edges: Edge[] = [
		['Start', 'Items'],
		['Items', 'Split'],
		['Split', 'Make'],
	];
	await editor.openNodes(nodes, connectionsOf(edges));
}

test('the row, the charge, the way back and a link; the other rows in the details', async () => {
	n8n.sandbox.settings.jobMs = { min: 100, max: 100 };
	await open();
	const panel = await editor.openPanel('Make');
	await editor.page.click('[data-test-id="node-execute-button"]');
	const message = editor.page.locator('[data-test-id="node-error-message"]');
	await message.waitFor();
	expect(await message.innerText()).toMatch(
		/^1 of 3 failed: row 2, "a blue whale \[fail\]": Job \S+ failed/,
	);
	expect(await message.innerText()).not.toContain('[item');
	const description = editor.page.locator('[data-test-id="node-error-description"]');
	const text = await description.innerText();
	expect(text).toContain('The job was charged when it was created; another one costs again.');
	expect(text).toContain('The others: 2 finished.');
	expect(text).toMatch(
		/correct the rows, add Options > Continue Execution with \d+ to each MediaGen node/,
	);
	expect(await description.locator('a').getAttribute('href')).toContain('docs/troubleshooting.md');
	const details = editor.page.locator('.node-error-view__details');
	await details.first().click();
	expect(await details.first().innerText()).toMatch(/Row 1, "a red fox": job \S+ completed http/);
	expect(await details.first().innerText()).toContain('Row 3, ');

	// The way back: the prompt is corrected, the number entered, and the step executed once more.
	const [, number = ''] = /Continue Execution with (\d+)/.exec(text) ?? [];
	await panel.setExpression('Prompt', "{{ $json.prompt.replace(' [fail]', '') }}");
	await panel.add('Options', 'Continue Execution');
	await panel.fill('Continue Execution', number);
	await editor.executeStep();
	const said = await editor.page
		.locator('.ndv-wrapper, [data-test-id="output-panel"]')
		.last()
		.innerText();
	expect(said).toContain(`Continued execution ${number}: took rows 1 and 3, started row 2.`);
	const paid = n8n.sandbox.jobs.map(({ body }) => body.prompt).sort();
	expect(paid).toEqual(['a blue whale', 'a blue whale [fail]', 'a green frog', 'a red fox']);
	await panel.close();
});
