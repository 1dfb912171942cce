import { useEditor } from '../support/useEditor.mts';

/** The price before the click: in the panel, live as fields change. */

const { editor } = useEditor();

const open = async (parameters: object) => {
	await editor.openNodes([
		{ name: 'Video', type: 'n8n-nodes-mediagen.mediaGenVideo', typeVersion: 1, parameters },
	]);
	return await editor.openPanel('Video');
};

/** The notices, once the panel has followed the last change. */
async function noticesWith(panel: Awaited<ReturnType<typeof open>>, text: string) {
	await editor.page.getByText(`This job costs ${text}`).first().waitFor();
	return await panel.notices();
}

test('standard video: by model and publication', async () => {
	const panel = await open({ resource: 'standardVideo', operation: 'generate' });
	expect(await noticesWith(panel, '130 credits')).toEqual(['This job costs 130 credits.']);
	await panel.choose('Model', 'Quality (modelA)');
	expect(await noticesWith(panel, '300 credits')).toEqual(['This job costs 300 credits.']);
	await panel.toggle('Publish in Prompt Directory');
	expect(await noticesWith(panel, '290 credits')).toEqual(['This job costs 290 credits.']);
	await panel.close();
	expect(await editor.subtitle('Video')).toBe('generate: standardVideo');
});

test('an expression: the range', async () => {
	const panel = await open({ resource: 'vidA31', operation: 'generate' });
	expect(await noticesWith(panel, '100 credits')).toEqual(['This job costs 100 credits.']);
	await panel.setExpression('Model', '{{ $json.model }}');
	expect(await noticesWith(panel, '100 to 450')).toEqual([
		'This job costs 100 to 450 credits, depending on Model.',
	]);
	await panel.close();
});

test('by the second: that of the length that is typed', async () => {
	const panel = await open({ resource: 'vidB30', operation: 'generate' });
	await panel.fill('Duration (Seconds)', '7');
	expect(await noticesWith(panel, '189 credits')).toEqual(['This job costs 189 credits.']);
	await panel.toggle('Sound');
	expect(await noticesWith(panel, '280 credits')).toEqual(['This job costs 280 credits.']);
	await panel.toggle('Publish in Prompt Directory');
	expect(await noticesWith(panel, 'at most 280 credits')).toHaveLength(1);
	await panel.setExpression('Duration (Seconds)', '{{ $json.seconds }}');
	expect(await noticesWith(panel, '60 to 600 credits, depending on Duration.')).toHaveLength(1);
	await panel.close();
});

test('none while Estimate Only is on', async () => {
	const panel = await open({ resource: 'standardVideo', operation: 'generate' });
	expect(await noticesWith(panel, '130 credits')).toHaveLength(1);
	await panel.add('Options', 'Estimate Only');
	await editor.page.getByText('This job costs').waitFor({ state: 'detached' });
	expect(await panel.notices()).toEqual([]);
	await panel.toggle('Estimate Only');
	await editor.page.getByText('This job costs').waitFor();
	await panel.close();
});
