import { Claims } from '../../../nodes/shared/jobs/claims.ts';
import type { Job } from '../../../nodes/shared/jobs/job.ts';
import { reconcile, type UnknownCreation } from '../../../nodes/shared/jobs/reconcile.ts';
import { ServiceError } from '../../../nodes/shared/service/serviceError.ts';
import { GENERATE_IMAGE, GENERATE_IMAGE_UNIFIED } from '../../../nodes/shared/spec/images.ts';
import type { CreateOperation } from '../../../nodes/shared/spec/types.ts';
import { VIDEO_CATALOG } from '../../../nodes/shared/spec/catalogs.ts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** When the creations were sent. */
const AT = Date.parse('2026-01-01T12:00:00.000Z');

const clock = new VirtualClock(AT + 300_000);

/** How the clock was set for all that is known, unless a test says otherwise. */
const SETTING = AT - 500_000_000;

interface Told {
	id: string;
	prompt?: string;
	status: string;
	generation_type?: string;
	created_at: string;
}

/** @param seconds from when they were sent */
const entry = (id: string, prompt: string, seconds: number, status = 'processing'): Told => ({
	id,
	prompt,
	status,
	generation_type: 'image',
	created_at: new Date(AT + seconds * 1000).toISOString(),
});

/** Of this run, older than the time in question: the service's clock is ours. */
const OLD = entry('old', 'another', -200_000, 'completed');

/** Of another run of this process: made after the time in question, and listed before it has ended. */
const MINE = entry('mine', 'mine', 100);

const creation = (
	itemIndex: number,
	prompt: string,
	operation: CreateOperation = GENERATE_IMAGE,
): UnknownCreation => ({ itemIndex, operation, prompt, sentAt: AT, clockSetting: SETTING });

/** A job as this run remembers it. */
const known = (id: string, startedAt: number, clockSetting?: number): Job => ({
	id,
	status: { path: '/s', urlFields: {} },
	creation: {},
	startedAt,
	clockSetting,
});

const KNOWN = known('old', AT - 200_000_000, SETTING);

let accounts = 0;

/** A run of an account of its own; the history is what the function gives for each request. */
function runWith(history: (offset: number) => unknown, jobs: Job[] = [KNOWN]) {
	const account = `reconcile ${++accounts}`;
	const send = async ({ query: { offset = 0 } }: { query: { offset?: number } }) => history(offset);
	const run = {
		service: { account, send: async (request: never) => await send(request) },
		clock,
		account: {
			claims: new Claims(),
			unfinishedShown: new Set<string>(),
		},
		ledger: { jobs },
	};
	run.account.claims.add('mine');
	return run as unknown as Parameters<typeof reconcile>[0];
}

/** A history that never gives more than so many entries, whatever is asked for. */
const paged =
	(entries: unknown[], size = 20) =>
	(offset: number) =>
		entries.slice(offset, offset + size);

/** Of each item: `absent`, the job that its answer names, or those that may be the one. */
async function outcomes(
	run: ReturnType<typeof runWith>,
	creations: UnknownCreation[],
): Promise<string[]> {
	const found = await clock.run(reconcile(run, creations));
	return creations.map(({ itemIndex }) => {
		const outcome = found.get(itemIndex)!;
		if (outcome.kind === 'named') return `named ${outcome.job.id}`;
		if (outcome.kind === 'absent') return 'absent';
		return ['unknown', ...outcome.candidates.map(({ jobId }) => jobId)].join(' ');
	});
}

const catIn = async (entries: unknown[], size?: number) =>
	(await outcomes(runWith(paged(entries, size)), [creation(0, 'cat')]))[0];

const newestFirst = (one: Told, other: Told) => (one.created_at > other.created_at ? -1 : 1);

