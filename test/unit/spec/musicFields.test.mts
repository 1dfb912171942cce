import type { INodeProperties } from 'n8n-workflow';

import { operationProperties } from '../../support/operationProperties.mts';
import { musicOperation } from '../../support/operations.mts';
import { inTableWords } from '../../support/tableWords.mts';

/** The document's table "Fields per operation" on one side, tables and form on the other. */

const MODELS = 'V5_5|V5|V4_5PLUS|V4_5ALL|V4_5|V4';
const WEIGHTS = {
	style_weight: 'number 0-1 step 0.01',
	weirdness_constraint: 'number 0-1 step 0.01',
	audio_weight: 'number 0-1 step 0.01',
};
const TUNING = {
	negative_tags: 'text <=500',
	vocal_gender: 'select m|f',
	...WEIGHTS,
};

const FIELDS: Record<string, Record<string, string>> = {
	generate: {
		prompt: 'textarea <=5000',
		custom_mode: 'toggle =false',
		title: 'text <=80',
		style: 'textarea <=1000',
		instrumental: 'toggle =true',
		model: `select required ${MODELS} =V5_5`,
		duration: 'number 10-360',
		...TUNING,
		persona_id: 'text',
		persona_model: 'select style_persona|voice_persona',
	},
	extend: {
		audio_id: 'text required',
		continue_at: 'number required 0-',
		default_param_flag: 'toggle =true',
		prompt: 'textarea <=5000',
		title: 'text <=80',
		style: 'textarea <=1000',
		model: `select required ${MODELS} =V5_5`,
		instrumental: 'toggle',
		...TUNING,
	},
	upload_cover: {
		upload: 'upload required',
		custom_mode: 'toggle =true',
		instrumental: 'toggle =true',
		prompt: 'textarea <=5000',
		title: 'text <=80',
		style: 'textarea <=1000',
		model: `select required ${MODELS} =V5_5`,
		...TUNING,
	},
	upload_extend: {
		upload: 'upload required',
		continue_at: 'number required 0-',
		default_param_flag: 'toggle =true',
		prompt: 'textarea <=5000',
		title: 'text <=80',
		style: 'textarea <=1000',
		instrumental: 'toggle',
		model: `select required ${MODELS} =V5_5`,
		...TUNING,
	},
	add_vocals: {
		upload: 'upload required',
		prompt: 'textarea required <=5000',
		title: 'text required <=80',
		style: 'textarea required <=1000',
		negative_tags: 'text <=500',
		vocal_gender: 'select m|f',
		model: `select ${MODELS} =V5_5`,
		...WEIGHTS,
	},
	add_instrumental: {
		upload: 'upload required',
		title: 'text required <=80',
		tags: 'textarea required <=1000',
		negative_tags: 'text <=500',
		model: `select ${MODELS} =V5_5`,
		vocal_gender: 'select m|f',
		...WEIGHTS,
	},
	replace_section: {
		source: 'source',
		upload: 'upload',
		audio_id: 'text',
		prompt: 'textarea required <=5000',
		tags: 'textarea required <=1000',
		title: 'text required <=80',
		infill_start_s: 'number required 0-',
		infill_end_s: 'number required 0-',
		full_lyrics: 'textarea required',
		negative_tags: 'text <=500',
		model: `select required ${MODELS} =V5_5`,
	},
	mashup: {
		upload: 'upload required',
		upload2: 'upload required',
		title: 'text required <=80',
		style: 'textarea required <=1000',
		prompt: 'textarea <=500',
		instrumental: 'toggle',
		duration: 'number 10-360',
		model: `select required ${MODELS} =V5_5`,
		vocal_gender: 'select m|f',
		...WEIGHTS,
	},
	stems: {
		source: 'source',
		upload: 'upload',
		audio_id: 'text',
		separation_type:
			'select required separate_vocal|split_stem|split_stem_advanced =separate_vocal',
		stem_name: 'text',
	},
	wav: { audio_id: 'text required' },
	timestamped_lyrics: { audio_id: 'text required' },
	cover_art: { audio_id: 'text required' },
	music_video: { audio_id: 'text required' },
	midi: { audio_id: 'text' },
	lyrics: { prompt: 'textarea required <=5000' },
	style_boost: { content: 'text required <=500' },
	sounds: {
		prompt: 'textarea required <=5000',
		model: `select required ${MODELS} =V5`,
		sound_loop: 'toggle',
		sound_tempo: 'number 20-300',
		sound_key: 'text <=8',
		grab_lyrics: 'toggle',
	},
	recovery: {},
	voice_regenerate: {},
	voice_validate: {
		upload: 'upload required',
		vocal_start_s: 'number required 0-',
		vocal_end_s: 'number required 0-',
		language: 'text <=30',
	},
	voice_generate: {
		upload: 'upload required',
		voice_name: 'text <=80',
		style: 'textarea <=1000',
		singer_skill_level: 'text',
	},
};

