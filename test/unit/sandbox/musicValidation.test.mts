import { liveOperation } from '../../../sandbox/music/remix.mts';
import { openMusic } from './musicHarness.mts';
import { acceptedBody, AUDIO_URL, type MusicId } from './musicRequests.mts';

type Row = [id: MusicId, change: Record<string, unknown>];

const x = (length: number) => 'x'.repeat(length);

const send = async (id: MusicId, change: object) => {
	const opened = await openMusic();
	const body = await acceptedBody(opened, id);
	opened.account.charges.length = 0;
	const answer = await opened.submit(id, { ...body, ...change });
	return { ...opened, answer };
};

/** Bounds of fields that several operations have (section "Limits"). */
const TUNED = ['generate', 'extend', 'upload_cover', 'upload_extend'] as const;
const WEIGHED = [...TUNED, 'add_vocals', 'add_instrumental', 'mashup'] as const;
const WITH_TITLE = [...WEIGHED, 'replace_section'] as const;
const WEIGHTS = ['style_weight', 'weirdness_constraint', 'audio_weight'];

describe('music takes', () => {
	it.each<Row>([
		...WITH_TITLE.map((id): Row => [id, { title: x(80) }]),
		...WEIGHED.flatMap((id): Row[] => [
			[id, Object.fromEntries(WEIGHTS.map((name) => [name, 0]))],
			[id, Object.fromEntries(WEIGHTS.map((name) => [name, 1]))],
			[id, Object.fromEntries(WEIGHTS.map((name) => [name, 0.29]))],
			[id, { vocal_gender: 'm' }],
			[id, { vocal_gender: 'f' }],
		]),
		...TUNED.map((id): Row => [id, { negative_tags: x(500), prompt: x(5000), style: x(1000) }]),
		...['V5_5', 'V5', 'V4_5PLUS', 'V4_5ALL', 'V4_5', 'V4'].map(
			(model): Row => ['generate', { model }],
		),
		['generate', { prompt: undefined }],
		['generate', { duration: 10 }],
		['generate', { duration: 360 }],
		['generate', { duration: 60, model: 'V5' }],
		['generate', { persona_id: 'p', persona_model: 'voice_persona', model: 'V5' }],
		['generate', { persona_model: 'style_persona' }],
		['generate', { custom_mode: true, instrumental: false }],
		['extend', { continue_at: 0, default_param_flag: false }],
		['add_vocals', { model: undefined }],
		['add_vocals', { prompt: x(5000), style: x(1000), model: 'V4' }],
		['add_instrumental', { tags: x(1000), model: 'V4' }],
		['replace_section', { full_lyrics: x(20_000), infill_start_s: 0 }],
		['replace_section', { source: undefined, audio_id: undefined, upload: AUDIO_URL }],
		['mashup', { prompt: x(500), instrumental: true, duration: 360 }],
		['stems', { source: undefined, audio_id: undefined, upload: AUDIO_URL }],
		['stems', { audio_id: undefined }],
		['stems', { audio_id: undefined, source: undefined }],
		['stems', { separation_type: 'split_stem_advanced', stem_name: 'drums' }],
		['midi', { audio_id: undefined }],
		['style_boost', { content: x(500) }],
		['sounds', { sound_tempo: 20, sound_key: 'C# minor', sound_loop: true, grab_lyrics: true }],
		['sounds', { sound_tempo: 300, model: 'V4' }],
		['voice_validate', { language: x(30) }],
		['voice_generate', { voice_name: x(80), style: x(1000), singer_skill_level: 'beginner' }],
		// Not sensible, but not forbidden.
		['generate', { persona_id: 'p', model: 'V4_5' }],
		['replace_section', { infill_end_s: 10 }],
		['replace_section', { source: undefined, audio_id: undefined }],
		['voice_validate', { vocal_end_s: 0 }],
	])('%s with %j', async (id, change) => {
		const { answer } = await send(id, change);
		expect(answer.body).toMatchObject({ success: true });
		expect(answer.status).toBe(201);
	});
});

