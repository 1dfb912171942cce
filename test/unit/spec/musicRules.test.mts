import fc from 'fast-check';

import { doubts, ignoredFields, validate } from '../../../nodes/shared/request/validate.ts';
import { musicOperation } from '../../support/operations.mts';

/** Bounds and conditional rules of the music operations: just inside, just outside, by name. */

/** A request of each operation with nothing but what it must have. */
const RIGHT: Record<string, Record<string, unknown>> = {
	generate: { prompt: 'A song', model: 'V5_5' },
	extend: {
		source: 'job-1',
		audio_id: 'take-1',
		continue_at: 60,
		style: 'Folk',
		model: 'V5_5',
	},
	upload_cover: { upload: 'data', style: 'Folk', model: 'V5_5' },
	upload_extend: { upload: 'data', continue_at: 60, style: 'Folk', model: 'V5_5' },
	add_vocals: { upload: 'data', prompt: 'La la', title: 'Song', style: 'Soft' },
	add_instrumental: { upload: 'data', title: 'Song', tags: 'Piano' },
	replace_section: {
		source: 'job-1',
		audio_id: 'take-1',
		prompt: 'A bridge',
		tags: 'Piano',
		title: 'Song',
		infill_start_s: 10,
		infill_end_s: 20,
		full_lyrics: 'La la',
		model: 'V5_5',
	},
	mashup: { upload: 'data', upload2: 'data2', title: 'Song', style: 'Soft', model: 'V5_5' },
	stems: { source: 'job-1', separation_type: 'separate_vocal' },
	wav: { source: 'job-1', audio_id: 'take-1' },
	midi: { source: 'job-1' },
	lyrics: { prompt: 'The sea' },
	timestamped_lyrics: { source: 'job-1', audio_id: 'take-1' },
	style_boost: { content: 'Calm piano' },
	cover_art: { source: 'job-1', audio_id: 'take-1' },
	music_video: { source: 'job-1', audio_id: 'take-1' },
	sounds: { prompt: 'Rain', model: 'V5' },
	recovery: { source: 'job-1' },
	voice_validate: { upload: 'data', vocal_start_s: 0, vocal_end_s: 10 },
	voice_regenerate: { source: 'job-1' },
	voice_generate: { source: 'job-1', upload: 'data' },
};

const of = (id: string, more: Record<string, unknown> = {}) =>
	validate(musicOperation(id), { ...RIGHT[id], ...more });

const named = (id: string, more: Record<string, unknown> = {}) =>
	of(id, more).map(({ field }) => field);

const x = (characters: number) => 'x'.repeat(characters);

test.each(Object.keys(RIGHT))('%s: a request with what it must have', (id) => {
	expect(of(id)).toEqual([]);
});

const needed = Object.entries(RIGHT).flatMap(([id, request]) =>
	Object.keys(request).map((name) => [id, name] as const),
);

/** Left out, another field may be enough, or the document does without. */
const DISPENSABLE = [
	'generate.prompt',
	'extend.style',
	'upload_cover.style',
	'upload_extend.style',
	'replace_section.source',
	'stems.source',
];

test.each(needed.filter(([id, name]) => !DISPENSABLE.includes(`${id}.${name}`)))(
	'%s without %s: that is named',
	(id, name) => {
		expect(named(id, { [name]: undefined })).toEqual([name]);
	},
);

