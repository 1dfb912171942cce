import { JOB_TRIGGER } from '../../../nodes/shared/spec/catalogs.ts';
import { historyEntries } from '../../../nodes/shared/jobs/historyEntries.ts';
import {
	listedJob,
	entryHints,
	streamsOf,
	type Stream,
} from '../../../nodes/shared/trigger/listedJobs.ts';

const [generations, videoStudio] = streamsOf(JOB_TRIGGER.sources, 'all', { account: 'a' });
const jobIn = (entry: unknown, stream: Stream, set: Record<string, string> = {}) => {
	const hints = entryHints(stream, { field: (name: string) => set[name] });
	return listedJob([...historyEntries([entry], 1, hints)!][0]!, stream);
};

/** The state of a Video Studio job is not documented; its history may have a `status` of something else. */
describe('an entry with a status that is no state', () => {
	const entry = { job_id: 'j1', status: 'ok', state: 'completed' };

	it('has the state that another field tells', () => {
		expect(jobIn(entry, videoStudio!)).toMatchObject({ state: 'completed' });
	});

	it('has the state that the credential names', () => {
		const own = { job_id: 'j1', status: 'ok', step: { now: 'FAILED' } };
		const job = jobIn(own, videoStudio!, { state: 'step.now' });
		expect(job).toMatchObject({ state: 'failed' });
	});

	it('has that status in the generation history, where the document has it', () => {
		expect(jobIn({ id: 'j1', status: 'ok' }, generations!)).toMatchObject({
			state: 'ok',
		});
	});
});

describe('what an entry may be', () => {
	const ended = { status: 'completed' };

	it.each([
		['null', null],
		['a number', 17],
		['a text', 'completed'],
		[
			'a list',
			[
				{ id: 'a', ...ended },
				{ id: 'b', ...ended },
			],
		],
		['a list of one', [{ id: 'a', ...ended }]],
		['empty', {}],
		['without an identifier', ended],
		['with a blank identifier', { id: '   ', ...ended }],
		['with an identifier that is an object', { id: { id: 'x' }, ...ended }],
		['with one of 501 characters', { id: 'x'.repeat(501), ...ended }],
	])('%s: no job, for want of an identifier', (_, entry) => {
		expect(jobIn(entry, generations!)).toBe('identifier');
	});

	it('without a state: no job', () => {
		expect(jobIn({ id: 'x' }, generations!)).toBe('state');
	});

	it('takes no time for one that is none', () => {
		const times = { created_at: 'yesterday', completed_at: 17 };
		const job = jobIn({ id: 'x', ...ended, ...times }, generations!);
		expect(job).toMatchObject({ createdAt: undefined, endedAt: undefined });
	});

	it('reads names that objects inherit as any other', () => {
		const entry = JSON.parse('{"__proto__": {"id": "y", "status": "completed"}, "constructor": 1}');
		expect(jobIn(entry, generations!)).toBe('identifier');
	});
});
