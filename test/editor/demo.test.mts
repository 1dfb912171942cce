import { firstPanel, importExamples } from '../../tools/lib/demo.mts';
import { useEditor } from '../support/useEditor.mts';

/** What a person does in the editor that npm run demo opens: a picture of their own prompt. */

const { editor, n8n } = useEditor();

const PROMPT = 'A red fox in the snow';

/** How often a button of the mouse goes down in the page; a double click counts twice. */
async function countClicks(): Promise<() => Promise<number>> {
	await editor.page.evaluate(() => {
		const window = globalThis as unknown as { clicks: number } & EventTarget;
		window.clicks = 0;
		window.addEventListener('mousedown', () => window.clicks++, { capture: true });
	});
	return async () =>
		await editor.page.evaluate(() => (globalThis as unknown as { clicks: number }).clicks);
}

test('a picture of your own prompt is four clicks away at most', async () => {
	const workflow = await importExamples(n8n.client, n8n.credential);
	const panel = await editor.loadPanelAt(firstPanel(workflow));
	const clicks = await countClicks();
	await panel.typeInto('Prompt', PROMPT);
	await editor.executeStep();
	const picture = await editor.viewFile();
	expect(await clicks()).toBeLessThanOrEqual(4);
	expect(picture).toEqual({ width: 480, height: 480 });
	expect(n8n.sandbox.jobs.map(({ body }) => body.prompt)).toEqual([PROMPT]);
	await panel.close();
});
