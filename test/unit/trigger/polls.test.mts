import { watching } from './watching.mts';

const URLS_UNTOLD = { list: { entries: { urls: false } } };
const REVOKED = 'The API key is missing, invalid or revoked';

const STUDIO = 'video-studio/history';
const LISTS = 'history/$';

/** n8n begins a poll when it is time, whether or not the last one has ended. */
describe('polls that take longer than a minute', () => {
	it('are of no effect where the workflow has been edited meanwhile', async () => {
		const { activate, edit, fail, start, poll, ids } = watching({ shapes: URLS_UNTOLD });
		await activate();
		await poll();
		const jobs = start();
		fail({ kind: 'status' }, { kind: 'slow', ms: 25_000 }, 1);
		await poll();
		expect(ids()).toEqual([]);
		await edit({ events: ['completed', 'failed'] });
		await poll(5);
		expect(ids()).toEqual(jobs);
	});

	it('end within the budget that n8n gives: what is left is for the next', async () => {
		const polling = { budgetMs: 40_000 };
		const trigger = watching({ shapes: URLS_UNTOLD, polling, everyMinutes: 5 });
		await trigger.activate();
		const jobs = trigger.start(12);
		trigger.fail({ kind: 'status' }, { kind: 'slow', ms: 20_000 }, 6);
		await trigger.poll(60);
		expect(trigger.ids().sort()).toEqual(jobs.sort());
		expect(trigger.urls()).not.toContain(null);
	});
});

/** What lists answer instead, by path: a status, or nothing at all. */
type Faults = Record<string, number>;

const addFaults = ({ fail }: ReturnType<typeof watching>, faults: Faults) => {
	for (const [pathPattern, status] of Object.entries(faults))
		fail({ pathPattern }, status > 0 ? { kind: 'status', status } : { kind: 'reset' });
};

describe('of faults in its polls, a person hears', () => {
	it.each<[string, Faults, number[]]>([
		['of one that does not pass, at once and now and then', { [LISTS]: 401 }, [1, 31, 61]],
		['of one that may pass, at the third in a row', { [LISTS]: 500 }, [3, 33, 63]],
		['of a service that does not answer, too', { [LISTS]: 0 }, [3, 33, 63]],
		['of no list that the account does not have', { [STUDIO]: 404 }, []],
		['of all lists that the account does not have', { [LISTS]: 404 }, [1, 31, 61]],
	])('%s', async (_, faults, expected) => {
		const trigger = watching();
		const { activate, poll, workflow } = trigger;
		await activate();
		addFaults(trigger, faults);
		await poll(65);
		const [, ...polls] = workflow.polls;
		const shownIn = workflow.failures.map(({ at }) => polls.filter((begun) => begun <= at).length);
		expect(shownIn).toEqual(expected);
	});
});

describe('a workflow is published', () => {
	it.each<[string, Faults, string]>([
		['with all lists', {}, '^$'],
		['without one that the account does not have', { [STUDIO]: 404 }, '^$'],
		['not without any', { [LISTS]: 404 }, 'does not know this address'],
		['not while one cannot be read', { [STUDIO]: 503 }, 'status 503'],
		['not with a key that was revoked', { [STUDIO]: 404, [LISTS]: 401 }, REVOKED],
	])('%s', async (_, faults, refused) => {
		const trigger = watching();
		addFaults(trigger, faults);
		const error = await trigger.activate().catch((caught: unknown) => caught as Error);
		expect(error?.message ?? '').toMatch(new RegExp(refused));
	});

	it('not where the answers are no lists', async () => {
		const { activate } = watching({ shapes: { list: { body: 'none' } } });
		await expect(activate()).rejects.toThrow('cannot be read');
	});
});