describe('a job of the prompt, made when it was sent', () => {
	test('may be of somebody else: it is named, and not taken', async () => {
		const run = runWith(paged([MINE, entry('a', 'cat', 3), entry('b', 'dog', 2), OLD]));
		const items = [creation(0, 'dog'), creation(1, 'cat')];
		expect(await outcomes(run, items)).toEqual(['unknown b a', 'unknown a b']);
		const [found] = (await clock.run(reconcile(run, [creation(0, 'cat')]))).values();
		expect(found).toEqual({
			kind: 'unknown',
			candidates: [
				{ jobId: 'a', createdAt: '2026-01-01T12:00:03.000Z', prompt: 'cat' },
				{ jobId: 'b', createdAt: '2026-01-01T12:00:02.000Z', prompt: 'dog' },
			],
		});
	});

	test('is named for each of two items with the prompt', async () => {
		const items = [creation(0, 'cat'), creation(1, 'cat')];
		const run = runWith(paged([MINE, entry('a', 'cat', 3), OLD]));
		expect(await outcomes(run, items)).toEqual(['unknown a', 'unknown a']);
	});

	test('five of many are named, the nearest in time first, with the beginning of the prompt', async () => {
		const prompt = `cat ${'and mouse '.repeat(20)}`;
		const made = [9, 1, 300, 4, 7, 2].map((seconds) => entry(`s${seconds}`, prompt, seconds));
		const run = runWith(paged([MINE, ...made, OLD]));
		const items = [creation(0, prompt)];
		expect(await outcomes(run, items)).toEqual(['unknown s1 s2 s4 s7 s9']);
		const [found] = (await clock.run(reconcile(run, items))).values();
		const [first] = found?.kind === 'unknown' ? found.candidates : [];
		expect(first?.prompt).toHaveLength(61);
	});

	test('is not for this run where another has claimed it, or this one knows it', async () => {
		const entries = [MINE, entry('a', 'cat', 3), entry('b', 'cat', 2), OLD];
		const run = runWith(paged(entries), [KNOWN, known('b', AT)]);
		run.account.claims.add('a');
		expect(await outcomes(run, [creation(0, 'cat')])).toEqual(['absent']);
	});

	test.each([
		['text_to_image', 'unknown a'],
		['Image', 'unknown a'],
		['image_to_video', 'absent'],
		['video', 'absent'],
		['picture', 'unknown a'],
		[undefined, 'unknown a'],
	])('of the type %s: %s', async (generation_type, expected) => {
		const entries = [MINE, { ...entry('a', 'cat', 3), generation_type }, OLD];
		expect(await catIn(entries)).toBe(expected);
	});

	test('of another type, which the jobs of this run have, too', async () => {
		const generation_type = 'video';
		const entries = [
			MINE,
			{ ...OLD, generation_type },
			{ ...entry('a', 'cat', 3), generation_type },
		];
		expect(await catIn(entries)).toBe('unknown a');
	});

	test('with fields of a video is no image', async () => {
		const told = { ...entry('a', 'cat', 3), generation_type: undefined, video_model: 'modelA' };
		expect(await catIn([MINE, told, OLD])).toBe('absent');
	});
});

/** Its answer broke off, or had a form that nobody can read. */
const answered = (answer: string) => ({ ...creation(0, 'cat'), answer });

const ID = '0b9c2f6e-1111-4222-8333-444455556666';

describe('a job that the answer to the creation names', () => {
	const entries = [MINE, entry(ID, 'cat', 3), entry('a', 'cat', 2), OLD];

	test.each([
		[`{"success":true,"data":{"generation_id":"${ID}","sta`, `named ${ID}`],
		[`job ${ID} accepted`, `named ${ID}`],
		[`{"generation_id":"${ID}0"}`, `unknown a ${ID}`],
		['<html>Bad Gateway</html>', `unknown a ${ID}`],
	])('%s: %s', async (answer, expected) => {
		expect(await outcomes(runWith(paged(entries)), [answered(answer)])).toEqual([expected]);
	});

	test('is its job', async () => {
		const found = await clock.run(reconcile(runWith(paged(entries)), [answered(ID)]));
		expect(found.get(0)).toEqual({
			kind: 'named',
			job: {
				id: ID,
				status: {
					path: `/api/v1/generate/${ID}/`,
					urlFields: { video: 'video_url' },
					isInHistory: true,
				},
				creation: entry(ID, 'cat', 3),
				startedAt: AT + 3000,
			},
		});
	});

	test('is not, where its prompt is another', async () => {
		const list = [MINE, entry(ID, 'dog', 3), OLD];
		const [outcome] = await outcomes(runWith(paged(list)), [answered(ID)]);
		expect(outcome).toBe(`unknown ${ID}`);
	});

	test.each([
		['another prompt', entry(ID, 'dog', 300)],
		['another type', { ...entry(ID, 'cat', 3), generation_type: 'video' }],
	])('is not, where the history has it with %s', async (_, told) => {
		expect(await outcomes(runWith(paged([MINE, told, OLD])), [answered(ID)])).toEqual(['absent']);
	});

	test('is not, where it is so short that it may be there by chance', async () => {
		const list = [MINE, entry('8', 'cat', 3), OLD];
		const answer = '{"credits_used":8}';
		expect(await outcomes(runWith(paged(list)), [answered(answer)])).toEqual(['unknown 8']);
	});
});

