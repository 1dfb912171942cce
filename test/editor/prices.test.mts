import { useEditor } from '../support/useEditor.mts';

/** The price before the click: in the panel, live as fields change, and below the node's name. */

const { editor } = useEditor();

const PUBLIC =
	"Your prompt and video become public in the service's directory. 10 credits cheaper.";

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
	expect(await noticesWith(panel, '120 credits')).toEqual([PUBLIC, 'This job costs 120 credits.']);
	await panel.choose('Model', 'Quality (modelA)');
	expect(await noticesWith(panel, '290 credits')).toEqual([PUBLIC, 'This job costs 290 credits.']);
	await panel.toggle('Publish in Prompt Directory');
	expect(await noticesWith(panel, '300 credits')).toEqual(['This job costs 300 credits.']);
	await panel.close();
	await editor.page.getByText('Generate a video · 300 credits').waitFor();
});

test('an expression: the range', async () => {
	const panel = await open({ resource: 'vidA31', operation: 'generate' });
	expect(await noticesWith(panel, '100 credits')).toEqual(['This job costs 100 credits.']);
	await panel.setExpression('Model', '{{ $json.model }}');
	expect(await noticesWith(panel, '100 to 450')).toEqual([
		'This job costs 100 to 450 credits, depending on the expression in Model.',
	]);
	await panel.close();
	await editor.page.getByText('Generate a video · 100–450 credits').waitFor();
});

test('as its form starts, a node has its price on the canvas', async () => {
	const panel = await open({ resource: 'vidB30', operation: 'generate' });
	await panel.close();
	await editor.page.getByText('Generate a video · 135 credits').waitFor();
});