describe('bounds', () => {
	/** Values that are right, and values for which the field is named. */
	test.each<[id: string, field: string, right: unknown[], wrong: unknown[]]>([
		['generate', 'prompt', [x(5000)], [x(5001), 7]],
		['generate', 'custom_mode', [true, false], ['yes']],
		['generate', 'title', [x(80), '🎵'.repeat(80)], [x(81), '🎵'.repeat(81)]],
		['generate', 'style', [x(1000)], [x(1001)]],
		['generate', 'instrumental', [true, false], [1]],
		['generate', 'model', ['V5_5'], ['V6', 'v5']],
		['generate', 'duration', [10, 60.5, 360], [9, 361]],
		['generate', 'negative_tags', [x(500)], [x(501)]],
		['generate', 'vocal_gender', ['m', 'f'], ['male']],
		['generate', 'style_weight', [0, 0.01, 0.29, 1], [1.01, -0.01, 0.015]],
		['generate', 'weirdness_constraint', [0, 0.57, 1], [1.01, -0.01, 0.015]],
		['generate', 'audio_weight', [0, 0.99, 1], [1.01, -0.01, 0.015]],
		['generate', 'persona_model', ['style_persona', 'voice_persona'], ['persona']],
		['generate', 'tempo', [], [100]],
		['extend', 'continue_at', [0, 0.5, 480], [-1, '60s']],
		['extend', 'default_param_flag', [true, false], ['no']],
		['extend', 'prompt', [x(5000)], [x(5001)]],
		['extend', 'title', [x(80)], [x(81)]],
		['extend', 'style', [x(1000)], [x(1001)]],
		['upload_cover', 'prompt', [x(5000)], [x(5001)]],
		['upload_cover', 'title', [x(80)], [x(81)]],
		['upload_cover', 'style', [x(1000)], [x(1001)]],
		['upload_extend', 'continue_at', [0], [-0.1]],
		['upload_extend', 'prompt', [x(5000)], [x(5001)]],
		['upload_extend', 'title', [x(80)], [x(81)]],
		['upload_extend', 'style', [x(1000)], [x(1001)]],
		['add_vocals', 'prompt', [x(5000)], [x(5001), '', ' ']],
		['add_vocals', 'title', [x(80)], [x(81), '']],
		['add_vocals', 'style', [x(1000)], [x(1001), '']],
		['add_vocals', 'style_weight', [1], [1.01]],
		['add_instrumental', 'title', [x(80)], [x(81)]],
		['add_instrumental', 'tags', [x(1000)], [x(1001), '']],
		['add_instrumental', 'style_weight', [1], [1.01]],
		['replace_section', 'prompt', [x(5000)], [x(5001)]],
		['replace_section', 'tags', [x(1000)], [x(1001)]],
		['replace_section', 'title', [x(80)], [x(81)]],
		['replace_section', 'full_lyrics', [x(50_000)], ['']],
		['replace_section', 'infill_start_s', [0], [-1]],
		['replace_section', 'negative_tags', [x(500)], [x(501)]],
		['mashup', 'title', [x(80)], [x(81)]],
		['mashup', 'style', [x(1000)], [x(1001)]],
		['mashup', 'prompt', [x(500)], [x(501)]],
		['mashup', 'duration', [10, 360], [9, 361]],
		['mashup', 'audio_weight', [1], [1.01]],
		['stems', 'separation_type', ['split_stem'], ['all']],
		['lyrics', 'prompt', [x(5000)], [x(5001)]],
		['style_boost', 'content', [x(500)], [x(501)]],
		['sounds', 'prompt', [x(5000)], [x(5001)]],
		['sounds', 'model', ['V5_5', 'V4'], ['V3']],
		['sounds', 'sound_loop', [true, false], ['yes']],
		['sounds', 'sound_tempo', [20, 120.5, 300], [19, 301]],
		['sounds', 'sound_key', [x(8)], [x(9)]],
		['sounds', 'grab_lyrics', [true, false], ['yes']],
		['voice_validate', 'vocal_start_s', [0], [-1]],
		['voice_validate', 'language', [x(30)], [x(31)]],
		['voice_generate', 'voice_name', [x(80)], [x(81)]],
		['voice_generate', 'style', [x(1000)], [x(1001)]],
	])('%s.%s', (id, field, right, wrong) => {
		for (const value of right) expect([value, ...named(id, { [field]: value })]).toEqual([value]);
		for (const value of wrong) {
			expect([value, ...named(id, { [field]: value })]).toEqual([value, field]);
		}
	});

	test.each([
		['sounds', { sound_tempo: 301 }, 'Tempo (sound_tempo) must be between 20 and 300, but is 301'],
		[
			'generate',
			{ style_weight: 1.01 },
			'Style Weight (style_weight) must be between 0 and 1, but is 1.01',
		],
		[
			'generate',
			{ audio_weight: 0.015 },
			'Audio Weight (audio_weight) must be in steps of 0.01, but is 0.015',
		],
		[
			'lyrics',
			{ prompt: x(5001) },
			`Prompt (prompt) must have at most 5000 characters, but has 5001 characters: "${x(60)}…"`,
		],
		['mashup', { upload2: undefined }, 'Second Audio File is empty'],
	])('%s says what is wrong', (id, more, message) => {
		expect(of(id, more).map((problem) => problem.message)).toEqual([message]);
	});
});

