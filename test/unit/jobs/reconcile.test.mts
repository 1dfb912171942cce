import { claimsOf } from '../../../nodes/shared/jobs/claims.ts';
import type { Job } from '../../../nodes/shared/jobs/job.ts';
import { PendingPrompts } from '../../../nodes/shared/jobs/pendingPrompts.ts';
import { reconcile, type UnknownCreation } from '../../../nodes/shared/jobs/reconcile.ts';
import { ServiceError } from '../../../nodes/shared/service/serviceError.ts';
import { GENERATE_IMAGE, GENERATE_IMAGE_UNIFIED } from '../../../nodes/shared/spec/images.ts';
import type { CreateOperation } from '../../../nodes/shared/spec/types.ts';
import { VIDEO_CATALOG } from '../../../nodes/shared/spec/catalogs.ts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** When the creations were sent. */
const AT = Date.parse('2026-01-01T12:00:00.000Z');

const clock = new VirtualClock(AT + 300_000);

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

/** Older than the time in question. */
const OLD = entry('old', 'another', -200_000, 'completed');

/** A job that this run knows: made after the time in question, and listed before it has ended. */
const MINE = entry('mine', 'mine', 100);

const creation = (
	itemIndex: number,
	prompt: string,
	operation: CreateOperation = GENERATE_IMAGE,
): UnknownCreation => ({ itemIndex, operation, prompt, request: prompt, sentAt: AT });

/** A job as this run remembers it. */
const known = (id: string, startedAt: number): Job => ({
	id,
	status: { path: '/s', urlFields: {} },
	creation: {},
	startedAt,
});

const KNOWN = known('mine', AT + 100_000);

let accounts = 0;

/** A run of an account of its own; the history is what the function gives for each request. */
function runWith(history: (offset: number) => unknown, jobs: Job[] = [KNOWN]) {
	const account = `reconcile ${++accounts}`;
	const send = async ({ query: { offset = 0 } }: { query: { offset?: number } }) => history(offset);
	const run = {
		service: { account, send: async (request: never) => await send(request) },
		clock,
		account: {
			claims: claimsOf(account, clock),
			pending: new PendingPrompts(),
			unfinishedShown: new Set<string>(),
		},
		ledger: { jobs },
	};
	return run as unknown as Parameters<typeof reconcile>[0];
}

/** A history that never gives more than so many entries, whatever is asked for. */
const paged =
	(entries: unknown[], size = 20) =>
	(offset: number) =>
		entries.slice(offset, offset + size);

/** Of each item: the job's identifier, `none`, or `unknown`. */
async function outcomes(
	run: ReturnType<typeof runWith>,
	creations: UnknownCreation[],
): Promise<string[]> {
	const found = await clock.run(reconcile(run, creations));
	return creations.map(({ itemIndex }) => {
		const outcome = found.get(itemIndex);
		return typeof outcome === 'object' ? outcome.id : String(outcome);
	});
}

const catIn = async (entries: unknown[], size?: number) =>
	(await outcomes(runWith(paged(entries, size)), [creation(0, 'cat')]))[0];

const newestFirst = (one: Told, other: Told) => (one.created_at > other.created_at ? -1 : 1);

