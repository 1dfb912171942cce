import type { IDataObject } from 'n8n-workflow';

import type { JobSnapshot } from '../../../nodes/shared/orders/job.ts';
import type { Order } from '../../../nodes/shared/orders/order.ts';
import { withRead } from '../../../nodes/shared/run/recover.ts';
import { arranged, flat } from '../../../nodes/shared/output/itemFields.ts';
import { jobOutput, originOf, type Origin } from '../../../nodes/shared/output/jobOutput.ts';
import { failedItem } from '../../../nodes/shared/run/outputs.ts';
import { paidJson } from '../../../nodes/shared/run/table.ts';
import { CATALOGS } from '../../../nodes/shared/spec/catalogs.ts';

/** A simplified item is simple: at most ten fields, the same ones first, whatever has become of the job. */

const MOST = 10;

const url = (name: string) => `https://cdn.example/${name}`;

/** A record that says all that a record may say. */
const RECORD = {
	id: 'j',
	prompt: 'a cat',
	model: 'V5',
	credits_used: 12,
	credits_remaining: 88,
	created_at: '2026-01-01T00:00:00Z',
	completed_at: '2026-01-01T00:00:09Z',
	error_message: 'Not allowed.',
	lyrics: 'La la',
	thumbnail: url('t.png'),
};

const RESULTS = {
	image: { image_url: url('a.png') },
	video: { video_url: url('a.mp4') },
	audio: {
		tracks: [
			{ audio_id: 'a', audio_url: url('a.mp3') },
			{ audio_id: 'b', audio_url: url('b.mp3') },
		],
	},
	text: {},
	nothing: { thumbnail: undefined },
};

const job = (state: string | undefined, record: object, more: Partial<JobSnapshot> = {}) =>
	({ id: 'j', state, record: { ...RECORD, ...record }, waitedMs: 9000, ...more }) as JobSnapshot;

/** All that may become of a job, but for its media. */
const OTHER_OUTCOMES: Record<string, JobSnapshot> = {
	failed: job('failed', { status: 'failed' }),
	'timed out': job('processing', {}, { timedOut: true }),
	'not waited': job('processing', {}, { notWaited: 'No path.', creation: { ticket: 't' } }),
	'only begun': job(undefined, {}, { creation: { ticket: 't', taskId: 'x', status: 'new' } }),
};

const OUTCOMES: Record<string, JobSnapshot> = {
	...OTHER_OUTCOMES,
	...Object.fromEntries(
		Object.entries(RESULTS).map(([made, result]) => [
			`completed with ${made}`,
			job('completed', { status: 'completed', ...result }),
		]),
	),
};

const CREATIONS = CATALOGS.flatMap(({ operations }) => operations).flatMap((operation) =>
	operation.kind === 'create' ? [operation] : [],
);

const ORIGINS: Array<[string, Origin]> = [
	...CREATIONS.map((operation): [string, Origin] => [
		`${operation.resource}.${operation.operation}`,
		{
			...originOf(operation, { source: 's', audio_id: 't' }, {}),
			statusPath: '/state/{id}',
			isAnswerOpen: true,
		},
	]),
	['a job that was found by its ID', { startedWith: 'generation' }],
	['one that says that it is audio', { mediaType: 'audio', startedWith: 'music' }],
];

const SIMPLIFIED = { simplify: true, resultField: '' };

test.each(ORIGINS)('%s: ten fields at most, in every case', (_name, origin) => {
	for (const [outcome, snapshot] of Object.entries(OUTCOMES)) {
		const item = jobOutput(snapshot, origin, SIMPLIFIED);
		// Completed without a URL: what else the record says.
		const isBare = snapshot.state === 'completed' && !item.mediaUrl;
		const bare = isBare ? arranged({ ...item, result: { lyrics: 'La' } }, 'job') : {};
		const error = { message: 'No', description: 'Why' };
		const advice = { charged: 'yes', retry: 'waitForJob' } as const;
		const failed = failedItem(error, { ...item, ...advice }, 'item');
		for (const [what, told] of Object.entries({ item, bare, failed })) {
			const names = Object.keys(told);
			expect([outcome, what, names.length <= MOST, names]).toEqual([outcome, what, true, names]);
		}
	}
});

