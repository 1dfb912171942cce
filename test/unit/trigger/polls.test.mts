import { ended, watching } from './watching.mts';

const BOTH = { events: ['completed', 'failed'] };
const URLS_UNTOLD = { list: { entries: { urls: false } } };
const REVOKED = 'The API key is missing, invalid or revoked';

const STUDIO = 'video-studio/history';
const LISTS = 'history/$';

/** n8n begins a poll when it is time, whether or not the last one has ended. */
describe('polls that take longer than a minute', () => {
	const begun = async () => {
		const trigger = watching({ shapes: URLS_UNTOLD });
		await trigger.activate();
		await trigger.poll();
		const slow = (kind: 'list' | 'status', ms: number, times: number) =>
			trigger.fail({ kind }, { kind: 'slow', ms }, times);
		const deny = () => trigger.fail({ kind: 'list' }, { kind: 'status', status: 401 });
		return { ...trigger, slow, deny };
	};

	it('are of no effect where the workflow has been edited meanwhile', async () => {
		const { edit, slow, start, poll, ids } = await begun();
		const jobs = start();
		slow('status', 25_000, 1);
		await poll();
		expect(ids()).toEqual([]);
		await edit(BOTH);
		await poll(5);
		expect(ids()).toEqual(jobs);
	});

	it('do not keep an edit from being checked, however often n8n tries', async () => {
		const { edit, slow, start, deny, poll } = await begun();
		start();
		slow('status', 25_000, 1);
		await poll();
		deny();
		for (let tries = 0; tries < 3; tries++) await expect(edit(BOTH)).rejects.toThrow(REVOKED);
	});

	it('do not keep a person from switching the workflow off and on', async () => {
		const { workflow, activate, slow, start, poll, ids } = await begun();
		start(10);
		slow('status', 29_000, 10);
		await poll();
		workflow.deactivate();
		await activate();
		const later = start(1, 30_000);
		await poll(15);
		expect(ids()).toEqual(later);
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
	it.each<[string, (poll: number) => Faults, number[]]>([
		['of one that does not pass, at once and now and then', () => ({ [LISTS]: 401 }), [1, 31, 61]],
		['of one that may pass, at the third in a row', () => ({ [LISTS]: 500 }), [3, 33, 63]],
		['of a service that does not answer, too', () => ({ [LISTS]: 0 }), [3, 33, 63]],
		['of no poll without a fault', () => ({}), []],
		['of no list that the account does not have', () => ({ [STUDIO]: 404 }), []],
		['of all lists that the account does not have', () => ({ [LISTS]: 404 }), [1, 31, 61]],
		['of a fault beside such a list', () => ({ [STUDIO]: 404, [LISTS]: 500 }), [3, 33, 63]],
		[
			'of none that has passed by the third',
			(poll): Faults => (poll % 3 ? { [LISTS]: 500 } : {}),
			[],
		],
	])('%s', async (_, faultsOf, expected) => {
		const trigger = watching();
		const { activate, poll, state, workflow } = trigger;
		await activate();
		for (let minute = 1; minute <= 65; minute++) {
			state.faults.clear();
			addFaults(trigger, faultsOf(minute));
			await poll();
		}
		const [, ...polls] = workflow.polls;
		const shownIn = workflow.failures.map(({ at }) => polls.filter((begun) => begun <= at).length);
		expect(shownIn).toEqual(expected);
	});

	it('of a list that cannot be read once the other has no jobs, with its status', async () => {
		const { activate, start, poll, fail, workflow, ids } = watching();
		await activate();
		fail({ pathPattern: STUDIO }, { kind: 'status', status: 403 });
		for (let minute = 0; minute < 5; minute++) {
			start();
			await poll();
		}
		expect([ids().length, workflow.failures]).toEqual([5, []]);
		await poll(2);
		expect(workflow.failures).toMatchObject([{ error: { name: 'NodeApiError', httpCode: '403' } }]);
	});

	it('of a credential that cannot be used, also where nothing was sent', async () => {
		const { n8n, activate, poll, workflow } = watching();
		await activate();
		n8n.credential.baseUrl = 'http://service.example';
		await poll(2);
		expect(workflow.failures).toMatchObject([{ error: { message: /plain http/ } }]);
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

	it('not without requests left, and the error says how long to wait', async () => {
		const { activate, list, workflow } = watching({ credential: { accountKind: 'demo' } });
		list(ended('a'));
		const tries = async (): Promise<undefined> => {
			for (let one = 0; one < 10; one++) {
				await activate();
				workflow.deactivate();
			}
			return undefined;
		};
		const error = await tries().catch((caught: unknown) => caught);
		expect(error).toMatchObject({ message: /no requests left/, description: /hour/ });
	});

	it('again, with a fault that may pass: an edit is not refused for it', async () => {
		const { activate, edit, poll, fail, workflow } = watching();
		await activate();
		await poll(2);
		fail({ kind: 'list' }, { kind: 'status', status: 503 });
		await edit(BOTH);
		expect(workflow.isRegistered).toBe(true);
	});
});