describe('a job of the prompt, made when it was sent', () => {
	test('is the one', async () => {
		const run = runWith(paged([MINE, entry('a', 'cat', 3), entry('b', 'dog', 2), OLD]));
		expect(await outcomes(run, [creation(0, 'dog'), creation(1, 'cat')])).toEqual(['b', 'a']);
		const alone = runWith(paged([entry('a', 'cat', 3)]), []);
		const [found] = (await clock.run(reconcile(alone, [creation(0, 'cat')]))).values();
		expect(found).toEqual({
			id: 'a',
			status: { path: '/api/v1/generate/a/', urlFields: { video: 'video_url' }, isInHistory: true },
			creation: entry('a', 'cat', 3),
			startedAt: AT + 3000,
		});
	});

	test('of a prompt that was sent twice: each is of one item', async () => {
		const items = [creation(0, 'cat'), creation(1, 'cat'), creation(2, 'cat')];
		const run = runWith(paged([MINE, entry('a', 'cat', 3), entry('b', 'cat', 2), OLD]));
		expect(await outcomes(run, items)).toEqual(['a', 'b', 'none']);
	});

	test('that was sent twice with other fields: the history does not tell them apart', async () => {
		const items = [creation(0, 'cat'), { ...creation(1, 'cat'), request: 'wide' }];
		const run = runWith(paged([MINE, entry('a', 'cat', 3), entry('b', 'cat', 2), OLD]));
		expect(await outcomes(run, items)).toEqual(['unknown', 'unknown']);
	});

	test('while another is just being made: it may be that one', async () => {
		const run = runWith(paged([MINE, entry('a', 'cat', 3), OLD]));
		const arrived = run.account.pending.add(' Cat');
		expect(await outcomes(run, [creation(0, 'cat')])).toEqual(['unknown']);
		arrived();
		expect(await outcomes(run, [creation(0, 'cat')])).toEqual(['a']);
	});

	test('and one more than was looked for: one of them is of somebody else', async () => {
		expect(await catIn([MINE, entry('a', 'cat', 3), entry('b', 'cat', 2), OLD])).toBe('unknown');
	});

	test('is not for this run where another has claimed it, or this one knows it', async () => {
		const entries = [MINE, entry('a', 'cat', 3), entry('b', 'cat', 2), OLD];
		const run = runWith(paged(entries), [KNOWN, known('b', AT)]);
		claimsOf(run.service.account, clock).add('a');
		expect(await outcomes(run, [creation(0, 'cat')])).toEqual(['none']);
	});

	test.each([
		['text_to_image', 'a'],
		['Image', 'a'],
		['image_to_video', 'none'],
		['video', 'none'],
		['picture', 'unknown'],
		[undefined, 'unknown'],
	])('of the type %s: %s', async (generation_type, expected) => {
		const entries = [MINE, { ...entry('a', 'cat', 3), generation_type }, OLD];
		expect(await catIn(entries)).toBe(expected);
	});

	test('of a type that the jobs of this run have, too', async () => {
		const generation_type = undefined;
		const entries = [
			{ ...MINE, generation_type },
			{ ...entry('a', 'cat', 3), generation_type },
		];
		expect(await catIn(entries)).toBe('a');
	});

	test('with fields of a video is no image', async () => {
		const told = { ...entry('a', 'cat', 3), generation_type: undefined, video_model: 'modelA' };
		expect(await catIn([MINE, told, OLD])).toBe('none');
	});
});

describe('a job of the prompt, made at another time', () => {
	test.each([
		[-11, 'unknown'],
		[-10, 'a'],
		[60, 'a'],
		[61, 'unknown'],
		[-599, 'unknown'],
		[599, 'unknown'],
		[-600, 'none'],
		[600, 'none'],
	])('%s s after, by a clock that is known to be right: %s', async (seconds, expected) => {
		expect(await catIn([entry('a', 'cat', seconds), MINE, OLD].sort(newestFirst))).toBe(expected);
	});

	test.each([
		[-86_399, 'unknown'],
		[86_399, 'unknown'],
		[-86_400, 'none'],
	])('%s s after, by a clock that is known to be wrong: %s', async (seconds, expected) => {
		const entries = [entry('a', 'cat', seconds), MINE, OLD].sort(newestFirst);
		const run = runWith(paged(entries), [known('mine', AT)]);
		expect(await outcomes(run, [creation(0, 'cat')])).toEqual([expected]);
	});
});

describe('how far the clock of the service is from ours', () => {
	test.each([
		[9_999, 'none'],
		[10_000, 'unknown'],
	])('a job that we know is told %i ms off: 10 minutes prove %s', async (ms, expected) => {
		const entries = [MINE, entry('a', 'cat', -600), OLD];
		const run = runWith(paged(entries), [known('mine', AT + 100_000 + ms)]);
		expect(await outcomes(run, [creation(0, 'cat')])).toEqual([expected]);
	});

	test('one job that is told right is enough', async () => {
		const entries = [MINE, entry('mine2', 'mine', 90), entry('a', 'cat', -600), OLD];
		const run = runWith(paged(entries), [KNOWN, known('mine2', AT)]);
		expect(await outcomes(run, [creation(0, 'cat')])).toEqual(['none']);
	});
});

describe('minutes off, by a clock that is right, only a prompt that is alike leaves it open', () => {
	test.each([
		['cat, enhanced', 'unknown'],
		['ca', 'unknown'],
		['ca…', 'unknown'],
		['ca...', 'unknown'],
		['big cat', 'none'],
		['at', 'none'],
		['c…at', 'none'],
	])('%s: %s', async (told, expected) => {
		expect(await catIn([entry('a', told, 120), MINE, OLD])).toBe(expected);
	});
});

