import axios from 'axios';

import { outputsOf } from '../../tools/lib/n8nClient.mts';
import { bytesAt } from '../support/bytesAt.mts';
import { useExamples } from '../support/useExamples.mts';
import { SIGNED_IN, useOtherServices, type Call } from '../support/useOtherServices.mts';

/** Examples that make videos of photos that are nowhere but in a chat, or in a person's folder. */

const GOOGLE = 'www.googleapis.com';
const DRIVE = {
	list: `GET ${GOOGLE}/drive/v3/files`,
	photo: `GET ${GOOGLE}/drive/v3/files/mug`,
	begin: `POST ${GOOGLE}/upload/drive/v3/files`,
	file: `PUT ${GOOGLE}/upload/session`,
	name: `PATCH ${GOOGLE}/drive/v3/files/stored`,
};
const SHEET = 'sheets.googleapis.com/v4/spreadsheets/list';
const SHEETS = {
	sheets: `GET ${SHEET}`,
	rows: `GET ${SHEET}/values/'Videos'`,
	append: `POST ${SHEET}/values/Videos!2:2:append`,
};
const BOT = '1:token-of-a-test';
const TELEGRAM = `api.telegram.org/bot${BOT}`;
const CHAT = {
	register: `POST ${TELEGRAM}/setWebhook`,
	registered: `POST ${TELEGRAM}/getWebhookInfo`,
	remove: `POST ${TELEGRAM}/deleteWebhook`,
	getFile: `POST ${TELEGRAM}/getFile`,
	file: `GET api.telegram.org/file/bot${BOT}/photos/2.png`,
	video: `POST ${TELEGRAM}/sendVideo`,
	text: `POST ${TELEGRAM}/sendMessage`,
};

/** A picture of one pixel. */
const PHOTO = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);
const asPhoto = { headers: { 'content-type': 'image/png' }, body: PHOTO };

const MUG = { id: 'mug', name: 'mug.png', mimeType: 'image/png' };
const HEADER = ['photo', 'video', 'problem', 'job'];
const sent = { body: { ok: true, result: {} } };

const others = useOtherServices({
	[DRIVE.list]: { body: { files: [MUG] } },
	[DRIVE.photo]: ({ query }: Call) =>
		query.alt === 'media' ? asPhoto : { body: { name: 'mug.png', mimeType: 'image/png' } },
	[DRIVE.begin]: { headers: { location: `https://${GOOGLE}/upload/session` } },
	[DRIVE.file]: { body: { id: 'stored' } },
	[DRIVE.name]: { body: { id: 'stored', name: 'mug.png.mp4' } },
	[SHEETS.sheets]: { body: { sheets: [{ properties: { sheetId: 0, title: 'Videos' } }] } },
	[SHEETS.rows]: { body: { values: [HEADER] } },
	[SHEETS.append]: { body: {} },
	[CHAT.register]: sent,
	[CHAT.registered]: { body: { ok: true, result: { url: '' } } },
	[CHAT.remove]: sent,
	[CHAT.getFile]: { body: { ok: true, result: { file_path: 'photos/2.png' } } },
	[CHAT.file]: asPhoto,
	[CHAT.video]: sent,
	[CHAT.text]: sent,
});

const { n8n, addCredential, importExample } = useExamples({
	sandbox: { jobMs: { min: 0, max: 0 } },
});

jest.setTimeout(150_000);

beforeAll(async () => {
	await addCredential('googleDriveOAuth2Api', SIGNED_IN);
	await addCredential('googleSheetsOAuth2Api', SIGNED_IN);
	await addCredential('telegramApi', { accessToken: BOT, baseUrl: 'https://api.telegram.org' });
});

/** The photo that the service was given the address of, as the service reads it: without a login. */
const givenPhoto = async () => await bytesAt((n8n.sandbox.jobs[0]?.body.imageUrls as string[])[0]!);

const video = () => `${n8n.sandbox.url}/media/${n8n.sandbox.jobs[0]?.id}.mp4`;