/** They work on an earlier job, for which the document names no field of theirs. */
const ON_EARLIER_JOB = [
	'extend',
	'wav',
	'midi',
	'timestamped_lyrics',
	'cover_art',
	'music_video',
	'recovery',
	'voice_regenerate',
	'voice_generate',
];

const EXPECTED = Object.entries(FIELDS).map(([id, fields]): [string, Record<string, string>] => [
	id,
	ON_EARLIER_JOB.includes(id) ? { source: 'source required', ...fields } : fields,
]);

test('all 21 operations are here', () => {
	expect(EXPECTED).toHaveLength(21);
});

test.each(EXPECTED)('the table of %s', (id, fields) => {
	expect(inTableWords(musicOperation(id).fields)).toEqual(fields);
});

/**
 * What stands at top level, in the order of the form: what the document requires, and what a person
 * sets first. `*` where the form marks it as required. Twice where it has two labels.
 */
const UP_FRONT: Record<string, string> = {
	generate: 'prompt prompt instrumental custom_mode style title model*',
	extend: 'source* audio_id* continue_at* default_param_flag prompt style title model*',
	upload_cover: 'upload* prompt prompt instrumental custom_mode style title model*',
	upload_extend: 'upload* continue_at* default_param_flag prompt style title model*',
	add_vocals: 'upload* prompt* style* title*',
	add_instrumental: 'upload* tags* title*',
	replace_section:
		'audioFrom source audio_id upload infill_start_s* infill_end_s* prompt* tags* full_lyrics* title*',
	mashup: 'upload* upload2* style* title* prompt model*',
	sounds: 'prompt* model*',
	stems: 'audioFrom source audio_id upload separation_type* stem_name*',
	wav: 'source* audio_id*',
	midi: 'source* audio_id',
	recovery: 'source*',
	lyrics: 'prompt*',
	timestamped_lyrics: 'source* audio_id*',
	style_boost: 'content*',
	cover_art: 'source* audio_id*',
	music_video: 'source* audio_id*',
	voice_validate: 'upload* vocal_start_s* vocal_end_s*',
	voice_regenerate: 'source*',
	voice_generate: 'source* upload* voice_name',
};

/** Required, but with a default, and the form is full. */
const REQUIRED_BELOW = ['replace_section.model'];

/** Parts of every creation's form that are no fields of the service. */
const OWN = ['waitForCompletion', 'downloadMedia', 'additionalFields', 'options'];

const form = (id: string) => operationProperties(musicOperation(id));

/** Dropdowns are texts in the form of an agent's tool. */
const isForTools = ({ displayOptions }: INodeProperties) => '@tool' in (displayOptions?.show ?? {});

const topLevel = (id: string) =>
	form(id).filter(
		(property) =>
			!OWN.includes(property.name) && property.type !== 'notice' && !isForTools(property),
	);

function additional(id: string): INodeProperties[] {
	const collection = form(id).find(({ name }) => name === 'additionalFields');
	return (collection?.options ?? []) as INodeProperties[];
}

const property = (id: string, name: string) => {
	const found = [...topLevel(id), ...additional(id)].find((candidate) => candidate.name === name);
	if (!found) throw new Error(`${id} has no ${name}`);
	return found;
};

/** What the form makes of a type. */
const CONTROLS: Record<string, string> = {
	text: 'string',
	textarea: 'string',
	toggle: 'boolean',
	select: 'options',
	number: 'number',
	upload: 'string',
	source: 'string',
};

/** The form's condition for "is an expression". */
const EXPRESSION = { _cnd: { regex: '^=' } };

