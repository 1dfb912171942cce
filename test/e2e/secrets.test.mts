import fs from 'node:fs/promises';
import path from 'node:path';

import { joined, noise } from '../support/audioFiles.mts';
import { ranOf } from '../support/n8nRuns.mts';
import { usePlayedServer } from '../support/playedServer.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/**
 * No API key is anywhere in what n8n keeps and prints, except encrypted in its credential: the whole
 * user folder (database, binary data, logs) is read byte by byte after runs of every kind.
 */

const n8n = useSharedN8n({
	sandbox: { jobMs: { min: 0, max: 0 } },
});

const media = usePlayedServer();

jest.setTimeout(240_000);

const GENERATE = {
	resource: 'image',
	operation: 'generate',
	prompt: '={{ $json.prompt }}',
	size: '1:1',
	downloadMedia: true,
};
const LIST = { resource: 'model', operation: 'list' };
const PNG = '\x89PNG\r\n\x1a\n';
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
	const headers = { 'content-type': 'image/png' };
	const picture = {
		headers,
		body: [...joined(Buffer.from(PNG, 'latin1'), noise(100_000)).chunks()],
	};
	const location = media.serve(picture);
	sandbox.settings.mediaBase = media.serve({ status: 302, headers: { location } });
	const elsewhere = media.serve(picture);
	const statuses: string[] = [];

	for (const settings of Object.values(MODES)) {
		const ran = await n8n.run({ parameters: GENERATE, items, settings });
		statuses.push(ran.execution.status);
		expectNoKeyIn(ran);
	}
	for (const [status, body, more] of FAULTS) {
		for (const [parameters, settings] of [
			[GENERATE, MODES.stop],
			[LIST, MODES.continue],
		] as const) {
			sandbox.faults.clear();
			sandbox.faults.add({
				fault: JSON.parse(withKey({ kind: 'status', status, body, headers: more }, elsewhere)),
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

	const forms = formsOf(n8n.keys);
	const places = await search(n8n.server.userFolder, {
		...forms,
		prompt: 'a-prompt-to-find',
		png: PNG,
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

/** All keys, as they are, percent-encoded, and as base64 at each of the three places in its groups. */
function formsOf(keys: readonly string[]): Record<string, string> {
	const entries = keys.flatMap((key, number) => {
		const percent = [...key].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');
		const base64 = [0, 1, 2].map((offset) => {
			const text = Buffer.from(' '.repeat(offset) + key).toString('base64');
			// Without the characters that depend on what is before and after the key.
			return text.replace(/=+$/, '').slice(offset === 0 ? 0 : 4, -2);
		});
		return [key, percent, ...base64].map((text, form) => [`key ${number}, form ${form}`, text]);
	});
	return Object.fromEntries(entries);
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