describe('rules between fields', () => {
	const ofModel = (model: string) => ({ model });

	test.each([
		['V5_5', []],
		['V5', ['duration']],
		['V4_5PLUS', ['duration']],
		['V4_5ALL', ['duration']],
		['V4_5', ['duration']],
		['V4', ['duration']],
	])('a duration with %s is not refused: the service ignores %j', (model, expected) => {
		const more = { ...ofModel(model), duration: 60 };
		for (const id of ['generate', 'mashup']) {
			expect(named(id, more)).toEqual([]);
			expect(ignoredFields(musicOperation(id), { ...RIGHT[id], ...more })).toEqual(
				expected.map(
					(name) =>
						`Duration (${name}) is used only when Model is V5_5. Here Model is ${model}: expect the service to ignore it.`,
				),
			);
		}
	});

	test('a duration out of its bounds is refused with any model', () => {
		expect(named('generate', { model: 'V5', duration: 361 })).toEqual(['duration']);
	});

	test('without a duration nothing is ignored', () => {
		expect(ignoredFields(musicOperation('generate'), { model: 'V5' })).toEqual([]);
	});

	test.each([
		['V5_5', true],
		['V5', true],
		['V4_5PLUS', false],
		['V4_5ALL', false],
		['V4_5', false],
		['V4', false],
	])('a persona with %s: %p', (model, right) => {
		const one = { ...ofModel(model), persona_id: 'voice-1' };
		// "For V5 and V5_5"; "only" is said of the other field.
		expect(named('generate', one)).toEqual([]);
		expect(ignoredFields(musicOperation('generate'), { ...RIGHT.generate, ...one })).toEqual(
			right
				? []
				: [
						`Persona ID (persona_id) is used only when Model is V5 or V5_5. Here Model is ${model}: expect the service to ignore it.`,
					],
		);
		const both = { ...one, persona_model: 'voice_persona' };
		expect(named('generate', both)).toEqual(right ? [] : ['persona_model']);
	});

	test.each([
		['separate_vocal', {}, []],
		['split_stem', {}, []],
		['split_stem_advanced', {}, ['stem_name']],
		['split_stem_advanced', { stem_name: 'drums' }, []],
		['split_stem_advanced', { stem_name: undefined }, ['stem_name']],
		['split_stem_advanced', { stem_name: ' ' }, ['stem_name']],
	])('stems by %s with %j: %j', (separation_type, more, expected) => {
		expect(named('stems', { separation_type, ...more })).toEqual(expected);
	});

	const noSource = { source: undefined, audio_id: undefined };

	test.each([
		['replace_section', { ...noSource }, []],
		['replace_section', { ...noSource, upload: 'data' }, []],
		['replace_section', { ...noSource, upload: 'data', audio_id: 'take-1' }, []],
		['replace_section', { audio_id: undefined }, ['audio_id']],
		['replace_section', { audio_id: undefined, upload: 'data' }, ['audio_id']],
		['stems', { ...noSource, upload: 'data' }, []],
		['stems', { audio_id: 'take-1' }, []],
		// An audio_id names a take by itself; the document requires nothing beside it.
		['replace_section', { source: undefined }, []],
		['stems', { source: undefined, audio_id: 'take-1' }, []],
		['replace_section', { ...noSource, audio_id: ' ' }, []],
	])('%s with %j: %j', (id, more, expected) => {
		expect(named(id, more)).toEqual(expected);
	});

	/** The document calls all of them optional; a job that nothing is said about is paid all the same. */
	const nothing = { prompt: undefined, style: undefined };
	const noTrack = { source: undefined, audio_id: undefined };
	const PROMPT = ['Without a Prompt, you pay for whatever the service makes'];
	const WHAT = ['Without Style or Lyrics, you pay for whatever the service makes'];
	const HOW = ['Without Style or Prompt, you pay for however the service goes on'];
	const TRACK = [
		'Without a Source Job ID, Audio ID or Audio File, nothing says which track you pay for',
	];

	test.each<[id: string, more: Record<string, unknown>, said: string[]]>([
		['generate', nothing, PROMPT],
		['generate', { ...nothing, prompt: ' ' }, PROMPT],
		['generate', { ...nothing, title: 'First Snow', style: 'Folk' }, PROMPT],
		['generate', { ...nothing, custom_mode: true }, WHAT],
		['generate', { ...nothing, custom_mode: true, title: 'First Snow' }, WHAT],
		['generate', { ...nothing, custom_mode: true, style: ' ' }, WHAT],
		['generate', { ...nothing, custom_mode: true, style: 'Folk' }, []],
		['generate', { ...nothing, custom_mode: true, prompt: 'La la' }, []],
		['upload_cover', nothing, WHAT],
		['upload_cover', { ...nothing, prompt: 'La la' }, []],
		['upload_cover', { ...nothing, custom_mode: false }, PROMPT],
		['upload_cover', { custom_mode: false, prompt: 'A song' }, []],
		['extend', nothing, HOW],
		['extend', { ...nothing, title: 'First Snow' }, HOW],
		['extend', { ...nothing, prompt: 'La la' }, []],
		['extend', { ...nothing, default_param_flag: false }, []],
		['upload_extend', nothing, HOW],
		['upload_extend', { ...nothing, default_param_flag: false }, []],
		['stems', noTrack, TRACK],
		['stems', { ...noTrack, upload: ' ' }, TRACK],
		['stems', { ...noTrack, upload: 'data' }, []],
		['stems', { ...noTrack, audio_id: 'take-1' }, []],
		['replace_section', noTrack, TRACK],
		['replace_section', { ...noTrack, audio_id: ' ' }, TRACK],
		['replace_section', { ...noTrack, upload: 'data' }, []],
	])('%s with %j is not refused, and doubted by %j', (id, more, said) => {
		expect(of(id, more)).toEqual([]);
		expect(doubts(musicOperation(id), { ...RIGHT[id], ...more })).toEqual(
			said.map((doubt) => `${doubt}. At least one item has none.`),
		);
	});

	test('what is missing is said in the words of the form', () => {
		const said = (id: string, more: Record<string, unknown>) =>
			of(id, more).map(({ message }) => message);
		expect(said('stems', { separation_type: 'split_stem_advanced' })).toEqual([
			'Stem Name (stem_name) is required when Separation Type is One Stem',
		]);
		expect(said('replace_section', { audio_id: undefined })).toEqual([
			'Audio ID (audio_id) is required together with Source Job ID',
		]);
		expect(said('generate', { model: 'V4', persona_model: 'voice_persona' })).toEqual([
			'Persona Model (persona_model) can be used only when Model is V5 or V5_5, but is "voice_persona"',
		]);
	});

	/** The document gives no bound but 0: an end before the start is doubted, and sent. */
	test.each([
		[
			'replace_section',
			'infill_start_s',
			'infill_end_s',
			'Section End (infill_end_s) should be greater than Section Start (infill_start_s). In at least one item it is not.',
		],
		[
			'voice_validate',
			'vocal_start_s',
			'vocal_end_s',
			'Vocal End (vocal_end_s) should be greater than Vocal Start (vocal_start_s). In at least one item it is not.',
		],
	])('%s: an end that is not after the start is doubted', (id, start, end, doubt) => {
		fc.assert(
			fc.property(seconds, seconds, (from, to) => {
				const more = { [start]: from, [end]: to };
				expect(named(id, more)).toEqual([]);
				expect(doubts(musicOperation(id), { ...RIGHT[id], ...more })).toEqual(
					to > from ? [] : [doubt],
				);
			}),
			{ examples: [[20, 20]] },
		);
	});
});

