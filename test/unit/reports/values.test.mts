import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';

/** Values as sheets, models and expressions give them: what people have met with nodes such as these. */

const STANDARD = {
	...{ resource: 'standardVideo', operation: 'generate', prompt: 'a kite' },
	...{ video_model: 'modelA_fast', aspect_ratio: '16:9', prompt_directory_optin: false },
};
const A31 = {
	...{ resource: 'vidA31', operation: 'generate', prompt: 'a kite', model: 'modelA_fast' },
	aspectRatio: 'Auto',
};
const E26 = {
	...{ resource: 'vidE26', operation: 'imageToVideo', prompt: 'a kite', duration: '5' },
	resolution: '720p',
};
const SONG = {
	...{ resource: 'song', operation: 'generate', model: 'V5', custom_mode: true },
	...{ instrumental: false, style: 'folk', title: 'Snow', prompt: 'First snow' },
};
const STUDIO = { resource: 'videoStudio', operation: 'generate' };

/** What is sent of a node whose expressions give these values; nothing, and the error, where it is refused. */
async function sentOf(saved: IDataObject, evaluated: object) {
	const settings = { credits: { purchased: 1000, welcome: 0 } };
	const n8n = new VirtualN8n({ settings }, { musicSubmitPath: '/open/music/{operation}/' });
	const { error } = await n8n.clock.run(
		n8n.execute({
			...{ items: [{}], kind: saved.resource === 'song' ? 'music' : 'video' },
			parameters: { ...saved, waitForCompletion: false },
			evaluated: evaluated as IDataObject,
		}),
	);
	const [sent] = n8n.state.journal.ofKind('create').map(({ body }) => body as IDataObject);
	return { sent, message: error?.message };
}

async function refused(saved: IDataObject, evaluated: object): Promise<string> {
	const { sent, message } = await sentOf(saved, evaluated);
	expect(sent).toBeUndefined();
	return String(message);
}

const [A, B] = ['https://cdn.example/a.png', 'https://cdn.example/b.png'];

/** In which field of which node, which values, and what is sent. */
const READ: Array<[node: IDataObject, field: string, given: unknown[], sent: unknown]> = [
	[STANDARD, 'prompt_directory_optin', [true, 'true', 'TRUE', ' True\n'], true],
	[STANDARD, 'prompt_directory_optin', [false, 'FALSE', ' false ', '\u200bfalse'], false],
	[STANDARD, 'aspect_ratio', ['9:16 ', '9:16\n', '\u200b9:16'], '9:16'],
	[STANDARD, 'prompt', [new Date('2026-03-01T10:00:00Z')], '2026-03-01T10:00:00.000Z'],
	// As n8n's own times have it.
	[
		STANDARD,
		'prompt',
		[{ toISO: () => '2026-03-01T11', valueOf: (): number => 1 }],
		'2026-03-01T11',
	],
	[A31, 'imageUrls', [`${A};${B}`, `${A}|${B}`, `${A} | ${B}`, `${A}\n${B}`, `${A}, ${B}`], [A, B]],
	[A31, 'imageUrls', [`${A};`, `${A},`, `${A} |`, `${A}\u200b`, `\u200b${A}`, [`${A}\ufeff`]], [A]],
	[E26, 'image_url', [`${A};`, `${A},`, `${A}\u200b`, `${A}\u00a0`], A],
	[A31, 'imageUrls', ['https://x.example/a.png?v=1;w=2'], ['https://x.example/a.png?v=1;w=2']],
	[A31, 'imageUrls', ['https://x.example/w_1,h_2/a.png'], ['https://x.example/w_1,h_2/a.png']],
];

test.each(READ)('%j: %s', async (node, field, given, sent) => {
	for (const value of given)
		expect((await sentOf(node, { [field]: value })).sent?.[field]).toEqual(sent);
});

const REFUSED: Array<[node: IDataObject, field: string, given: unknown[], words: string]> = [
	[STANDARD, 'prompt_directory_optin', ['yes', 1, '1', {}, 'TRUE!'], 'must be true or false'],
	[STANDARD, 'prompt_directory_optin', [undefined, null, '', '  '], 'is empty'],
	[STANDARD, 'video_model', [undefined, null, '  '], '(video_model) is empty'],
	[STANDARD, 'prompt', ['[object Object]', 'Of [object Object], please'], 'where an object stood'],
	[STANDARD, 'prompt', ['\u200b', '\u00ad', '\u0000', '\ufeff', '\u00a0'], 'Prompt is empty'],
	[SONG, 'prompt', [undefined, null], '(prompt) is an expression that returns nothing'],
	[SONG, 'style', [undefined, null], '(style) is an expression that returns nothing'],
	[SONG, 'title', [undefined, null], '(title) is an expression that returns nothing'],
	[A31, 'imageUrls', [[`${A};${B}`], [`${A};b.png`], [`${A},b.png`]], 'must be'],
	[
		A31,
		'imageUrls',
		[`\nhttps://x.example/a.png\nftp://x.example/c.png`],
		'is "ftp://x.example/c.png"',
	],
	[A31, 'imageUrls', [`${A}\n${B}\n${A}`], 'must have 1 to 2 URLs, but has 3'],
	[E26, 'image_url', [`${A}|b.png`, `${A},${B}`, 'https://cdn.example/a\u200b.png'], 'must be'],
	[STUDIO, 'payload', ['{"prompt":'], '(payload) must be a JSON object'],
	[STUDIO, 'payload', ['{}', {}], 'is empty'],
	[STUDIO, 'payload', [{ prompt: null }, '{"prompt": null}'], 'at least one field with a value'],
];

