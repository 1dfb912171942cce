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
	await editor.page.getByText(text).first().waitFor();
	return await panel.notices();
}

const SAVES = '; 10 less with Publish in Prompt Directory.';

test('standard video: by model and ratio, and what publishing saves', async () => {
	const panel = await open({ resource: 'standardVideo', operation: 'generate' });
	const fast = `Fast (modelA_fast), 16:9 (Landscape): 130 credits${SAVES}`;
	expect(await noticesWith(panel, '130 credits')).toEqual([fast]);
	await panel.choose('Model', 'Quality (modelA)');
	const fine = `Quality (modelA): 300 credits${SAVES}`;
	expect(await noticesWith(panel, '300 credits')).toEqual([fine]);
	await panel.close();
	expect(await editor.subtitle('Video')).toBe('generate: standardVideo');
});

test('an expression: the range', async () => {
	const panel = await open({ resource: 'vidA31', operation: 'generate' });
	expect(await noticesWith(panel, '100 credits')).toEqual([
		'Fast (modelA_fast): 100 credits; 200 more with Enable Fallback.',
	]);
	await panel.setExpression('Model', '{{ $json.model }}');
	expect(await noticesWith(panel, '100 to 450')).toEqual([
		'This job costs 100 to 450 credits, depending on Model.',
	]);
	await panel.close();
});
