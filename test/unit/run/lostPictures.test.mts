import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';

/** A picture that need not be there, and whose expression gives nothing: the video without it would be another one. */

const STANDARD = {
	resource: 'standardVideo',
	operation: 'generate',
	prompt: 'a video',
	video_model: 'modelA_fast',
	aspect_ratio: '16:9',
};

const VID_D = {
	resource: 'vidD',
	operation: 'generate',
	prompt: 'a video',
	aspect_ratio: '16:9',
	resolution: '480p',
	duration: '4',
	generate_audio: false,
};

describe.each<[string, IDataObject, string]>([
	['standardVideo', STANDARD, 'source_image_urls'],
	['vidD', VID_D, 'input_urls'],
])('a picture of %s', (_, saved, name) => {
	const run = async (given: unknown) => {
		const n8n = new VirtualN8n();
		const parameters = { ...saved, prompt_directory_optin: false, waitForCompletion: false };
		const evaluated = { [name]: given } as IDataObject;
		const { error } = await n8n.clock.run(
			n8n.execute({ items: [{}], parameters, evaluated, kind: 'video' }),
		);
		return { error, sent: n8n.state.journal.entries.map(({ body }) => body) };
	};

	test.each([[null], [undefined], [[null]], [[undefined, null]], [[[null]]]])(
		'that is lost, %j, is missed before any charge',
		async (nothing) => {
			const { error, sent } = await run(nothing);
			expect(error?.message).toContain(`(${name}) is an expression that returns nothing`);
			expect(sent).toEqual([]);
		},
	);

	test.each([[''], [[]], [['']]])('that is left out on purpose, %j, is left out', async (empty) => {
		const { error, sent } = await run(empty);
		expect(error).toBeUndefined();
		expect(sent).toHaveLength(1);
		expect(sent[0]).not.toHaveProperty(name);
	});

	test('that is there is sent', async () => {
		const { sent } = await run('https://a.example/1.png');
		expect(sent).toEqual([expect.objectContaining({ [name]: ['https://a.example/1.png'] })]);
	});
});

describe('the words of a song that has its own style and lyrics', () => {
	const run = async (evaluated: IDataObject) => {
		const paths = { musicSubmitPath: '/open/music/{operation}/' };
		const n8n = new VirtualN8n({ settings: { openPaths: paths } as never }, paths);
		const { error } = await n8n.clock.run(
			n8n.execute({
				items: [{}],
				parameters: {
					...{ resource: 'song', operation: 'generate', model: 'V5', custom_mode: true },
					...{ instrumental: false, style: 'folk', title: 'Snow', prompt: 'First snow' },
					waitForCompletion: false,
				},
				evaluated,
				kind: 'music',
			}),
		);
		return { error, sent: n8n.state.journal.entries.map(({ body }) => body) };
	};

	test.each(['prompt', 'style', 'title'])('whose %s is lost are missed', async (name) => {
		for (const nothing of [null, undefined]) {
			const { error, sent } = await run({ [name]: nothing });
			expect(error?.message).toContain(`(${name}) is an expression that returns nothing`);
			expect(sent).toEqual([]);
		}
	});

	test('are left out where a person has left them empty', async () => {
		const { error, sent } = await run({ style: '' });
		expect(error).toBeUndefined();
		expect(sent[0]).not.toHaveProperty('style');
	});
});
