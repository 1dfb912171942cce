import { useEditor } from '../support/useEditor.mts';

/** The price before the click: in the panel, live as fields change, and below the node's name. */

const { editor } = useEditor();

const PUBLIC = "Your prompt and video become public in the service's directory.";

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
	const unpublished = (credits: number) =>
		`This job costs ${credits} credits. Publishing it would save 10.`;
	expect(await noticesWith(panel, '130 credits')).toEqual([unpublished(130)]);
	await panel.choose('Model', 'Quality (modelA)');
	expect(await noticesWith(panel, '300 credits')).toEqual([unpublished(300)]);
	await panel.toggle('Publish in Prompt Directory');
	await editor.page.getByText(PUBLIC).waitFor();
	expect(await noticesWith(panel, '290 credits')).toEqual([PUBLIC, 'This job costs 290 credits.']);
	await panel.close();
	await editor.page.getByText('Standard Video · 290 credits').waitFor();
});

test('an expression: the range', async () => {
	const panel = await open({ resource: 'vidA31', operation: 'generate' });
	expect(await noticesWith(panel, '100 credits')).toEqual(['This job costs 100 credits.']);
	await panel.setExpression('Model', '{{ $json.model }}');
	expect(await noticesWith(panel, '100 to 450')).toEqual([
		'This job costs 100 to 450 credits, depending on Model.',
	]);
	await panel.close();
	await editor.page.getByText('Family A · 100–450 credits').waitFor();
});

test('as its form starts, a node has its price on the canvas', async () => {
	const panel = await open({ resource: 'vidB30', operation: 'generate' });
	await panel.close();
	await editor.page.getByText('Family B 3.0 · 135 credits').waitFor();
});

test('by the second: that of the length that is typed', async () => {
	const panel = await open({ resource: 'vidB30', operation: 'generate' });
	await panel.fill('Duration (Seconds)', '7');
	expect(await noticesWith(panel, '189 credits')).toEqual(['This job costs 189 credits.']);
	await panel.toggle('Sound');
	expect(await noticesWith(panel, '280 credits')).toEqual(['This job costs 280 credits.']);
	await panel.toggle('Publish in Prompt Directory');
	await editor.page.getByText('It may cost less.').waitFor();
	expect(await panel.notices()).toContain('This job costs 280 credits.');
	await panel.setExpression('Duration (Seconds)', '{{ $json.seconds }}');
	await editor.page.getByText('This job costs 40 credits a second.').waitFor();
	await panel.close();
});

test('none while Estimate Only is on', async () => {
	const panel = await open({ resource: 'standardVideo', operation: 'generate' });
	expect(await noticesWith(panel, '130 credits')).toHaveLength(1);
	await panel.add('Options', 'Estimate Only');
	expect((await panel.notices()).join()).toContain('This job costs');
	await panel.toggle('Estimate Only');
	await editor.page.getByText('This job costs').waitFor({ state: 'detached' });
	expect(await panel.notices()).toEqual([]);
	await panel.close();
	await editor.page.getByText('Standard Video · estimate only').waitFor();
});
