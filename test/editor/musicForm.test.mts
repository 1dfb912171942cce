import { useEditor } from '../support/useEditor.mts';

/** The form of the music node: what it starts with, and what it says of what is filled in. */

const { editor } = useEditor();

const open = async (parameters: object) => {
	await editor.openNodes([
		{ name: 'Song', type: 'n8n-nodes-mediagen.mediaGenMusic', typeVersion: 1, parameters },
	]);
	return await editor.openPanel('Song');
};

test('a place in a track starts empty, and stays so until a person says where', async () => {
	const panel = await open({ resource: 'song', operation: 'extend' });
	const label = 'Continue At (Seconds)';
	expect(await panel.labels()).toContain(label);
	expect(await panel.value(label)).toBe('');
	await panel.fill(label, '12.5');
	await panel.close();
	expect(await (await editor.openPanel('Song')).value(label)).toBe('12.5');
});

test('a length that the model does not support is not asked for', async () => {
	const panel = await open({ resource: 'song', operation: 'generate' });
	const label = 'Duration (Seconds)';
	await panel.add('Additional Fields', label);
	expect(await panel.labels()).toContain(label);
	await panel.choose('Model', 'V4');
	await editor.page.getByText(label).waitFor({ state: 'detached' });
	await panel.close();
});
