import { useEditor } from '../support/useEditor.mts';

/**
 * The examples fix no address of a form or chat. What n8n's editor imports has one all the same, and
 * another one each time.
 */

const { editor } = useEditor();

test.each([
	['variationsAndChoice', 5],
	['agentAsksFirst', 3],
])('%s has addresses of its own at each import', async (name, count) => {
	const addresses = async () => {
		const { nodes } = await editor.importFile(`examples/${name}.json`);
		return nodes.flatMap(({ webhookId }) => webhookId ?? []);
	};
	const all = [...(await addresses()), ...(await addresses())];
	expect(all).toHaveLength(2 * count);
	expect(new Set(all).size).toBe(all.length);
});

test('the form of an imported example is found where n8n says', async () => {
	const workflow = await editor.importFile('examples/photoToVideo.json');
	const [trigger] = workflow.nodes.filter(({ type }) => type === 'n8n-nodes-base.formTrigger');
	await editor.client.activate(workflow);
	const form = await fetch(`${editor.url}/form/${trigger?.webhookId}`);
	expect(await form.text()).toContain('A photo comes to life');
});