test.each(REFUSED)('%j: %s is refused before any charge', async (node, field, given, words) => {
	for (const value of given) expect(await refused(node, { [field]: value })).toContain(words);
});

test('fields that the user names are sent as they are', async () => {
	const payload = '{"prompt":"a:b","seed":9007199254740991,"w":0.1,"y":[{"z":1}],"my field":" x "}';
	expect((await sentOf(STUDIO, { payload })).sent).toEqual(JSON.parse(payload));
});

test('the token of an address is not shown', async () => {
	const image_url = ['https://x.example/a.png?token=secret-4711'];
	expect(await refused(E26, { image_url })).not.toContain('secret-4711');
});

test('an expression that gives nothing leaves an optional field out', async () => {
	for (const enableFallback of [undefined, null, '']) {
		const { sent } = await sentOf(A31, { additionalFields: { enableFallback } });
		expect(sent).toBeDefined();
		expect(sent).not.toHaveProperty('enableFallback');
	}
});

describe('options', () => {
	test.each<[object, string]>([
		[{ timeout: Infinity }, 'Options > Timeout must be a number, but is Infinity'],
		[{ timeout: 31_536_001 }, 'must be between 1 and 31536000, but is 31536001'],
		[{ timeout: 'for ever' }, 'must be a number, but is "for ever"'],
		[{ timeout: -1 }, 'must be between 1 and 31536000, but is -1'],
	])('%j is refused before any charge', async (options, words) => {
		expect(await refused(STANDARD, { options })).toContain(words);
	});

	test.each(['{"maxCredits": 1}', [{ maxCredits: 1 }], 'maxCredits'])(
		'that are no collection are refused: %j',
		async (options) => {
			expect(await refused(STANDARD, { options })).toContain('Options must be a collection');
		},
	);

	test.each([{ timeout: null }, { timeout: ' ' }, { waitMode: 'inProcess ' }])(
		'that give nothing, or a blank too much, are taken: %j',
		async (options) => {
			expect((await sentOf(STANDARD, { options })).sent).toBeDefined();
		},
	);

	test('switches beside them are named as in the form', async () => {
		const words = await refused(STANDARD, { downloadMedia: 'maybe' });
		expect(words).toContain('Download File must be true or false, but is "maybe"');
	});
});

describe('what a job is read by', () => {
	const read = async (evaluated: object) => {
		const n8n = new VirtualN8n();
		const parameters = { resource: 'job', operation: 'get', startedWith: 'generation', jobId: 'a' };
		const run = n8n.execute({ items: [{}], parameters, evaluated: evaluated as IDataObject });
		const { error } = await n8n.clock.run(run);
		return { paths: n8n.state.journal.entries.map(({ path }) => path), error };
	};

	test.each<[unknown]>([
		[' gen-1\n'],
		['gen-1\u200b'],
		[{ __rl: true, mode: 'id', value: ' gen-1\n' }],
		[{ __rl: true, mode: 'list', value: 'gen-1', cachedResultName: 'a fox' }],
	])('is read as it is meant: %j', async (jobId) => {
		expect((await read({ jobId })).paths[0]).toBe('/api/v1/generate/gen-1/');
	});

	test.each<[object]>([
		...[12, {}, [['a']], true, 'a/b?c=d#e', '__proto__', '\u0000'].map((jobId): [object] => [
			{ jobId },
		]),
		[{ jobId: 'x'.repeat(100_000) }],
		...['__proto__', 'constructor', null, {}, ['generation'], { toString: 'x' }].map(
			(startedWith): [object] => [{ startedWith }],
		),
	])('or refused in words: %.60j', async (evaluated) => {
		const { error } = await read(evaluated);
		expect(error?.message).not.toMatch(/TypeError|is not a function|Cannot read/);
		expect(error?.message.length ?? 0).toBeLessThan(3000);
	});
});
