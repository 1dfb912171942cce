import { useEditor } from '../support/useEditor.mts';

/** The nodes as tools of an agent: the ✨ button lets its model fill in a field. */

const { editor } = useEditor();

const open = async (type: string, parameters: object) => {
	const name = 'MediaGen';
	await editor.openNodes([
		{ name, type: `n8n-nodes-mediagen.${type}`, typeVersion: 1, parameters },
	]);
	return await editor.openPanel(name);
};

/** Of the labels those whose field has the button. */
async function withButton(panel: Awaited<ReturnType<typeof open>>, labels: string[]) {
	const found = [];
	for (const label of labels) {
		const field = panel.field(label);
		await field.hover();
		const button = field.locator('[data-test-id="from-ai-override-button"]');
		if ((await button.count()) > 0) found.push(label);
	}
	return found;
}

const image = { resource: 'image', operation: 'generate' };

test('MediaGen Image: on the prompt; the size is a dropdown', async () => {
	const panel = await open('mediaGenImageTool', image);
	const labels = ['Resource', 'Operation', 'Prompt', 'Size'];
	expect(await withButton(panel, labels)).toEqual(['Prompt']);
	await panel.close();
});

test('on its own, MediaGen Image has a dropdown, no such button, and no description', async () => {
	const panel = await open('mediaGenImage', image);
	expect(await withButton(panel, ['Prompt', 'Size'])).toEqual([]);
	expect(await panel.choices('Size')).toEqual([
		'1:1 (Square)',
		'3:2 (Landscape)',
		'2:3 (Portrait)',
	]);
	const labels = await panel.labels();
	expect(labels.filter((label) => label.startsWith('Description'))).toEqual([]);
	await panel.close();
});
