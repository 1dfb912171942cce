import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import axios from 'axios';

import { jobOf } from '../support/jobOf.mts';
import { isN8nBefore } from '../support/n8nVersion.mts';
import { ranOf } from '../support/realN8n.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/** What a user of the image node sees, in a real n8n server. */

const n8n = useSharedN8n({ sandbox: { jobMs: { min: 0, max: 0 } } });

jest.setTimeout(60_000);

const generate = {
	resource: 'image',
	operation: 'generate',
	prompt: '={{ $json.prompt }}',
	size: '={{ $json.size ?? "1:1" }}',
};
const items = (...prompts: string[]) => prompts.map((prompt) => ({ prompt }));

describe('generate', () => {
	test('the next node receives the media URL, paired with the item it came from', async () => {
		n8n.sandbox.settings.jobMs = { min: 200, max: 1500 };
		const { execution, outputs, after } = await n8n.run({
			items: items('a lighthouse', 'a harbour', 'an island'),
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
			jobId: jobOf(n8n.sandbox, 'a lighthouse')?.id,
			status: 'completed',
			mediaType: 'image',
			creditsUsed: 8,
		});
		expect(after.map(({ json }) => json.prompt)).toEqual([
			'a lighthouse',
			'a harbour',
			'an island',
		]);
		for (const { json } of after) {
			expect(jobOf(n8n.sandbox, json.prompt)?.id).toBe(json.jobId);
		}
		const image = await axios.get(after[0]?.json.url, { responseType: 'arraybuffer' });
		expect(Buffer.from(image.data).subarray(1, 4).toString()).toBe('PNG');
	});

	test('the unified endpoint, whose answer is not shown', async () => {
		n8n.sandbox.settings.shapes.creation.enveloped = false;
		n8n.sandbox.settings.shapes.record.resultUrl = 'images[].url';
		const { outputs } = await n8n.run({
			parameters: {
				resource: 'image',
				operation: 'generateUnified',
				prompt: 'a lighthouse',
				aspectRatio: '1:1',
			},
		});
		expect(outputs[0]?.[0]?.json).toMatchObject({
			status: 'completed',
			mediaUrl: expect.stringContaining('.png'),
			details: { startedWith: 'generation' },
		});
	});
});

describe('jobs and models', () => {
	test('start without waiting, then get, wait and history', async () => {
		const started = await n8n.run({
			items: items('a lighthouse'),
			parameters: { ...generate, waitForCompletion: false },
		});
		const { jobId, status } = started.outputs[0]?.[0]?.json;
		expect(status).toBe('processing');

		const job = { resource: 'job', jobId };
		for (const operation of ['get', 'wait']) {
			const { outputs } = await n8n.run({ parameters: { ...job, operation } });
			expect(outputs[0]?.[0]?.json).toMatchObject({ jobId, status: 'completed' });
		}
		const { outputs } = await n8n.run({
			parameters: { resource: 'job', operation: 'history', returnAll: true },
		});
		expect(outputs[0]?.map(({ json }) => json.id)).toEqual([jobId]);
	});
});

/** Each with a message that a workflow builder can act on. */
describe('what can go wrong', () => {
	test('a wrong key', async () => {
		const credential = await n8n.addCredential({ baseUrl: n8n.sandbox.url, apiKey: 'wrong' });
		const { error } = await n8n.run({ items: items('a'), parameters: generate, credential });
		expect(error?.message).toBe('The API key is missing, invalid or revoked');
		expect(error?.description).toContain('Enter a valid key from the dashboard');
	});

	test('a base URL that does not answer', async () => {
		const credential = await n8n.addCredential({ baseUrl: 'http://127.0.0.1:9', apiKey: 'k' });
		const { error } = await n8n.run({ items: items('a'), parameters: generate, credential });
		expect(error?.message).toBe('The Base URL cannot be reached');
		expect(error?.description).toMatch(/^Check it in the credential.*ECONNREFUSED/);
	});
});

