import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';

/** Values as sheets, models and expressions give them: what people have met with nodes such as these. */

const STANDARD = {
	resource: 'standardVideo',
	operation: 'generate',
	prompt: 'a kite',
	video_model: 'modelA_fast',
	aspect_ratio: '16:9',
	prompt_directory_optin: false,
	waitForCompletion: false,
};
const B30 = {
	resource: 'vidB30',
	operation: 'generate',
	prompt: 'a kite',
	generationMode: 'text_to_video',
	durationSeconds: 5,
	qualityMode: 'pro',
	sound: false,
	aspectRatio: '16:9',
	prompt_directory_optin: false,
	waitForCompletion: false,
};

/** What is sent of a node whose expressions give these values; nothing, and the error, where it is refused. */
async function sentOf(saved: IDataObject, evaluated: object) {
	const n8n = new VirtualN8n({ settings: { credits: { purchased: 1000, welcome: 0 } } });
	const { error } = await n8n.clock.run(
		n8n.execute({
			items: [{}],
			kind: 'video',
			parameters: saved,
			evaluated: evaluated as IDataObject,
		}),
	);
	const [sent] = n8n.state.journal.ofKind('create').map(({ body }) => body as IDataObject);
	return { sent, message: error?.message };
}

describe('a switch', () => {
	test.each([
		['TRUE', true],
		['True', true],
		[' true ', true],
		['true\n', true],
		['FALSE', false],
		['False', false],
		[' false ', false],
		['false\n', false],
		['\u200bfalse', false],
	])('takes %j', async (text, expected) => {
		const { sent } = await sentOf(STANDARD, { prompt_directory_optin: text });
		expect(sent?.prompt_directory_optin).toBe(expected);
	});

	test.each(['yes', 'TRUE!', 'wahr'])('does not take %j', async (text) => {
		const { sent, message } = await sentOf(STANDARD, { prompt_directory_optin: text });
		expect(sent).toBeUndefined();
		expect(message).toContain('must be true or false');
	});
});

describe('a choice', () => {
	test.each(['9:16 ', ' 9:16', '9:16\n', '\u200b9:16'])('takes %j', async (text) => {
		const { sent } = await sentOf(STANDARD, { aspect_ratio: text });
		expect(sent?.aspect_ratio).toBe('9:16');
	});

	test.each(['pro\n', ' pro', 'pro\u200b'])(
		'that is open sends %j as it is meant',
		async (text) => {
			const { sent } = await sentOf(B30, { qualityMode: text });
			expect(sent?.qualityMode).toBe('pro');
		},
	);

	test('of an option takes a text with a blank at its end', async () => {
		const { sent } = await sentOf(STANDARD, { options: { waitMode: 'inProcess ' } });
		expect(sent).toBeDefined();
	});
});

const [A, B] = ['https://cdn.example/a.png', 'https://cdn.example/b.png'];
const A31 = {
	resource: 'vidA31',
	operation: 'generate',
	prompt: 'a kite',
	model: 'modelA_fast',
	aspectRatio: 'Auto',
	waitForCompletion: false,
};
const E26 = {
	resource: 'vidE26',
	operation: 'imageToVideo',
	prompt: 'a kite',
	duration: '5',
	resolution: '720p',
	waitForCompletion: false,
};

describe('several URLs in one text', () => {
	test.each([`${A};${B}`, `${A}|${B}`, `${A}; ${B}`, `${A} | ${B}`, `${A}\n${B}`, `${A}, ${B}`])(
		'are sent as two: %j',
		async (text) => {
			const { sent } = await sentOf(A31, { imageUrls: text });
			expect(sent?.imageUrls).toEqual([A, B]);
		},
	);

	test.each([`${A};`, `${A},`, `${A} |`])(
		'a separator at the end is left out: %j',
		async (text) => {
			expect((await sentOf(A31, { imageUrls: text })).sent?.imageUrls).toEqual([A]);
			expect((await sentOf(E26, { image_url: text })).sent?.image_url).toBe(A);
		},
	);

	test.each([`${A}\u200b`, `\u200b${A}`, `${A}\u00a0`, `${A} `, `${A}\ufeff`])(
		'an end that cannot be seen is left out: %j',
		async (text) => {
			expect((await sentOf(A31, { imageUrls: text })).sent?.imageUrls).toEqual([A]);
			expect((await sentOf(A31, { imageUrls: [text] })).sent?.imageUrls).toEqual([A]);
			expect((await sentOf(E26, { image_url: text })).sent?.image_url).toBe(A);
		},
	);

	test.each([
		`${A};b.png`,
		`${A}|b.png`,
		`${A},b.png`,
		'https://cdn.example/a\u200b.png',
		`${A};${B}`,
		`${A},${B}`,
	])('are never sent as one: %j', async (text) => {
		for (const given of [{ imageUrls: [text] }, { image_url: text }]) {
			const saved = 'image_url' in given ? E26 : A31;
			const { sent, message } = await sentOf(saved, given);
			expect(sent).toBeUndefined();
			expect(message).toContain('must be');
		}
	});

	test.each([
		'https://cdn.example/a.png?v=1;w=2',
		'https://cdn.example/w_100,h_50/a.png',
		'https://cdn.example/?u=https://other.example/a.png',
	])('one URL stays one: %j', async (url) => {
		expect((await sentOf(A31, { imageUrls: url })).sent?.imageUrls).toEqual([url]);
	});
});

describe('values that get lost', () => {
	test.each(['[object Object]', 'A photo of [object Object], please'])(
		'an object in a text is refused: %j',
		async (prompt) => {
			const { sent, message } = await sentOf(STANDARD, { prompt });
			expect(sent).toBeUndefined();
			expect(message).toContain('has [object Object] where an object stood');
		},
	);

	test.each([
		['a date of JavaScript', new Date('2026-03-01T10:00:00Z'), '2026-03-01T10:00:00.000Z'],
		[
			'a time of n8n',
			{ toISO: () => '2026-03-01T11:00:00.000+01:00', valueOf: (): number => 1 },
			'2026-03-01T11:00:00.000+01:00',
		],
	])('%s becomes its text', async (_, prompt, expected) => {
		const { sent } = await sentOf(STANDARD, { prompt });
		expect(sent?.prompt).toBe(expected);
	});
});

test.each([' gen-1\n', 'gen-1\u200b'])('a job ID is read as it is meant: %j', async (jobId) => {
	const n8n = new VirtualN8n();
	const parameters = { resource: 'job', operation: 'get', startedWith: 'generation' };
	await n8n.clock.run(n8n.execute({ items: [{}], parameters, evaluated: { jobId } }));
	const [read] = n8n.state.journal.entries;
	expect(read?.path).toBe('/api/v1/generate/gen-1/');
});
