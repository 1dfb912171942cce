import { fetched } from '../support/forms.mts';
import { jobOf } from '../support/imageBatch.mts';
import { useExamples } from '../support/useExamples.mts';
import { SIGNED_IN, useOtherServices } from '../support/otherServices.mts';

/** Examples that run on a schedule, and bring what they have made to Google Drive and Google Sheets. */

const DRIVE = {
	begin: 'POST www.googleapis.com/upload/drive/v3/files',
	file: 'PUT www.googleapis.com/upload/session',
	name: 'PATCH www.googleapis.com/drive/v3/files/stored',
};
const SHEET = 'sheets.googleapis.com/v4/spreadsheets/list';
const SHEETS = {
	sheets: `GET ${SHEET}`,
	rows: `GET ${SHEET}/values/'Pictures'`,
	update: `POST ${SHEET}/values:batchUpdate`,
};
const FEED = 'GET blog.example.com/feed';

/** What the sheet has, its header first. */
let cells: string[][] = [];

const others = useOtherServices({
	[FEED]: feedOf('The harbour wakes', 'The market opens'),
	[DRIVE.begin]: { headers: { location: 'https://www.googleapis.com/upload/session' } },
	[DRIVE.file]: { body: { id: 'stored' } },
	[DRIVE.name]: { body: { id: 'stored' } },
	[SHEETS.sheets]: { body: { sheets: [{ properties: { sheetId: 0, title: 'Pictures' } }] } },
	[SHEETS.rows]: () => ({ body: { values: cells } }),
	[SHEETS.update]: ({ body }) => {
		for (const { range, values } of body.data) {
			const [, column, row] = /^Pictures!([A-Z])(\d+)$/.exec(range) ?? [];
			cells[Number(row) - 1]![column!.charCodeAt(0) - 'A'.charCodeAt(0)] = values[0][0];
		}
		return {};
	},
});

const { n8n, addCredential, importExample, runExample, retry } = useExamples({
	sandbox: { jobMs: { min: 0, max: 0 } },
});

jest.setTimeout(150_000);

beforeAll(async () => {
	await addCredential('googleDriveOAuth2Api', SIGNED_IN);
	await addCredential('googleSheetsOAuth2Api', SIGNED_IN);
});

const chosen = (value: string) => ({ __rl: true, mode: 'id', value });
const prompts = () => n8n.sandbox.jobs.map(({ body }) => String(body.prompt)).sort();

describe('scheduledBatch', () => {
	const FOLDER = { 'Store the picture': { parameters: { folderId: chosen('pictures') } } };
	const ofArticle = (title: string) =>
		`Editorial illustration without any text: ${title}. What happens in "${title}".`;
	const morning = async () => await runExample('scheduledBatch.json', 'Every morning', FOLDER);

	test('the pictures of new articles are in Drive, each named after its article', async () => {
		const workflow = await importExample('scheduledBatch.json', FOLDER);
		const run = async () => {
			const id = await n8n.client.runManually(workflow, 'Every morning');
			const { status, error } = await n8n.client.waitForExecution(id);
			expect([status, error?.message]).toEqual(['success', undefined]);
		};
		await run();
		expect(prompts()).toEqual([ofArticle('The harbour wakes'), ofArticle('The market opens')]);
		const begun = others.callsOf(DRIVE.begin).map(({ body }) => body);
		expect(begun).toEqual([
			{ name: 'The harbour wakes.png', parents: ['pictures'] },
			{ name: 'The market opens.png', parents: ['pictures'] },
		]);
		const [file] = others.callsOf(DRIVE.file);
		const { id } = jobOf(n8n.sandbox, ofArticle('The harbour wakes'))!;
		expect(file?.body.equals((await fetched(`${n8n.sandbox.url}/media/${id}.png`)).bytes)).toBe(
			true,
		);

		others.answerOnce(FEED, feedOf('The evening walk', 'The harbour wakes'));
		await run();
		expect(prompts()).toHaveLength(3);
		await run();
		expect(prompts()).toHaveLength(3);
	});

	test('one picture fails: nothing is stored, and a retry makes that one alone', async () => {
		n8n.sandbox.settings.failPrompt = 'market';
		const failed = await morning();
		expect([failed.status, failed.lastNode]).toEqual(['error', 'Make the pictures']);
		expect(others.callsOf(DRIVE.begin)).toEqual([]);
		n8n.sandbox.settings.failPrompt = '[fail]';
		expect((await retry(failed)).status).toBe('success');
		expect(prompts()).toHaveLength(3);
		expect(others.callsOf(DRIVE.file)).toHaveLength(2);
	});

	test('Drive refuses: a retry stores what has been paid for', async () => {
		others.answerOnce(DRIVE.begin, { status: 403, body: { error: { message: 'full' } } });
		const failed = await morning();
		expect([failed.status, failed.lastNode]).toEqual(['error', 'Store the picture']);
		expect((await retry(failed)).status).toBe('success');
		expect(prompts()).toHaveLength(2);
	});
});

describe('sheetWithStatus', () => {
	const HEADER = ['prompt', 'status', 'imageUrl', 'problem', 'jobId'];
	const sheet = {
		parameters: { documentId: chosen('list'), sheetName: chosen('0') },
	};
	const run = async (options: object = {}) => {
		const execution = await runExample('sheetWithStatus.json', 'Every hour', {
			Rows: sheet,
			'Mark as begun': sheet,
			'Note the results': sheet,
			'Make the pictures': { parameters: { options } },
		});
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	};
	const made = (prompt: string) => {
		const id = jobOf(n8n.sandbox, prompt)?.id;
		return [prompt, 'completed', `${n8n.sandbox.url}/media/${id}.png`, '', id];
	};

	test('rows without a status get their picture, or the reason why there is none', async () => {
		cells = [HEADER, ['A kite'], ['An owl', 'later'], ['A fox [fail]', ''], ['']];
		await run();
		expect(cells.slice(1)).toEqual([
			made('A kite'),
			['An owl', 'later'],
			['A fox [fail]', 'failed', '', expect.any(String), jobOf(n8n.sandbox, 'A fox [fail]')?.id],
			[''],
		]);
		await run();
		expect(prompts()).toEqual(['A fox [fail]', 'A kite']);
	});

	test('what cost nothing is tried again, and what may have been paid for is not', async () => {
		cells = [HEADER, ['A kite']];
		await run({ maxCredits: 7 });
		expect(cells[1]).toEqual([
			'A kite',
			'',
			'',
			expect.stringContaining('Max Credits per Run'),
			'',
		]);
		cells.push(['A lost kite']);
		n8n.sandbox.faults.add({
			match: { kind: 'create', bodyPattern: 'lost' },
			fault: { kind: 'reset' },
			when: 'after',
		});
		await run();
		await run();
		expect(cells.slice(1)).toEqual([
			made('A kite'),
			['A lost kite', 'in doubt', '', expect.any(String), ''],
		]);
		expect(prompts()).toEqual(['A kite', 'A lost kite']);
	});
});

/** A feed of articles with these titles. */
function feedOf(...titles: string[]) {
	const items = titles.map((title) => {
		const link = `https://blog.example.com/${encodeURIComponent(title)}`;
		return `<item><title>${title}</title><link>${link}</link><description>What happens in "${title}".</description></item>`;
	});
	return {
		headers: { 'content-type': 'application/rss+xml' },
		body: `<rss version="2.0"><channel><title>A blog</title>${items.join('')}</channel></rss>`,
	};
}
