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
	const price = (amounts: string) => `This job costs ${amounts} with Publish in Prompt Directory.`;
	const fast = price('130 credits, 120');
	expect(await noticesWith(panel, '130 credits')).toEqual([PUBLIC, fast]);
	await panel.choose('Model', 'Quality (modelA)');
	const quality = price('300 credits, 290');
	expect(await noticesWith(panel, '300 credits')).toEqual([PUBLIC, quality]);
	await panel.toggle('Publish in Prompt Directory');
	await editor.page.getByText(PUBLIC).waitFor({ state: 'detached' });
	expect(await panel.notices()).toEqual([quality]);
	await panel.close();
	await editor.page.getByText('Generate a video · 300 credits').waitFor();
});

test('an expression: the range', async () => {
	const panel = await open({ resource: 'vidA31', operation: 'generate' });
	expect(await noticesWith(panel, '100 credits')).toEqual([
		'This job costs 100 credits, 300 with Enable Fallback.',
	]);
	await panel.setExpression('Model', '{{ $json.model }}');
	expect(await noticesWith(panel, '100 to 450')).toEqual([
		'This job costs 100 to 450 credits, depending on Model.',
	]);
	await panel.close();
	await editor.page.getByText('Generate a video · 100–450 credits').waitFor();
});

test('as its form starts, a node has its price on the canvas', async () => {
	const panel = await open({ resource: 'vidB30', operation: 'generate' });
	await panel.close();
	await editor.page.getByText('Generate a video · 135 credits').waitFor();
});