describe('a job made at another time', () => {
	test.each([-86_399, -600, -11, 61, 3600, 86_399])(
		'%s s after, of the prompt: it may be the one, since clocks are set',
		async (seconds) => {
			const entries = [entry('a', 'cat', seconds), MINE, OLD].sort(newestFirst);
			expect(await catIn(entries)).toBe('unknown a');
		},
	);

	test('a day before, it is another', async () => {
		expect(await catIn([MINE, entry('a', 'cat', -86_400), OLD])).toBe('absent');
	});

	test.each([
		[-11, 'absent'],
		[-10, 'unknown a'],
		[60, 'unknown a'],
		[61, 'absent'],
	])('%s s after, of another prompt: %s', async (seconds, expected) => {
		expect(await catIn([entry('a', 'dog', seconds), MINE, OLD].sort(newestFirst))).toBe(expected);
	});

	test.each([
		[9_999, 'absent'],
		[10_000, 'unknown'],
	])('of another prompt, by a clock that is %i ms off: %s', async (ms, expected) => {
		const entries = [MINE, entry('a', 'dog', -600), OLD];
		const run = runWith(paged(entries), [known('old', AT - 200_000_000 + ms, SETTING)]);
		expect(await outcomes(run, [creation(0, 'cat')])).toEqual([expected]);
	});

	test('one job that is told right is enough', async () => {
		const entries = [MINE, entry('older', 'mine', -1000), entry('a', 'dog', -600), OLD];
		const run = runWith(paged(entries), [KNOWN, known('older', AT)]);
		expect(await outcomes(run, [creation(0, 'cat')])).toEqual(['absent']);
	});

	test.each([
		['cat, enhanced', 'unknown a'],
		['ca', 'unknown a'],
		['ca…', 'unknown a'],
		['ca...', 'unknown a'],
		['big cat', 'absent'],
		['at', 'absent'],
		['c…at', 'absent'],
	])('under the prompt %s: %s', async (told, expected) => {
		expect(await catIn([entry('a', told, 120), MINE, OLD])).toBe(expected);
	});
});

describe('orders of different times', () => {
	const EARLIER = { ...creation(0, 'cat'), sentAt: AT - 1_000_000 };

	test('the history is read back to the earliest', async () => {
		const entries = [MINE, entry('e', 'another', -20), entry('a', 'cat', -999), OLD];
		const run = runWith(paged(entries, 2));
		expect(await outcomes(run, [EARLIER, creation(1, 'dog')])).toEqual(['unknown a', 'absent']);
	});

	test('and by as much further as the clocks may differ', async () => {
		const entries = [MINE, entry('e', 'another', 500), entry('a', 'cat', -5), OLD];
		expect(await catIn(entries, 2)).toBe('unknown a');
	});
});