const seconds = fc.double({ min: 0, max: 480, noNaN: true });

describe('for any value', () => {
	/** Field, its bound, and an operation that has it. */
	const texts: Array<[id: string, field: string, characters: number]> = [
		['generate', 'prompt', 5000],
		['generate', 'title', 80],
		['generate', 'style', 1000],
		['generate', 'negative_tags', 500],
		['add_instrumental', 'tags', 1000],
		['mashup', 'prompt', 500],
		['style_boost', 'content', 500],
		['sounds', 'sound_key', 8],
		['voice_validate', 'language', 30],
		['voice_generate', 'voice_name', 80],
	];

	test.each(texts)('%s takes a %s of up to %i characters', (id, field, characters) => {
		const unit = fc.constantFrom('x', 'ß', '音', '🎵');
		fc.assert(
			fc.property(unit, fc.integer({ min: -5, max: 5 }), (character, more) => {
				const text = character.repeat(characters + more);
				expect(named(id, { [field]: text })).toEqual(more > 0 ? [field] : []);
			}),
		);
	});

	const numbers: Array<[id: string, field: string, min: number, max: number]> = [
		['sounds', 'sound_tempo', 20, 300],
		['generate', 'duration', 10, 360],
		['mashup', 'duration', 10, 360],
		['extend', 'continue_at', 0, Infinity],
		['upload_extend', 'continue_at', 0, Infinity],
	];

	test.each(numbers)('%s takes a %s from %i to %i', (id, field, min, max) => {
		fc.assert(
			fc.property(fc.double({ min: -1000, max: 1000, noNaN: true }), (value) => {
				expect(named(id, { [field]: value })).toEqual(value >= min && value <= max ? [] : [field]);
			}),
		);
	});

	test('a weight is right just when it is one of 0, 0.01 … 1', () => {
		const weight = fc.constantFrom('style_weight', 'weirdness_constraint', 'audio_weight');
		fc.assert(
			fc.property(weight, fc.integer({ min: -2000, max: 3000 }), (field, thousandths) => {
				const right = thousandths >= 0 && thousandths <= 1000 && thousandths % 10 === 0;
				const problems = named('generate', { [field]: thousandths / 1000 });
				expect(problems.length === 0).toBe(right);
				expect(problems.every((name) => name === field)).toBe(true);
			}),
		);
	});

	test('a select takes its values and no other text', () => {
		const selects: Array<[string, string, string[]]> = [
			['extend', 'model', ['V5_5', 'V5', 'V4_5PLUS', 'V4_5ALL', 'V4_5', 'V4']],
			['extend', 'vocal_gender', ['m', 'f']],
			['generate', 'persona_model', ['style_persona', 'voice_persona']],
		];
		fc.assert(
			fc.property(fc.constantFrom(...selects), fc.string(), ([id, field, values], text) => {
				expect(named(id, { [field]: text })).toEqual(values.includes(text) ? [] : [field]);
				for (const value of values) expect(named(id, { [field]: value })).toEqual([]);
			}),
		);
	});

	test('nothing makes the checks throw', () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...Object.keys(RIGHT)),
				fc.dictionary(fc.string(), fc.anything()),
				(id, values) => {
					expect(Array.isArray(validate(musicOperation(id), { ...values }))).toBe(true);
				},
			),
		);
	});
});
