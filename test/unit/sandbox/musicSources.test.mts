import { openMusic } from './musicHarness.mts';
import { acceptedBody, MUSIC_IDS, MUSIC_REQUESTS, type MusicId } from './musicRequests.mts';

/** Section "Music catalog", GEN_SET. */
const GEN_SET: MusicId[] = [
	...(['generate', 'extend', 'upload_cover', 'upload_extend', 'add_vocals'] as const),
	...(['add_instrumental', 'replace_section', 'mashup', 'sounds'] as const),
];
const VOICE: MusicId[] = ['voice_validate', 'voice_regenerate'];

const ALLOWED = {
	extend: GEN_SET,
	wav: GEN_SET,
	midi: ['stems'],
	timestamped_lyrics: GEN_SET,
	cover_art: GEN_SET,
	music_video: GEN_SET,
	recovery: GEN_SET,
	voice_regenerate: VOICE,
	voice_generate: VOICE,
	remix: GEN_SET,
	// Optional: "one of the caller's generated takes".
	replace_section: GEN_SET,
	stems: GEN_SET,
} satisfies Partial<Record<MusicId, MusicId[]>>;

type Sourced = keyof typeof ALLOWED;
const SOURCED = Object.keys(ALLOWED) as Sourced[];

/** Many requests within the same second of the virtual clock. */
const UNLIMITED = { limits: { requestsPerWindow: 10_000, concurrent: 10_000 } };

/** One finished job of each operation, with the first of its takes. */
const allFinished = async (opened: Awaited<ReturnType<typeof openMusic>>) => {
	const finished = new Map<MusicId, { source: string; take: string }>();
	for (const id of MUSIC_IDS) {
		const { id: source, takes } = await opened.make(id, await acceptedBody(opened, id));
		finished.set(id, { source, take: takes[0]?.audio_id ?? 'none' });
	}
	return finished;
};

describe('source', () => {
	it('is a job of one of the operations that are allowed, and of no other', async () => {
		const opened = await openMusic({}, { ...UNLIMITED, credits: { purchased: 10_000 } });
		const finished = await allFinished(opened);
		const taken: Partial<Record<Sourced, MusicId[]>> = {};
		const refusals = new Set<string>();
		for (const id of SOURCED) {
			const { body, ofTake } = MUSIC_REQUESTS[id];
			taken[id] = [];
			for (const [before, { source, take }] of finished) {
				const sent = { ...body, source, ...(ofTake && { audio_id: take }) };
				const answer = await opened.submit(id, sent);
				if (answer.status === 201) taken[id].push(before);
				else refusals.add(`${id} ${answer.status} ${JSON.stringify(answer.body.details)}`);
			}
			taken[id].sort();
		}
		const allowed = SOURCED.map((id) => [id, [...ALLOWED[id]].sort()]);
		expect(taken).toEqual(Object.fromEntries(allowed));
		const refusal = (id: Sourced) =>
			`${id} 400 {"source":"Must be the id of a job of: ${ALLOWED[id].join(', ')}."}`;
		expect([...refusals]).toEqual(SOURCED.map(refusal));
	});

	it.each(SOURCED.filter((id) => !['replace_section', 'stems'].includes(id)))(
		'%s cannot do without',
		async (id) => {
			const { submit, sandbox } = await openMusic();
			const body = { ...MUSIC_REQUESTS[id].body, audio_id: 'take' };
			for (const source of [undefined, '']) {
				const answer = await submit(id, { ...body, source });
				expect(answer.status).toBe(400);
				expect(answer.body.details).toMatchObject({ source: 'This field is required.' });
			}
			expect(sandbox.jobs).toEqual([]);
		},
	);

	it('is a job of the music studio that there is', async () => {
		const { submit, image, clock } = await openMusic();
		const picture = await image();
		await clock.advance(5000);
		for (const source of [picture, '00000000-0000-4000-8000-000000000000', 'no id', 7]) {
			const answer = await submit('recovery', { source });
			expect(answer.status).toBe(400);
			expect(Object.keys(answer.body.details)).toEqual(['source']);
		}
	});

	it('is completed', async () => {
		const { submit, clock } = await openMusic();
		const start = async (prompt: string) =>
			(await submit('generate', { model: 'V5', prompt })).body.data.generation_id;
		const sources = [await start('rain'), await start('[fail]')];
		const problems = async () => {
			const answers = sources.map(async (source) => submit('recovery', { source }));
			return (await Promise.all(answers)).map(({ body }) => body.details?.source);
		};
		expect(await problems()).toEqual(['This job is queued.', 'This job is queued.']);
		await clock.advance(5000);
		expect(await problems()).toEqual([undefined, 'This job is failed.']);
	});

	it('is kept with the job', async () => {
		const opened = await openMusic();
		await opened.make('wav', await acceptedBody(opened, 'wav'));
		const [song, wav] = opened.sandbox.jobs;
		expect(wav?.source).toBe(song);
	});
});

describe('audio_id', () => {
	it.each(SOURCED.filter((id) => MUSIC_REQUESTS[id].ofTake))(
		'of %s is a take of its source',
		async (id) => {
			const opened = await openMusic();
			const { make, submit } = opened;
			const body = await acceptedBody(opened, id);
			const other = await make('generate', { model: 'V5' });
			for (const audio_id of ['take', other.takes[0]?.audio_id, body.source]) {
				const answer = await submit(id, { ...body, audio_id });
				expect(answer.status).toBe(400);
				expect(answer.body.details).toEqual({
					audio_id: 'Must be one of the takes of the job in source.',
				});
			}
			expect((await submit(id, body)).status).toBe(201);
		},
	);
});
