import { JOB_TRIGGER } from '../../../nodes/shared/spec/trigger.ts';
import { listedJob } from '../../../nodes/shared/trigger/listedJob.ts';
import { streamsOf } from '../../../nodes/shared/trigger/stream.ts';

const [generations, videoStudio] = streamsOf(JOB_TRIGGER.sources, 'all', { account: 'a' });
const service = (set: Record<string, string> = {}) => ({ field: (name: string) => set[name] });

/** The state of a Video Studio job is not documented; its history may have a `status` of something else. */
describe('an entry with a status that is no state', () => {
	const entry = { job_id: 'j1', status: 'ok', state: 'completed' };

	it('has the state that another field tells', () => {
		expect(listedJob(entry, videoStudio!, service())).toMatchObject({ state: 'completed' });
	});

	it('has the state that the credential names', () => {
		const own = { job_id: 'j1', status: 'ok', step: { now: 'FAILED' } };
		const job = listedJob(own, videoStudio!, service({ state: 'step.now' }));
		expect(job).toMatchObject({ state: 'failed' });
	});

	it('has that status in the generation history, where the document has it', () => {
		expect(listedJob({ id: 'j1', status: 'ok' }, generations!, service())).toMatchObject({
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
		['empty', {}],
		['without an identifier', ended],
		['with a blank identifier', { id: '   ', ...ended }],
		['with an identifier that is an object', { id: { id: 'x' }, ...ended }],
		['with one of 501 characters', { id: 'x'.repeat(501), ...ended }],
	])('%s: no job, for want of an identifier', (_, entry) => {
		expect(listedJob(entry, generations!, service())).toBe('identifier');
	});

	it('without a state: no job', () => {
		expect(listedJob({ id: 'x' }, generations!, service())).toBe('state');
	});

	it('takes no time for one that is none', () => {
		const times = { created_at: 'yesterday', completed_at: 17 };
		const job = listedJob({ id: 'x', ...ended, ...times }, generations!, service());
		expect(job).toMatchObject({ createdAt: undefined, endedAt: undefined });
	});

	it('reads names that objects inherit as any other', () => {
		const entry = JSON.parse('{"__proto__": {"id": "y", "status": "completed"}, "constructor": 1}');
		expect(listedJob(entry, generations!, service())).toBe('identifier');
	});
});