describe('driveToVideos', () => {
	const chosen = (value: string) => ({ __rl: true, mode: 'id', value });

	const run = async () => {
		const workflow = await importExample('driveToVideos.json', {
			'When a photo is added': { parameters: { folderToWatch: chosen('photos') } },
			'Make the video': { parameters: { options: { maxCredits: 500 } } },
			'Store the video': { parameters: { folderId: chosen('videos') } },
			'Add a row': {
				parameters: {
					documentId: chosen('list'),
					sheetName: { __rl: true, mode: 'id', value: '0' },
				},
			},
		});
		const id = await n8n.client.runManually(workflow, 'When a photo is added');
		const execution = await n8n.client.waitForExecution(id);
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		return execution;
	};
	const rows = () => others.callsOf(SHEETS.append).flatMap(({ body }) => body.values);

	test('the video of a photo is in the other folder, and in the list', async () => {
		await run();
		expect(others.calls[0]?.query.q).toContain("'photos' in parents");
		expect(n8n.sandbox.jobs.map(({ body }) => body)).toEqual([
			expect.objectContaining({ imageUrls: [expect.any(String)], aspectRatio: '16:9' }),
		]);
		expect((await givenPhoto()).equals(PHOTO)).toBe(true);
		const [begin] = others.callsOf(DRIVE.begin);
		expect(begin?.body).toEqual({ name: 'mug.png.mp4', parents: ['videos'] });
		const [file] = others.callsOf(DRIVE.file);
		expect(file?.body.equals(await bytesAt(video()))).toBe(true);
		expect(rows()).toEqual([
			['mug.png', 'https://drive.google.com/file/d/stored/view', '', n8n.sandbox.jobs[0]?.id],
		]);
	});

	test('a video that fails has a row with the reason, and the job', async () => {
		n8n.sandbox.settings.failPrompt = 'circles';
		await run();
		expect(rows()).toEqual([
			['mug.png', '', 'The sandbox was asked to fail this generation.', n8n.sandbox.jobs[0]?.id],
		]);
		expect(others.callsOf(DRIVE.begin)).toEqual([]);
	});

	test('what is no photo, such as a video in the same folder: nothing is paid for', async () => {
		const video = { id: 'stored', name: 'mug.png.mp4', mimeType: 'video/mp4' };
		others.answerOnce(DRIVE.list, { body: { files: [video] } });
		const execution = await run();
		expect(outputsOf(execution, 'Photos only')[0] ?? []).toEqual([]);
		expect(n8n.sandbox.jobs).toEqual([]);
		expect(others.calls.map(({ route }) => route)).toEqual([DRIVE.list]);
	});
});

describe('telegramToVideo', () => {
	const ME = 7;

	/** Publishes it for a person, and sends the bot a message as somebody. */
	const send = async (message: object, { allowed = String(ME), from = ME } = {}) => {
		const workflow = await importExample('telegramToVideo.json', {
			'When a message comes': { parameters: { additionalFields: { userIds: allowed } } },
		});
		await n8n.client.activate(workflow);
		const { url, secret_token: secret } = others.callsOf(CHAT.register)[0]?.body;
		const update = { message: { message_id: 3, from: { id: from }, chat: { id: 11 }, ...message } };
		const headers = { 'X-Telegram-Bot-Api-Secret-Token': secret };
		await axios.post(url, update, { headers, proxy: false });
		return workflow;
	};
	const photo = { photo: [{ file_id: 'small' }, { file_id: 'large' }] };

	const answers = async (...of: Parameters<typeof send>) => {
		const execution = await n8n.client.waitForWorkflow(await send(...of));
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		return others.calls.filter(({ route }) => [CHAT.video, CHAT.text].includes(route));
	};

	test('the answer to a photo is a video of what the caption says', async () => {
		const [answer, ...more] = await answers({ ...photo, caption: 'The kite rises' });
		expect(others.callsOf(CHAT.getFile)[0]?.body).toEqual({ file_id: 'large' });
		expect(n8n.sandbox.jobs.map(({ body }) => body)).toEqual([
			expect.objectContaining({ prompt: 'The kite rises', aspectRatio: 'Auto' }),
		]);
		expect((await givenPhoto()).equals(PHOTO)).toBe(true);
		expect(answer).toMatchObject({
			route: CHAT.video,
			body: { chat_id: 11, video: video(), reply_to_message_id: 3 },
		});
		expect(more).toEqual([]);
	});

	test('without a photo, the bot asks for one', async () => {
		const [answer] = await answers({ text: 'Hello' });
		expect(answer?.body.text).toContain('Send me a photo');
		expect(n8n.sandbox.jobs).toEqual([]);
	});

	test('of a video that fails, the person reads why, and which job it was', async () => {
		const [answer] = await answers({ ...photo, caption: 'A kite [fail]' });
		expect(answer?.body.text).toBe(
			`The sandbox was asked to fail this generation.\nJob: ${n8n.sandbox.jobs[0]?.id}`,
		);
	});

	test.each([
		['somebody else', { from: 8 }],
		['anybody, before there is a user ID', { allowed: '0' }],
	])('%s gets no video', async (_, people) => {
		const workflow = await send(photo, people);
		expect(await n8n.client.listExecutions(workflow.id)).toEqual([]);
		expect(n8n.sandbox.jobs).toEqual([]);
	});
});
