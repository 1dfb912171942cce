import { clarify } from '../../../nodes/shared/durable/doubt.ts';
import { claimsOf } from '../../../nodes/shared/durable/neighbours.ts';
import type { OpenItem } from '../../../nodes/shared/durable/stretch.ts';
import type { Run } from '../../../nodes/shared/node/run.ts';
import { ServiceError } from '../../../nodes/shared/service/serviceError.ts';
import { GENERATE_IMAGE, GENERATE_IMAGE_UNIFIED } from '../../../nodes/shared/spec/images.ts';
import type { CreateOperation } from '../../../nodes/shared/spec/types.ts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** When the creations were about to be sent. */
const AT = Date.parse('2026-01-01T12:00:00.000Z');

const clock = new VirtualClock(AT + 300_000);

/** @param seconds from when it was about to be sent */
const entry = (id: string, prompt: string, seconds: number) => ({
	id,
	prompt,
	status: 'processing',
	created_at: new Date(AT + seconds * 1000).toISOString(),
});

const OLD = entry('old', 'another', -86_400);

const item = (itemIndex: number, prompt: string, operation: CreateOperation = GENERATE_IMAGE) =>
	({ itemIndex, order: { operation, request: { body: { prompt } } } }) as unknown as OpenItem;

/** One more entry for each request. */
function longHistory() {
	let count = 0;
	return () => [entry(`e${count++}`, 'another', 200)];
}

let accounts = 0;

/** A run of an account of its own; the history is what the function gives for each request. */
function runWith(history: (offset: number) => unknown): Run {
	const send = async ({ query: { offset = 0 } }: { query: { offset?: number } }) => history(offset);
	const service = {
		account: `doubt ${++accounts}`,
		send: async (request: never) => await send(request),
	};
	return { service, clock } as unknown as Run;
}

type Entries = Array<ReturnType<typeof entry>>;

/** A history that never gives more than so many entries, whatever is asked for. */
const paged = (entries: Entries, size: number) => (offset: number) =>
	entries.slice(offset, offset + size);

/** Of each item: the job's identifier, `none`, or `doubt`. */
async function fates(run: Run, items: OpenItem[]): Promise<string[]> {
	const found = await clock.run(clarify(run, items, AT));
	return items.map(({ itemIndex }) => {
		const fate = found.get(itemIndex);
		if (fate instanceof ServiceError) return 'doubt';
		return typeof fate === 'object' ? fate.id : String(fate);
	});
}

test('a job of the prompt, made when it was to be made, is the one', async () => {
	const run = runWith(() => [entry('a', 'cat', 3), entry('b', 'dog', 2), OLD]);
	expect(await fates(run, [item(0, 'dog'), item(1, 'cat')])).toEqual(['b', 'a']);
	const [found] = (
		await clock.run(
			clarify(
				runWith(() => [entry('a', 'cat', 3)]),
				[item(0, 'cat')],
				AT,
			),
		)
	).values();
	expect(found).toEqual({
		id: 'a',
		status: { path: '/api/v1/generate/a/', urlFields: { video: 'video_url' }, isInHistory: true },
		creation: entry('a', 'cat', 3),
		startedAt: AT + 3000,
	});
});

test('the same prompt twice: each job is of one item', async () => {
	const items = [item(0, 'cat'), item(1, 'cat'), item(2, 'cat')];
	const run = runWith(() => [entry('a', 'cat', 3), entry('b', 'cat', 2), OLD]);
	expect(await fates(run, items)).toEqual(['a', 'b', 'none']);
});

test('what another run has claimed is not for this one', async () => {
	const run = runWith(() => [entry('a', 'cat', 3), OLD]);
	claimsOf(run.service.account, clock).add('a');
	expect(await fates(run, [item(0, 'cat')])).toEqual(['none']);
});

test.each([
	[-11, 'doubt'],
	[-10, 'a'],
	[60, 'a'],
	[61, 'doubt'],
	[-599, 'doubt'],
	[599, 'doubt'],
	[-600, 'none'],
	[600, 'none'],
])('a job of the prompt, made %s s after: %s', async (seconds, expected) => {
	const run = runWith(() => [entry('a', 'cat', seconds), OLD]);
	expect(await fates(run, [item(0, 'cat')])).toEqual([expected]);
});

test('it is not in the history: it was never made', async () => {
	expect(await fates(runWith(paged([OLD], 20)), [item(0, 'cat')])).toEqual(['none']);
});

const others = Array.from({ length: 5 }, (_, i) => entry(`e${i}`, 'another', 200 - i));
const own = entry('a', 'cat', 3);

test.each<[string, Entries, string]>([
	['newest first, and has it', [...others, own, OLD], 'a'],
	['newest first, and has it not', [...others, OLD], 'none'],
	['oldest first, and has it', [OLD, own, ...others.toReversed()], 'a'],
	['oldest first, and has it at its end', [OLD, entry('o', 'another', -50), own], 'a'],
	['oldest first, and has it not', [OLD, ...others.toReversed()], 'none'],
])('pages of two entries: a history that is %s', async (_, entries, expected) => {
	expect(await fates(runWith(paged(entries, 2)), [item(0, 'cat')])).toEqual([expected]);
});

test('a history that knows no pages is believed for what it shows, not for what it does not', async () => {
	const items = [item(0, 'cat'), item(1, 'dog')];
	expect(
		await fates(
			runWith(() => [...others, own]),
			items,
		),
	).toEqual(['a', 'doubt']);
});

test.each<[string, () => unknown]>([
	['is empty', () => []],
	['is no list', () => ({ success: true, data: { count: 3 } })],
	['has an entry without a prompt', () => [{ ...OLD, prompt: undefined }]],
	['has an entry without a time', () => [{ ...OLD, created_at: 'yesterday' }]],
	['has an entry without an identifier', () => [{ ...OLD, id: undefined }]],
	[
		'cannot be read',
		() => {
			throw new ServiceError({ message: 'no', description: '', outcome: 'refused', status: 500 });
		},
	],
	['is longer than anybody reads', longHistory()],
])('in doubt, where the history %s', async (_, history) => {
	expect(await fates(runWith(history), [item(0, 'cat')])).toEqual(['doubt']);
});

test('a full page tells, where it reaches back far enough', async () => {
	const page = Array.from({ length: 99 }, (_, i) => entry(`e${i}`, 'another', 200));
	expect(
		await fates(
			runWith(() => [...page, OLD]),
			[item(0, 'cat')],
		),
	).toEqual(['none']);
});

test('of jobs that the history need not list, it tells nothing', async () => {
	const operation = { ...GENERATE_IMAGE_UNIFIED, status: { openPoint: 'x', only: true } };
	const items = [item(0, 'cat', operation as unknown as CreateOperation)];
	expect(await fates(runWith(paged([OLD], 20)), items)).toEqual(['doubt']);
});

test('the error says what to do', async () => {
	const [found] = (
		await clock.run(
			clarify(
				runWith(() => []),
				[item(0, 'cat')],
				AT,
			),
		)
	).values();
	expect(found).toMatchObject({
		outcome: 'unknown',
		message: 'n8n ended while this job was being created; it may exist, and may have been paid for',
		description: expect.stringContaining('Job > Get History') as string,
	});
});
