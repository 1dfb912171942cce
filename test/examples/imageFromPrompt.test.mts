import { outputsOf } from '../../tools/lib/n8nClient.mts';
import { useExamples } from '../support/useExamples.mts';

const { n8n, runExample } = useExamples();

jest.setTimeout(60_000);

test('imageFromPrompt: the prompt becomes an image', async () => {
	const execution = await runExample('imageFromPrompt.json', 'Start');
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	const [job] = n8n.sandbox.jobs;
	expect(outputsOf(execution, 'MediaGen Image')[0]).toEqual([
		expect.objectContaining({
			json: expect.objectContaining({
				mediaUrl: `${n8n.sandbox.url}/media/${job?.id}.png`,
				creditsUsed: 8,
			}),
		}),
	]);
});