describe('music refuses', () => {
	it.each<[...Row, message: string]>([
		...WITH_TITLE.map((id): [...Row, string] => [id, { title: x(81) }, 'more than 80 characters']),
		...WEIGHED.flatMap((id) =>
			WEIGHTS.flatMap(
				(name): Array<[...Row, string]> => [
					[id, { [name]: -0.01 }, 'must be >= 0'],
					[id, { [name]: 1.01 }, 'must be <= 1'],
					[id, { [name]: 0.005 }, 'steps of 0.01'],
					[id, { [name]: '0.5' }, 'must be number'],
				],
			),
		),
		...WEIGHED.map((id): [...Row, string] => [id, { vocal_gender: 'x' }, 'one of: m, f.']),
		...TUNED.flatMap(
			(id): Array<[...Row, string]> => [
				[id, { negative_tags: x(501) }, 'more than 500 characters'],
				[id, { prompt: x(5001) }, 'more than 5000 characters'],
				[id, { style: x(1001) }, 'more than 1000 characters'],
				[id, { instrumental: 'true' }, 'must be boolean'],
				[id, { model: 'V6' }, 'one of: V5_5, V5, V4_5PLUS, V4_5ALL, V4_5, V4.'],
				[id, { model: undefined }, 'required'],
			],
		),

		['generate', { duration: 9 }, 'must be >= 10'],
		['generate', { duration: 361 }, 'must be <= 360'],
		['generate', { persona_model: 'style_persona', model: 'V4' }, 'does not apply'],
		['generate', { persona_model: 'persona' }, 'one of: style_persona, voice_persona.'],
		['generate', { custom_mode: 'on' }, 'must be boolean'],
		['generate', { upload: AUDIO_URL }, 'Unknown field'],

		['extend', { continue_at: undefined }, 'required'],
		['extend', { continue_at: -1 }, 'must be >= 0'],
		['extend', { audio_id: undefined }, 'required'],
		['extend', { default_param_flag: 1 }, 'must be boolean'],
		['upload_cover', { upload: undefined }, 'required'],
		['upload_extend', { upload: '' }, 'required'],
		['upload_extend', { continue_at: undefined }, 'required'],

		['add_vocals', { prompt: undefined }, 'required'],
		['add_vocals', { prompt: x(5001) }, 'more than 5000 characters'],
		['add_vocals', { title: '' }, 'required'],
		['add_vocals', { style: undefined }, 'required'],
		['add_vocals', { negative_tags: x(501) }, 'more than 500 characters'],
		['add_instrumental', { tags: undefined }, 'required'],
		['add_instrumental', { tags: x(1001) }, 'more than 1000 characters'],
		['add_instrumental', { style: 'waltz' }, 'Unknown field'],
		['add_instrumental', { negative_tags: x(501) }, 'more than 500 characters'],

		['replace_section', { prompt: undefined }, 'required'],
		['replace_section', { tags: undefined }, 'required'],
		['replace_section', { full_lyrics: '' }, 'required'],
		['replace_section', { infill_start_s: -1 }, 'must be >= 0'],
		['replace_section', { infill_end_s: undefined }, 'required'],
		['replace_section', { audio_id: undefined }, 'required with source'],
		['replace_section', { model: undefined }, 'required'],
		['replace_section', { negative_tags: x(501) }, 'more than 500 characters'],

		['mashup', { upload2: undefined }, 'required'],
		['mashup', { style: undefined }, 'required'],
		['mashup', { prompt: x(501) }, 'more than 500 characters'],
		['mashup', { duration: 361 }, 'must be <= 360'],
		['mashup', { negative_tags: 'drums' }, 'Unknown field'],

		['stems', { separation_type: undefined }, 'required'],
		['stems', { separation_type: 'all' }, 'one of: separate_vocal, split_stem, split_stem_a'],
		['stems', { separation_type: 'split_stem_advanced' }, 'stem_name'],

		['lyrics', { prompt: '' }, 'required'],
		['lyrics', { prompt: x(5001) }, 'more than 5000 characters'],
		['style_boost', { content: undefined }, 'required'],
		['style_boost', { content: x(501) }, 'more than 500 characters'],
		['sounds', { prompt: undefined }, 'required'],
		['sounds', { model: undefined }, 'required'],
		['sounds', { sound_tempo: 19 }, 'must be >= 20'],
		['sounds', { sound_tempo: 301 }, 'must be <= 300'],
		['sounds', { sound_key: 'C# minor!' }, 'more than 8 characters'],
		['sounds', { sound_loop: 'yes' }, 'must be boolean'],
		['recovery', { audio_id: 'take' }, 'Unknown field'],

		['voice_validate', { upload: undefined }, 'required'],
		['voice_validate', { vocal_start_s: -0.1 }, 'must be >= 0'],
		['voice_validate', { language: x(31) }, 'more than 30 characters'],
		['voice_regenerate', { language: 'en' }, 'Unknown field'],
		['voice_generate', { upload: undefined }, 'required'],
		['voice_generate', { voice_name: x(81) }, 'more than 80 characters'],
		['voice_generate', { style: x(1001) }, 'more than 1000 characters'],

		['remix', { genre: undefined }, 'required'],
		['remix', { genre: x(41) }, 'more than 40 characters'],
		['remix', { instructions: x(201) }, 'more than 200 characters'],
		['remix', { keep_vocals: 'no' }, 'must be boolean'],
		['remix', { quality: 'best' }, 'one of: draft, studio.'],
		['remix', { intensity: 10.5 }, 'must be <= 10'],
		['remix', { intensity: 0.3 }, 'steps of 0.5'],
		['remix', { title: 'Rain' }, 'Unknown field'],
	])('%s with %j', async (id, change, message) => {
		const { answer, account } = await send(id, change);
		const isStem = message === 'stem_name';
		const [changed = ''] = Object.keys(change);
		const field = isStem ? 'stem_name' : changed;
		expect(answer.status).toBe(400);
		expect(answer.body).toEqual({
			success: false,
			error: 'Some fields are missing or not valid.',
			details: { [field]: expect.stringContaining(isStem ? 'required' : message) },
		});
		expect(account.charges).toEqual([]);
	});
});

test('steps count from the minimum', async () => {
	const metronome = liveOperation({
		operation: 'metronome',
		label: 'Metronome',
		price: { shown: true, rates: [{ credits: 1 }] },
		fields: [
			{ name: 'tempo', label: 'Tempo', type: 'number', presence: 'optional', min: 5, step: 10 },
		],
	});
	const { submit } = await openMusic({}, { musicOperations: [metronome] });
	for (const [value, status] of [
		[5, 201],
		[25, 201],
		[10, 400],
		[0, 400],
	]) {
		expect([value, (await submit('metronome', { tempo: value })).status]).toEqual([value, status]);
	}
});
