import { randomUUID } from 'node:crypto';
import type { NodeExecutionHint } from 'n8n-workflow';

import type { Execution } from '../../tools/lib/n8nClient.mts';
import { parameters } from '../support/imageBatch.mts';
import { useFastN8n } from '../support/useRealN8n.mts';

/** A node that is told to wait durably, where something waits for its workflow. */

const n8n = useFastN8n({
	sandbox: { jobMs: { min: 5_000, max: 20_000 }, queuedMs: 0 },
});

jest.setTimeout(120_000);

const media = (prompt: string) => ({
	name: 'MediaGen',
	type: 'n8n-nodes-mediagen.mediaGenImage',
	typeVersion: 1,
	parameters: { ...parameters, prompt, options: { waitMode: 'durable' } },
	credentials: { mediaGenApi: n8n.credential },
});

const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });

const hintsOf = ({ runData }: Execution) =>
	((runData.MediaGen?.[0]?.hints ?? []) as NodeExecutionHint[])
		.filter(({ type }) => type === 'warning')
		.map(({ message }) => message);

const paidFor = () => n8n.sandbox.jobs.map(({ body }) => body.prompt);

describe('a webhook that answers', () => {
	const RESPOND = {
		name: 'Respond',
		type: 'n8n-nodes-base.respondToWebhook',
		typeVersion: 1.4,
		parameters: { respondWith: 'firstIncomingItem', options: {} },
	};

	async function call(responseMode: string) {
		const path = randomUUID();
		const isByNode = responseMode === 'responseNode';
		const workflow = await n8n.client.createWorkflow({
			name: path,
			nodes: [
				{
					name: 'Webhook',
					type: 'n8n-nodes-base.webhook',
					typeVersion: 2,
					parameters: { path, httpMethod: 'POST', responseMode },
				},
				media('={{ $json.body.prompt }}'),
				...(isByNode ? [RESPOND] : []),
			],
			connections: { Webhook: to('MediaGen'), ...(isByNode && { MediaGen: to('Respond') }) },
		});
		await n8n.client.activate(workflow);
		const { data } = await n8n.client.callWebhook(path, { prompt: 'a cat.' });
		return { data, hints: hintsOf(await n8n.client.waitForWorkflow(workflow)) };
	}

	afterEach(() => {
		expect(paidFor()).toEqual(['a cat.']);
	});

	test('with the last node has to wait in process: n8n would answer when it parks', async () => {
		const { data, hints } = await call('lastNode');
		expect(data).toMatchObject({ status: 'completed', jobId: n8n.sandbox.jobs[0]?.id });
		expect(hints).toEqual([
			'Waited in process, not durably: The trigger of the workflow answers when that has ended.',
		]);
	});

	test('with a node of its own gets the results of a run that was parked', async () => {
		const { data, hints } = await call('responseNode');
		expect(data).toMatchObject({ status: 'completed', jobId: n8n.sandbox.jobs[0]?.id });
		expect(hints).toEqual([]);
	});
});