describe('errors as n8n users handle them', () => {
	test('Continue: the item says what is wrong, the others are finished', async () => {
		const { outputs, execution } = await n8n.run({
			items: items('a', 'b [fail]', '', 'd'),
			parameters: generate,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(execution.status).toBe('success');
		expect(outputs[0]?.map(({ json }) => json.status)).toEqual([
			'completed',
			'failed',
			'failed',
			'completed',
		]);
		expect(outputs[0]?.[1]?.json).toMatchObject({
			error: expect.stringContaining('failed'),
			errorMessage: 'The sandbox was asked to fail this generation.',
			jobId: jobOf(n8n.sandbox, 'b [fail]')?.id,
			details: { startedWith: 'generation' },
		});
		expect(outputs[0]?.[2]?.json).toMatchObject({
			error: 'Prompt is empty',
			errorMessage: 'Prompt is empty',
		});
	});

	test('Continue with error output: the failed item leaves by it, with what it came with', async () => {
		const { outputs } = await n8n.run({
			items: items('a', 'b [fail]'),
			parameters: generate,
			settings: { onError: 'continueErrorOutput' },
		});
		expect(outputs[0]?.map(({ json }) => json.status)).toEqual(['completed']);
		expect(outputs[1]?.map(({ json }) => json)).toEqual([
			expect.objectContaining({
				prompt: 'b [fail]',
				error: expect.stringContaining('failed'),
				message: expect.objectContaining({
					jobId: jobOf(n8n.sandbox, 'b [fail]')?.id,
					status: 'failed',
				}),
			}),
		]);
	});

	test('Retry execution pays for nothing that is paid for already', async () => {
		n8n.sandbox.faults.add({
			match: { kind: 'status' },
			fault: { kind: 'status', status: 403 },
		});
		const first = await n8n.run({ items: items('a', 'b', 'c'), parameters: generate });
		expect(first.execution.status).toBe('error');
		const { length } = n8n.sandbox.account.charges;
		n8n.sandbox.faults.clear();

		const id = await n8n.client.retryExecution(first.execution.id);
		const second = ranOf(await n8n.client.waitForExecution(id));
		expect(second.execution.status).toBe('success');
		expect(second.outputs[0]?.map(({ json }) => json.status)).toEqual([
			'completed',
			'completed',
			'completed',
		]);
		expect(length).toBeGreaterThan(0);
		expect(n8n.sandbox.account.charges).toHaveLength(3);
	});
});

describe('the credential', () => {
	test('is tested by reading the credits, which costs nothing', async () => {
		const test = await n8n.client.testCredential(n8n.credential);
		expect(test.status).toBe('OK');
		expect(n8n.sandbox.journal.entries.map(({ path }) => path)).toEqual(['/payments/api/credits/']);
	});

	test.each([
		{
			wrong: 'a wrong key',
			key: 'wrong',
			message: 'The API key is missing, invalid or revoked',
			older: 'Authorization failed - please check your credentials',
		},
		{
			wrong: 'an address that is too long',
			more: '/v2',
			message: 'or else the Base URL of the credential',
			older: 'The resource you are requesting could not be found',
		},
	])('with $wrong is refused, and says why', async ({ more = '', key, message, older }) => {
		const { url, key: ownKey } = n8n.sandbox;
		const wrong = await n8n.addCredential({ baseUrl: `${url}${more}`, apiKey: key ?? ownKey });
		expect(await n8n.client.testCredential(wrong)).toEqual({
			status: 'Error',
			// Older versions have a text of their own for a status.
			message: expect.stringContaining(isN8nBefore('2.35') ? older : message),
		});
	});

	test('with the address of any other site is refused, and says why', async () => {
		const site = createServer((_, response) => response.end('<html>Welcome</html>'));
		await once(site.listen(0, '127.0.0.1'), 'listening');
		const { port } = site.address() as AddressInfo;
		const baseUrl = `http://127.0.0.1:${port}`;
		const other = await n8n.addCredential({ baseUrl, apiKey: n8n.sandbox.key });
		const answer = await n8n.client.testCredential(other);
		site.close();
		expect(answer).toEqual({
			status: 'Error',
			message: expect.stringContaining('is not the Media Generation Service'),
		});
	});

	test('takes a Base URL that was copied with a space', async () => {
		const { url, key } = n8n.sandbox;
		const copied = await n8n.addCredential({ baseUrl: `${url}/ `, apiKey: key });
		expect((await n8n.client.testCredential(copied)).status).toBe('OK');
	});

	test('with a password in the Base URL is refused, and does not show it', async () => {
		const { url, key } = n8n.sandbox;
		const baseUrl = url.replace('://', '://svc:S3cretPassw0rd@');
		const wrong = await n8n.addCredential({ baseUrl, apiKey: key });
		expect(await n8n.client.testCredential(wrong)).toEqual({
			status: 'Error',
			message:
				'The Base URL has a user name, a password, a query or a fragment; enter the address alone',
		});
		expect(n8n.sandbox.journal.entries).toEqual([]);
	});
});