describe('the form', () => {
	test.each(EXPECTED)(
		'of %s has what a person sets first up front, the rest below',
		(id, fields) => {
			const shown = topLevel(id).map(({ name, required }) => `${name}${required ? '*' : ''}`);
			expect(shown.join(' ')).toBe(UP_FRONT[id]);

			const upFront = topLevel(id).map(({ name }) => name);
			const others = Object.keys(fields).filter((name) => !upFront.includes(name));
			expect(
				additional(id)
					.map(({ name }) => name)
					.sort(),
			).toEqual(others.sort());
			const below = others.filter((name) => fields[name]?.includes(' required'));
			expect(REQUIRED_BELOW).toEqual(expect.arrayContaining(below.map((name) => `${id}.${name}`)));
		},
	);

	test.each(Object.keys(FIELDS))('of %s shows for it alone', (id) => {
		const { resource } = musicOperation(id);
		const elsewhere = form(id).filter(({ displayOptions }) => {
			const { resource: resources, operation } = displayOptions?.show ?? {};
			return String(resources) !== resource || String(operation) !== id;
		});
		expect(elsewhere).toEqual([]);
	});

	const controls = EXPECTED.flatMap(([id, fields]) =>
		Object.entries(fields).map(([name, words]) => [id, name, words] as const),
	);

	test.each(controls)('%s.%s is a control for "%s"', (id, name, words) => {
		const { type, default: byDefault, options, typeOptions, description } = property(id, name);
		const [, kind] = /^(\w+)/.exec(words)!;
		const [, least, most] = / (\d+)-(\d*)/.exec(words) ?? [];
		const [, characters] = /<=(\d+)/.exec(words) ?? [];
		const [, step] = /step (\S+)/.exec(words) ?? [];
		const [, value] = /=(\w+)$/.exec(words) ?? [];
		const [, values] = /(\w+(?:\|\w+)+)/.exec(words) ?? [];

		expect(type).toBe(CONTROLS[kind!]);
		if (value !== undefined && !characters) expect(String(byDefault)).toBe(value);
		if (characters) expect(description).toContain(`At most ${characters} characters`);
		if (least) expect(typeOptions?.minValue).toBe(Number(least));
		if (least && most) expect(typeOptions?.maxValue).toBe(Number(most));
		if (least && most) expect(description).toContain(`${least} to ${most}`);
		if (least && !most) expect(typeOptions).not.toHaveProperty('maxValue');
		if (step) expect(typeOptions?.numberStepSize).toBe(Number(step));
		const offered = (options as Array<{ value: string }> | undefined)?.map((entry) => entry.value);
		expect(offered?.join('|')).toBe(values);
		if (kind === 'textarea') expect(typeOptions?.rows).toBeGreaterThan(1);
	});

	test('the dropdown of models has their remarks', () => {
		expect(property('generate', 'model').options).toEqual([
			{ name: 'V5_5', value: 'V5_5', description: 'Newest; supports a custom duration' },
			{ name: 'V5', value: 'V5', description: 'Better expression, faster generation' },
			{ name: 'V4_5PLUS', value: 'V4_5PLUS', description: 'Richer sound, tracks up to 8 minutes' },
			{ name: 'V4_5ALL', value: 'V4_5ALL', description: 'Smart prompts, faster generations' },
			{ name: 'V4_5', value: 'V4_5', description: 'Smart prompts, faster generations' },
			{ name: 'V4', value: 'V4', description: 'Improved vocals, tracks up to 4 minutes' },
		]);
		expect(property('generate', 'model').default).toBe('V5_5');
		expect(property('sounds', 'model').default).toBe('V5');
	});

	test('the dropdown of separation types has their prices', () => {
		expect(property('stems', 'separation_type').options).toMatchObject([
			{ value: 'separate_vocal', description: '10 credits' },
			{ value: 'split_stem', description: '50 credits' },
			{ value: 'split_stem_advanced', description: '20 credits' },
		]);
	});

	/** A property, and the values of another one with which it shows; `hide` those with which not. */
	test.each<[id: string, label: string, when: object]>([
		['generate', 'Prompt', { hide: { custom_mode: [true, EXPRESSION] } }],
		['generate', 'Lyrics', { show: { custom_mode: [true] } }],
		['generate', 'Style', { show: { custom_mode: [true] } }],
		['generate', 'Title', { show: { custom_mode: [true] } }],
		['generate', 'Persona Model', { show: { '/model': ['V5', 'V5_5'] } }],
		['upload_cover', 'Prompt', { hide: { custom_mode: [true, EXPRESSION] } }],
		['upload_cover', 'Lyrics', { show: { custom_mode: [true] } }],
		['upload_cover', 'Style', { show: { custom_mode: [true] } }],
		['upload_cover', 'Title', { show: { custom_mode: [true] } }],
		['extend', 'Style', { show: { default_param_flag: [true] } }],
		['upload_extend', 'Style', { show: { default_param_flag: [true] } }],
		['replace_section', 'Source Job ID', { show: { audioFrom: ['job'] } }],
		['replace_section', 'Audio ID', { show: { audioFrom: ['job'] } }],
		['replace_section', 'Audio File', { show: { audioFrom: ['file'] } }],
		['stems', 'Source Job ID', { show: { audioFrom: ['job'] } }],
		['stems', 'Audio ID', { show: { audioFrom: ['job'] } }],
		['stems', 'Audio File', { show: { audioFrom: ['file'] } }],
		['stems', 'Stem Name', { show: { separation_type: ['split_stem_advanced'] } }],
	])('%s: %s shows by %j', (id, label, when) => {
		expect(dependent(id)).toContainEqual([label, when]);
	});

	test('no other field depends on another', () => {
		expect(Object.keys(FIELDS).flatMap(dependent)).toHaveLength(18);
	});

	test('the words of the prompt follow the mode', () => {
		const labels = topLevel('generate').filter(({ name }) => name === 'prompt');
		expect(labels.map(({ displayName, description }) => [displayName, description])).toEqual([
			['Prompt', 'What to make. At most 5000 characters'],
			['Lyrics', 'The words to sing. At most 5000 characters'],
		]);
	});

	test.each(['stems', 'replace_section'])('%s asks where the audio comes from', (id) => {
		expect(property(id, 'audioFrom')).toMatchObject({
			displayName: 'Audio From',
			type: 'options',
			default: 'job',
			options: [
				{ name: 'Earlier Job', value: 'job' },
				{ name: 'File', value: 'file' },
			],
		});
	});

	test('a dropdown is a text in the form of a tool, with its values in the description', () => {
		const [dropdown, text] = form('generate').filter(({ name }) => name === 'model');
		expect(dropdown).toMatchObject({
			type: 'options',
			displayOptions: { hide: { '@tool': [true] } },
		});
		expect(text).toMatchObject({
			displayName: 'Model',
			type: 'string',
			default: 'V5_5',
			required: true,
			description: 'Version of the music model. Takes V5_5, V5, V4_5PLUS, V4_5ALL, V4_5 or V4',
			displayOptions: { show: { '@tool': [true] } },
		});
	});

	test.each([
		['generate', 'style_weight', /0 to 1, in steps of 0\.01$/],
		['voice_generate', 'upload', /MP3 or WAV, up to 8 minutes\./],
		['extend', 'prompt', /is not documented\./],
		['upload_extend', 'prompt', /is not documented\./],
	])('%s.%s says what is known', (id, name, known) => {
		expect(property(id, name).description).toMatch(known);
	});

	test.each(['extend', 'upload_extend'])('the prompt of %s is not called lyrics', (id) => {
		expect(property(id, 'prompt').displayName).toBe('Prompt');
	});

	/** Only the user knows where; what is sent untouched is paid for: 12 credits to extend, 6 to replace. */
	test.each([
		['extend', 'continue_at'],
		['upload_extend', 'continue_at'],
		['replace_section', 'infill_start_s'],
		['replace_section', 'infill_end_s'],
		['voice_validate', 'vocal_start_s'],
		['voice_validate', 'vocal_end_s'],
	])('%s.%s starts empty, and is asked for', (id, name) => {
		const { default: start, required, placeholder } = property(id, name);
		expect({ start, required }).toEqual({ start: null, required: true });
		expect(placeholder).toMatch(/^e\.g\. [1-9]/);
	});

	/** Sensible where the document has no default, and not the lower bound. */
	test.each([
		['generate', 'duration', 120],
		['mashup', 'duration', 120],
		['sounds', 'sound_tempo', 120],
		['generate', 'style_weight', 0.5],
		['generate', 'weirdness_constraint', 0.5],
		['generate', 'audio_weight', 0.5],
		['extend', 'source', '={{ $json.details?.sourceJobId ?? $json.jobId }}'],
		['midi', 'source', '={{ $json.jobId }}'],
		['extend', 'audio_id', '={{ $json.details?.sourceAudioId ?? $json.audioId }}'],
		['stems', 'audio_id', '={{ $json.audioId }}'],
		['upload_cover', 'upload', 'data'],
		['mashup', 'upload2', 'data2'],
		['stems', 'upload', 'data'],
	])('%s.%s starts with %j', (id, name, start) => {
		expect(property(id, name).default).toBe(start);
	});
});

/** Labels of the properties of an operation that depend on others, and how. */
function dependent(id: string) {
	return [...topLevel(id), ...additional(id)].flatMap(({ displayName, displayOptions = {} }) => {
		const { resource: _resource, operation: _operation, ...show } = displayOptions.show ?? {};
		const { '@tool': _tool, ...hide } = displayOptions.hide ?? {};
		const when = {
			...(Object.keys(show).length > 0 ? { show } : {}),
			...(Object.keys(hide).length > 0 ? { hide } : {}),
		};
		return Object.keys(when).length > 0 ? [[displayName, when] as const] : [];
	});
}