test.each(
	CREATIONS.map((operation) => [`${operation.resource}.${operation.operation}`, operation]),
)('%s: what an execution has paid for, too', (_name, operation) => {
	const { resource, operation: name } = operation;
	const paid = (outcome: Order['outcome']) =>
		paidJson({
			order: {
				...{ id: 'o', run: 0, row: 3, orderedIn: '7', execution: '7', asks: '', sentAt: 0 },
				credential: 'c',
				started: { resource, operation: name, prompt: 'a cat', model: 'V5' },
				outcome,
			},
			...{ executionId: '7', node: 'MediaGen' },
		});
	const kept = { id: 'j', startedAt: 0, status: { unknown: '' } };
	const records = [RECORD, ...Object.values(OUTCOMES).map(({ record }) => record)];
	const rows = [
		...records.flatMap((creation) =>
			(['running', 'completed', 'failed'] as const).map((state) =>
				paid({ state, job: { ...kept, creation } }),
			),
		),
		paid({ state: 'unknown', why: 'No answer', mayBe: [], answer: '{}' }),
	];
	// One more has the workflow whose execution was stopped, or why it was not read.
	for (const row of rows) expect(Object.keys(row).length).toBeLessThan(MOST);
	const read = Object.values(OUTCOMES).map((snapshot) =>
		jobOutput(snapshot, { mediaType: operation.mediaType, startedWith: 'x' }, SIMPLIFIED),
	);
	const named = rows.filter(({ jobId }) => jobId !== null);
	for (const row of named.flatMap((one) => read.map((item) => withRead(one, item)))) {
		const names = Object.keys(row);
		expect([names.length <= MOST, names]).toEqual([true, names]);
		expect(row).toMatchObject({ itemIndex: 3, prompt: 'a cat' });
	}
});

test('what the next node uses first comes first, by what was made', () => {
	const names = (mediaType: Origin['mediaType'], outcome: string) =>
		Object.keys(
			jobOutput(OUTCOMES[outcome]!, { mediaType, startedWith: 'generation' }, SIMPLIFIED),
		).join(' ');
	expect(names('image', 'completed with image')).toBe(
		'mediaUrl status jobId mediaType creditsUsed mediaUrls prompt details',
	);
	expect(names('audio', 'completed with audio')).toBe(
		'mediaUrl status jobId mediaType creditsUsed mediaUrls audioId takes prompt details',
	);
	expect(names('text', 'completed with nothing')).toBe(
		'status jobId mediaType creditsUsed result prompt details',
	);
	expect(names('video', 'failed')).toBe(
		'mediaUrl status jobId mediaType creditsUsed errorMessage charged retry prompt details',
	);
	expect(names('video', 'timed out')).toBe(
		'mediaUrl status jobId mediaType creditsUsed mediaUrls timedOut prompt details',
	);
	expect(names('video', 'not waited')).toBe(
		'mediaUrl status jobId mediaType creditsUsed mediaUrls notWaited prompt details',
	);
});

test('nothing is lost by the arranging, and it may be done again', () => {
	const item: IDataObject = {
		b: 1,
		status: 'queued',
		details: { c: 2 },
		mediaUrl: null,
		d: undefined,
	};
	const once = arranged(item, 'job');
	expect(Object.entries(once)).toEqual([
		['mediaUrl', null],
		['status', 'queued'],
		['details', { b: 1, c: 2 }],
	]);
	expect(arranged(once, 'job')).toEqual(once);
	expect(flat(once)).toEqual({ mediaUrl: null, status: 'queued', b: 1, c: 2 });
});
