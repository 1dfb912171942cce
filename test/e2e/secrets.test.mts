import fs from 'node:fs/promises';
import path from 'node:path';

import { startMediaServer, type MediaServer } from '../support/mediaServer.mts';
import { ranOf } from '../support/realN8n.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/**
 * No API key is anywhere in what n8n keeps and prints, except encrypted in its credential: the whole
 * user folder (database, binary data, logs) is read byte by byte after runs of every kind.
 */

const n8n = useSharedN8n({
	sandbox: { jobMs: { min: 0, max: 0 } },
});

let media: MediaServer;

beforeAll(async () => {
	media = await startMediaServer();
});

afterAll(async () => {
	await media.close();
});

jest.setTimeout(240_000);

const GENERATE = {
	resource: 'image',
	operation: 'generate',
	prompt: '={{ $json.prompt }}',
	size: '1:1',
	downloadMedia: true,
};
const LIST = { resource: 'model', operation: 'list' };
const items = [{ prompt: 'found by a-prompt-to-find' }, { prompt: 'b [fail]' }];

/** In settings of a node: how it goes on after an error. */
const MODES = {
	stop: {},
	continue: { onError: 'continueRegularOutput' },
	errorOutput: { onError: 'continueErrorOutput' },
	retry: { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 },
};

/** What an answer of the service may be like; `{key}` stands for the key, which it says back. */
const ECHO = { success: false, error: 'Bad key {key}', details: { key: 'is {key}' } };
const FAULTS: Array<[number, object, Record<string, string>?]> = [
	[400, ECHO],
	[401, ECHO],
	[403, ECHO],
	[500, ECHO],
	[302, ECHO, { location: '{elsewhere}/{key}' }],
	[200, { data: { id: 'x', status: 'completed', note: 'Bearer {key}' } }],
];

test('no key is found anywhere', async () => {
	const { sandbox } = n8n;
	sandbox.settings.mediaBase = media.serve({ redirect: media.serve({ bytes: 100_000 }) });
	const elsewhere = media.serve();
	const statuses: string[] = [];

	for (const settings of Object.values(MODES)) {
		const ran = await n8n.run({ parameters: GENERATE, items, settings });
		statuses.push(ran.execution.status);
		expectNoKeyIn(ran);
	}
	for (const [status, body, headers] of FAULTS) {
		for (const [parameters, settings] of [
			[GENERATE, MODES.stop],
			[LIST, MODES.continue],
		] as const) {
			sandbox.faults.clear();
			sandbox.faults.add({
				fault: JSON.parse(withKey({ kind: 'status', status, body, headers }, elsewhere)),
			});
			const ran = await n8n.run({ parameters, items: items.slice(0, 1), settings });
			statuses.push(ran.execution.status);
			expectNoKeyIn(ran);
		}
	}
	for (const fault of [{ kind: 'reset' }, { kind: 'garbage' }] as const) {
		sandbox.faults.clear();
		sandbox.faults.add({ fault });
		statuses.push((await n8n.run({ parameters: GENERATE, items })).execution.status);
	}
	sandbox.faults.clear();
	const failed = await n8n.run({ parameters: GENERATE, items });
	const retried = await n8n.client.retryExecution(failed.execution.id);
	statuses.push(ranOf(await n8n.client.waitForExecution(retried)).execution.status);
	await n8n.client.testCredential(n8n.credential);

	expect(statuses).toEqual(expect.arrayContaining(['success', 'error']));
	expect(media.requests.length).toBeGreaterThan(0);
	expectNoKeyIn(media.requests);
	// A redirect of the service is not followed.
	const asked = media.requests.map((request) => request.path);
	expect(asked.filter((at) => at.startsWith(`${new URL(elsewhere).pathname}/`))).toEqual([]);
	expect(sandbox.journal.entries.length).toBeGreaterThan(0);

	const forms = formsOfAll(n8n.keys);
	const places = await search(n8n.server.userFolder, {
		...forms,
		prompt: 'a-prompt-to-find',
		png: '\x89PNG',
		log: '"level":"debug"',
	});
	const printed = await fs.readFile(n8n.server.logFile, 'latin1');
	expect(printed).toContain('Editor is now accessible');
	// What must be there is: the search reaches the database, binary data and logs.
	// Older versions leave the latest changes in a file beside it.
	expect(places.prompt?.join()).toContain(path.join('.n8n', 'database.sqlite'));
	expect(places.log).toContain(path.join('.n8n', 'logs', 'n8n.log'));
	expect(places.png?.some((file) => /binary|storage/i.test(file))).toBe(true);
	for (const [form, text] of Object.entries(forms)) {
		expect({ form, places: places[form] }).toEqual({ form, places: [] });
		expect(printed).not.toContain(text);
	}
});

function expectNoKeyIn(value: unknown): void {
	for (const key of n8n.keys) expect(JSON.stringify(value)).not.toContain(key);
}

const withKey = (value: unknown, elsewhere: string) =>
	JSON.stringify(value).replaceAll('{key}', n8n.sandbox.key).replaceAll('{elsewhere}', elsewhere);

/** Keys in every form, by their number and the form. */
function formsOfAll(keys: readonly string[]): Record<string, string> {
	return Object.fromEntries(
		keys.flatMap((key, number) =>
			Object.entries(formsOf(key)).map(([form, text]) => [`${number} ${form}`, text]),
		),
	);
}

/** A key as it might be written; as base64 at each of the three places in its groups. */
function formsOf(key: string): Record<string, string> {
	const base64 = [0, 1, 2].map((offset) => {
		const bytes = Buffer.from(' '.repeat(offset) + key);
		// Without the characters that depend on what is before and after the key.
		return bytes
			.toString('base64')
			.replace(/=+$/, '')
			.slice(offset === 0 ? 0 : 4, -2);
	});
	return {
		plain: key,
		reversed: [...key].reverse().join(''),
		urlEncoded: [...key].map((character) => `%${character.charCodeAt(0).toString(16)}`).join(''),
		hex: Buffer.from(key).toString('hex'),
		utf16: Buffer.from(key, 'utf16le').toString('latin1'),
		...Object.fromEntries(base64.map((text, offset) => [`base64 ${offset}`, text])),
		...Object.fromEntries(
			base64.map((text, offset) => [
				`base64url ${offset}`,
				text.replaceAll('+', '-').replaceAll('/', '_'),
			]),
		),
	};
}

/** Files below the folder that hold the texts; installed packages are left out. */
async function search(folder: string, texts: Record<string, string>) {
	const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries
		.filter((entry) => entry.isFile())
		.map((entry) => path.join(entry.parentPath, entry.name))
		.filter((file) => !file.includes(`${path.sep}node_modules${path.sep}`));
	const places: Record<string, string[]> = Object.fromEntries(
		Object.keys(texts).map((name) => [name, []]),
	);
	for (const file of files) {
		// n8n removes some of its files now and then.
		const content = await fs.readFile(file, 'latin1').catch(() => '');
		for (const [name, text] of Object.entries(texts)) {
			if (content.includes(text)) places[name]?.push(path.relative(folder, file));
		}
	}
	return places;
}
