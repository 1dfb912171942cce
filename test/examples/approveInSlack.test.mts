import axios from 'axios';

import type { SavedWorkflow } from '../../tools/lib/n8nClient.mts';
import { submitForm } from '../support/formPages.mts';
import { nightly } from '../support/sampled.mts';
import { useExamples, type NodeChanges } from '../support/useExamples.mts';
import { useOtherServices } from '../support/useOtherServices.mts';

const POST = 'POST slack.com/api/chat.postMessage';

const slack = useOtherServices({ [POST]: { body: { ok: true, message: {} } } });

const { n8n, addCredential, importExample } = useExamples({
	sandbox: { jobMs: { min: 0, max: 0 } },
});

jest.setTimeout(150_000);

const TOKEN = 'xoxb-of-a-test';

beforeAll(async () => {
	await addCredential('slackApi', { accessToken: TOKEN });
});

const picture = () => `${n8n.sandbox.url}/media/${n8n.sandbox.jobs[0]?.id}.png`;
const operations = () => n8n.sandbox.jobs.map(({ operation }) => operation.operation);

/** Somebody asks for a video, and the team has been asked. */
async function askFor(prompt: string, changes: NodeChanges = {}): Promise<SavedWorkflow> {
	const workflow = await importExample('approveInSlack.json', changes);
	await submitForm(n8n, workflow, 'Ask for a video', [prompt]);
	await n8n.client.waitForWorkflow(workflow, { until: ['waiting', 'success', 'error'] });
	return workflow;
}

/** n8n lets no program approve, such as one that shows what is behind a link. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** Presses a button of the last message. */
async function press(label: string): Promise<void> {
	const buttons = slack.calls.at(-1)?.body.blocks.at(-1).elements;
	const { url } = buttons.find((button: any) => button.text.text === label);
	await axios.get(url, { headers: { 'User-Agent': BROWSER }, proxy: false });
}

const texts = () => slack.calls.slice(1).map(({ body }) => body.text);

test('the team sees picture and price, and gets the video once somebody has approved', async () => {
	const workflow = await askFor('A kite over the dunes');
	const [asked] = slack.calls;
	expect(asked?.headers.authorization).toBe(`Bearer ${TOKEN}`);
	expect(asked?.body).toMatchObject({ channel: '#media' });
	expect(asked?.body.blocks[1].text.text).toBe(
		`A video of this for 250 credits? A kite over the dunes\n${picture()}`,
	);
	expect(operations()).toEqual(['generate']);
	expect(n8n.sandbox.account.charges.map(({ credits }) => credits)).toEqual([8]);

	await press('Make the video');
	const { error } = await n8n.client.waitForWorkflow(workflow);
	expect(error).toBeUndefined();
	const [, video] = n8n.sandbox.jobs;
	expect(video?.body).toMatchObject({ imageUrls: [picture()], model: 'modelA' });
	expect(n8n.sandbox.account.charges.map(({ credits }) => credits)).toEqual([8, 250]);
	expect(texts()).toEqual([
		`Here it is: A kite over the dunes\n${n8n.sandbox.url}/media/${video?.id}.mp4`,
	]);
});

test('no: no video is paid for', async () => {
	const workflow = await askFor('A kite');
	await press('No');
	expect((await n8n.client.waitForWorkflow(workflow)).status).toBe('success');
	expect(operations()).toEqual(['generate']);
});

nightly(
	'no answer in time is a no',
	async () => {
		const limitWaitTime = {
			values: { limitType: 'afterTimeInterval', resumeAmount: 0.01, resumeUnit: 'minutes' },
		};
		const workflow = await askFor('A kite', {
			'Ask the team': { parameters: { options: { limitWaitTime } } },
		});
		// n8n looks once a minute for executions whose wait is over.
		const ended = await n8n.client.waitForWorkflow(workflow, { timeout: 120_000 });
		expect(ended.status).toBe('success');
		expect([operations(), texts()]).toEqual([['generate'], []]);
	},
	180_000,
);

test('a video that fails: the team reads why, and which job it was', async () => {
	const workflow = await askFor('A kite');
	n8n.sandbox.settings.failPrompt = 'kite';
	await press('Make the video');
	await n8n.client.waitForWorkflow(workflow);
	expect(texts()).toEqual([
		[
			'There is no video of this: A kite',
			'The sandbox was asked to fail this generation.',
			`Job: ${n8n.sandbox.jobs[1]?.id}`,
		].join('\n'),
	]);
});

test('a picture that fails: nobody is asked', async () => {
	await askFor('A kite [fail]');
	expect(slack.calls).toEqual([]);
});