describe('it is not in the history', () => {
	test('it was never made, where that is up to date and lists unfinished jobs of the type', async () => {
		expect(await catIn([MINE, OLD])).toBe('absent');
	});

	test.each([
		[0, 'unknown'],
		[69, 'unknown'],
		[70, 'absent'],
	])(
		'that is up to date where a job is listed that was made after it can have been, %i s later: %s',
		async (seconds, expected) => {
			expect(await catIn([entry('mine', 'mine', seconds), OLD])).toBe(expected);
		},
	);

	test.each([
		['unknown', 'failed', true],
		['absent', 'of a family that is not listed', false],
	])('%s where it lacks a job that this run knows, %s', async (expected, _, isInHistory) => {
		const hidden = known('failed', AT - 60_000, SETTING);
		const status = { path: '/s', urlFields: {}, isInHistory };
		const run = runWith(paged([MINE, OLD]), [KNOWN, { ...hidden, status } as Job]);
		expect(await outcomes(run, [creation(0, 'cat')])).toEqual([expected]);
	});

	test('nor by a clock that is behind the service: what seems to be later was made before', async () => {
		const run = runWith(paged([MINE, OLD]), [known('old', AT - 200_120_000, SETTING)]);
		expect(await outcomes(run, [creation(0, 'cat')])).toEqual(['unknown']);
	});

	test.each([
		[0, 'absent'],
		[99, 'absent'],
		[-99, 'absent'],
		[100, 'unknown'],
		[-600_000, 'unknown'],
		[undefined, 'unknown'],
	])('by a clock that was set by %s ms after the job that we know: %s', async (ms, expected) => {
		const clockSetting = ms === undefined ? undefined : SETTING + ms;
		const run = runWith(paged([MINE, OLD]));
		expect(await outcomes(run, [{ ...creation(0, 'cat'), clockSetting }])).toEqual([expected]);
	});

	test('nor by a job whose time is from the history itself', async () => {
		const run = runWith(paged([MINE, OLD]), [known('old', AT - 200_000_000)]);
		expect(await outcomes(run, [creation(0, 'cat')])).toEqual(['unknown']);
	});

	test('nor by a clock that was set, where prompts are shown otherwise', async () => {
		const run = runWith(paged([MINE, entry('a', 'a feline', -3600), OLD]));
		const sent = { ...creation(0, 'cat'), clockSetting: SETTING + 3_600_000 };
		expect(await outcomes(run, [sent])).toEqual(['unknown']);
	});

	test('nor by a job of the run itself, which was made before: the clock has been set back', async () => {
		const run = runWith(paged([entry('own', 'own', 100), OLD]), [
			KNOWN,
			known('own', AT + 100_000),
		]);
		expect(await outcomes(run, [creation(0, 'cat')])).toEqual(['unknown']);
	});

	test.each<[string, Told[]]>([
		['only jobs that have ended', [{ ...MINE, status: 'completed' }, OLD]],
		['only jobs that have ended, one in another way', [{ ...MINE, status: 'cancelled' }, OLD]],
		['nothing that was made since', [entry('mine', 'mine', -1), OLD]],
		['a job of that time under another prompt', [MINE, entry('a', 'Cat, enhanced', 3), OLD]],
		['a job of that time under a prompt like it', [MINE, entry('a', '&quot;cat', 3), OLD]],
	])('that proves nothing where it lists %s', async (_, entries) => {
		expect(await catIn(entries)).toMatch(/^unknown/);
	});

	test('nor where it lists only jobs of another type, or does not tell the type', async () => {
		for (const generation_type of ['video', undefined]) {
			const entries = [{ ...MINE, generation_type }, OLD];
			const run = runWith(paged(entries), []);
			run.account.claims.add('mine');
			expect(await outcomes(run, [creation(0, 'cat')])).toEqual(['unknown']);
		}
	});

	test('unfinished jobs that are known to be of others prove it, too', async () => {
		const run = runWith(paged([entry('theirs', 'theirs', 100), OLD]));
		run.account.claims.add('theirs');
		expect(await outcomes(run, [creation(0, 'cat')])).toEqual(['absent']);
	});

	test('what was seen of it earlier counts, too', async () => {
		const run = runWith(paged([{ ...MINE, status: 'completed' }, OLD]));
		run.account.unfinishedShown.add('image');
		expect(await outcomes(run, [creation(0, 'cat')])).toEqual(['absent']);
	});
});

describe('a prompt that the service has changed', () => {
	test.each([
		['trimmed', '  A big\n cat ', 'A big cat', 'unknown a'],
		['in lower case', 'A big cat', 'a big cat', 'unknown a'],
		['cut', 'A big cat', 'A big', 'unknown a'],
		['cut, with an ellipsis', 'A big cat', 'A bi…', 'unknown a'],
		['prolonged', 'A big cat', 'A big cat, best quality', 'unknown a'],
		['left empty', 'A big cat', '', 'unknown a'],
	])('%s', async (_, sent, told, expected) => {
		const run = runWith(paged([MINE, entry('a', told, 3), OLD]));
		expect(await outcomes(run, [creation(0, sent)])).toEqual([expected]);
	});
});

test('a time without a zone may be any hour: it does not rule a job out', async () => {
	const noZone = (told: Told) => ({ ...told, created_at: told.created_at.replace('Z', '') });
	expect(await catIn([MINE, noZone(entry('a', 'cat', 3)), OLD])).toBe('unknown a');
	expect(await catIn([MINE, noZone(entry('a', 'cat', 9 * 3600)), OLD])).toBe('unknown a');
	expect(await catIn([MINE, noZone(entry('a', 'dog', 9 * 3600)), OLD])).toBe('unknown');
});

