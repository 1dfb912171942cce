import axios from 'axios';

import { jobOf } from '../support/imageBatch.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/** The image node in a real n8n server. */

const n8n = useSharedN8n({ sandbox: { jobMs: { min: 0, max: 0 } } });

jest.setTimeout(60_000);

const generate = {
	resource: 'image',
	operation: 'generate',
	prompt: '={{ $json.prompt }}',
	size: '1:1',
};

test('the next node receives the media URL, paired with the item it came from', async () => {
	n8n.sandbox.settings.jobMs = { min: 200, max: 1500 };
	const prompts = ['a lighthouse', 'a harbour', 'an island'];
	const { execution, outputs, after } = await n8n.run({
		items: prompts.map((prompt) => ({ prompt })),
		parameters: generate,
		after: {
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: {
				mode: 'raw',
				jsonOutput:
					'={{ { "prompt": $("Items").item.json.prompt, "url": $json.mediaUrl, "jobId": $json.jobId } }}',
			},
		},
	});
	expect(execution.status).toBe('success');
	expect(outputs[0]?.[0]?.json).toMatchObject({
		...{ status: 'completed', mediaType: 'image', creditsUsed: 8 },
	});
	expect(after.map(({ json }) => [json.prompt, json.jobId])).toEqual(
		prompts.map((prompt) => [prompt, jobOf(n8n.sandbox, prompt)?.id]),
	);
	const image = await axios.get(after[0]?.json.url, { responseType: 'arraybuffer' });
	expect(Buffer.from(image.data).subarray(1, 4).toString()).toBe('PNG');
});

test('the unified endpoint, whose answer is not shown', async () => {
	n8n.sandbox.settings.shapes.creation.enveloped = false;
	n8n.sandbox.settings.shapes.record.resultUrl = 'images[].url';
	const { outputs } = await n8n.run({
		parameters: {
			...{ resource: 'image', operation: 'generateUnified' },
			...{ prompt: 'a lighthouse', aspectRatio: '1:1' },
		},
	});
	expect(outputs[0]?.[0]?.json).toMatchObject({
		status: 'completed',
		mediaUrl: expect.stringContaining('.png'),
	});
});

test('a job that nobody waits for is read, waited for and listed; the models are listed', async () => {
	const started = await n8n.run({
		parameters: { ...generate, prompt: 'a', waitForCompletion: false },
	});
	const { jobId, status } = started.outputs[0]?.[0]?.json;
	expect(status).toBe('processing');
	const reads = [
		{ resource: 'job', operation: 'get', jobId },
		{ resource: 'job', operation: 'wait', jobId },
		{ resource: 'job', operation: 'history', returnAll: true },
		{ resource: 'model', operation: 'list' },
	];
	const ran = await n8n.runBranches(
		reads.map((parameters) => ({ parameters })),
		reads.length,
	);
	const [got, waited, history, models] = ran.map(({ outputs }) =>
		outputs[0]?.map(({ json }) => json),
	);
	for (const items of [got, waited]) expect(items).toMatchObject([{ jobId, status: 'completed' }]);
	expect(history?.map(({ id }) => id)).toEqual([jobId]);
	expect(models?.length).toBeGreaterThan(0);
});