describe('orders of different times', () => {
	const EARLIER = { ...creation(0, 'cat'), sentAt: AT - 1_000_000 };

	test('two jobs of the prompt may not both be of the later one', async () => {
		const run = runWith(paged([MINE, entry('a', 'cat', 3), entry('b', 'cat', 2), OLD]));
		const items = [EARLIER, creation(1, 'cat')];
		expect(await outcomes(run, items)).toEqual(['none', 'unknown']);
	});

	test('the history is read back to the earliest', async () => {
		const entries = [MINE, entry('e', 'another', -20), entry('a', 'cat', -999), OLD];
		const run = runWith(paged(entries, 2));
		expect(await outcomes(run, [EARLIER, creation(1, 'dog')])).toEqual(['a', 'none']);
	});

	test('and by as much further as the clocks may differ', async () => {
		const entries = [MINE, entry('e', 'another', 5), entry('a', 'cat', -5), OLD];
		expect(await catIn(entries, 2)).toBe('a');
	});
});

describe('it is not in the history', () => {
	test('it was never made, where that is up to date and lists unfinished jobs of the type', async () => {
		expect(await catIn([MINE, OLD])).toBe('none');
	});

	test('a job made at the very time that it was sent makes the history up to date', async () => {
		expect(await catIn([entry('mine', 'mine', 0), OLD])).toBe('none');
	});

	test.each<[string, Told[]]>([
		['only jobs that have ended', [{ ...MINE, status: 'completed' }, OLD]],
		['only jobs that have ended, one in another way', [{ ...MINE, status: 'cancelled' }, OLD]],
		['nothing that was made since', [entry('mine', 'mine', -1), OLD]],
		['a job of that time under another prompt', [MINE, entry('a', 'Cat, enhanced', 3), OLD]],
		['a job of that time under a prompt like it', [MINE, entry('a', '&quot;cat', 3), OLD]],
	])('that proves nothing where it lists %s', async (_, entries) => {
		expect(await catIn(entries)).toBe('unknown');
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
		const run = runWith(paged([entry('theirs', 'theirs', 100), OLD]), []);
		run.account.claims.add('theirs');
		expect(await outcomes(run, [creation(0, 'cat')])).toEqual(['none']);
	});

	test('what was seen of it earlier counts, too', async () => {
		const run = runWith(paged([{ ...MINE, status: 'completed' }, OLD]));
		run.account.unfinishedShown.add('image');
		expect(await outcomes(run, [creation(0, 'cat')])).toEqual(['none']);
	});
});

describe('a prompt that the service has changed', () => {
	test.each([
		['trimmed', '  A big\n cat ', 'A big cat', 'a'],
		['in lower case', 'A big cat', 'a big cat', 'a'],
		['cut', 'A big cat', 'A big', 'unknown'],
		['cut, with an ellipsis', 'A big cat', 'A bi…', 'unknown'],
		['prolonged', 'A big cat', 'A big cat, best quality', 'unknown'],
		['left empty', 'A big cat', '', 'unknown'],
	])('%s', async (_, sent, told, expected) => {
		const run = runWith(paged([MINE, entry('a', told, 3), OLD]));
		expect(await outcomes(run, [creation(0, sent)])).toEqual([expected]);
	});
});

test('a time without a zone may be any hour: it neither finds a job nor rules it out', async () => {
	const noZone = (told: Told) => ({ ...told, created_at: told.created_at.replace('Z', '') });
	expect(await catIn([MINE, noZone(entry('a', 'cat', 3)), OLD])).toBe('unknown');
	expect(await catIn([MINE, noZone(entry('a', 'cat', 9 * 3600)), OLD])).toBe('unknown');
	expect(await catIn([MINE, noZone(entry('a', 'dog', 9 * 3600)), OLD])).toBe('unknown');
});

const others = Array.from({ length: 5 }, (_, i) => entry(`e${i}`, 'another', 200 - i));
const own = entry('a', 'cat', 3);

test.each<[string, Told[], string]>([
	['newest first, and has it', [...others, MINE, own, OLD], 'a'],
	['newest first, and has it not', [...others, MINE, OLD], 'none'],
	['oldest first, and has it', [OLD, own, MINE, ...others.toReversed()], 'a'],
	['oldest first, and has it at its end', [OLD, entry('o', 'another', -50), own], 'a'],
	['oldest first, two of them at once', [OLD, { ...OLD, id: 'old2' }, own, MINE], 'a'],
	['oldest first, and has it not', [OLD, MINE, ...others.toReversed()], 'none'],
])('pages of two entries: a history that is %s', async (_, entries, expected) => {
	expect(await catIn(entries, 2)).toBe(expected);
});

test('a history that knows no pages is believed for what it shows, not for what it does not', async () => {
	const items = [creation(0, 'cat'), creation(1, 'dog')];
	const run = runWith(() => [MINE, ...others, own]);
	expect(await outcomes(run, items)).toEqual(['a', 'unknown']);
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
	[1998, 'none'],
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