const others = Array.from({ length: 5 }, (_, i) => entry(`e${i}`, 'another', 200 - i));
const own = entry('a', 'cat', 3);

test.each<[string, Told[], string]>([
	['newest first, and has it', [...others, MINE, own, OLD], 'unknown a'],
	['newest first, and has it not', [...others, MINE, OLD], 'absent'],
	['oldest first, and has it', [OLD, own, MINE, ...others.toReversed()], 'unknown a'],
	['oldest first, and has it at its end', [OLD, entry('o', 'another', -50), own], 'unknown a'],
	['oldest first, two of them at once', [OLD, { ...OLD, id: 'old2' }, own, MINE], 'unknown a'],
	['oldest first, and has it not', [OLD, MINE, ...others.toReversed()], 'absent'],
])('pages of two entries: a history that is %s', async (_, entries, expected) => {
	expect(await catIn(entries, 2)).toBe(expected);
});

test('a history that knows no pages is believed for what it shows, not for what it does not', async () => {
	const items = [creation(0, 'cat'), creation(1, 'dog')];
	const run = runWith(() => [MINE, ...others, own]);
	expect(await outcomes(run, items)).toEqual(['unknown a', 'unknown a']);
});

/** Without the flaw, it would prove that the job was never made. */
const withFlaw = (flaw: unknown) => paged([MINE, flaw, OLD]);

const refused = () => {
	throw new ServiceError({ message: 'no', description: '', outcome: 'refused', status: 500 });
};

test.each<[string, (offset: number) => unknown]>([
	['is empty', () => []],
	['is no list', () => ({ success: true, data: { count: 3 } })],
	['is no list from the second page on', (offset) => (offset ? { count: 3 } : [OLD, MINE])],
	['has an entry without a prompt', withFlaw({ ...OLD, id: 'x', prompt: undefined })],
	['has an entry without a time', withFlaw({ ...OLD, id: 'x', created_at: 'yesterday' })],
	['has an entry without an identifier', withFlaw({ ...OLD, id: undefined })],
	['has an entry with an identifier of 501 characters', withFlaw({ ...OLD, id: 'x'.repeat(501) })],
	['has an entry in an envelope', withFlaw({ data: { ...OLD, id: 'x' } })],
	['has an entry that is half in an envelope', withFlaw({ ...OLD, id: 'x', data: { size: 7 } })],
	['has an entry that is a list', withFlaw([{ ...OLD, id: 'x' }])],
	['cannot be read', refused],
	['cannot be read to its end', (offset) => (offset ? refused() : [OLD, MINE])],
	[
		'is longer than anybody reads',
		(offset) => (offset ? [entry(`l${offset}`, 'long ago', offset - 1e6)] : [OLD, MINE]),
	],
])('unknown, where the history %s', async (_, history) => {
	expect(await outcomes(runWith(history), [creation(0, 'cat')])).toEqual(['unknown']);
});

test.each([
	[1998, 'absent'],
	[1999, 'unknown'],
	[200_000, 'unknown'],
])(
	'of a page that is larger than was asked for, 2,000 entries are read: %i more',
	async (count, expected) => {
		const page = Array.from({ length: count }, (_, i) => entry(`e${i}`, 'another', 200));
		const run = runWith(() => [...page, MINE, OLD]);
		expect(await outcomes(run, [creation(0, 'cat')])).toEqual([expected]);
	},
);

test('of jobs with a status of their own, the history tells nothing', async () => {
	const families = VIDEO_CATALOG.operations.filter(
		(operation): operation is CreateOperation =>
			operation.kind === 'create' && operation.resource !== 'standardVideo',
	);
	expect(families.length).toBeGreaterThan(8);
	for (const operation of [GENERATE_IMAGE_UNIFIED, ...families]) {
		const ofType = (told: Told) => ({ ...told, generation_type: operation.mediaType });
		for (const entries of [
			[MINE, OLD],
			[MINE, own, OLD],
		]) {
			const run = runWith(paged(entries.map(ofType)));
			expect(await outcomes(run, [creation(0, 'cat', operation)])).toEqual(['unknown']);
		}
	}
});
