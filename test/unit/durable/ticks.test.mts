import type { JobResult, JobSpec } from '../../../nodes/shared/jobs/jobContext.ts';
import { NotStarted } from '../../../nodes/shared/jobs/batch.ts';
import { JobError, type Failing, type JobSnapshot } from '../../../nodes/shared/jobs/job.ts';
import type { Place } from '../../../nodes/shared/limits/places.ts';
import { storePlans, type WorkState } from '../../../nodes/shared/durable/state.ts';
import { openItems, workOnItems } from '../../../nodes/shared/durable/workOnItems.ts';
import type { Run } from '../../../nodes/shared/run/run.ts';
import { GENERATE_IMAGE } from '../../../nodes/shared/spec/images.ts';
import { ServiceError } from '../../../nodes/shared/service/serviceError.ts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** How long a tick of a worker takes, and what it leaves for the next one. */

type Ticking = Run & { onCreated?: () => void };

/** What becomes of the jobs, and of those who want a place. */
let job: (run: Ticking, spec: JobSpec) => Promise<JobResult>;
let place: () => Promise<Place>;

jest.mock('../../../nodes/shared/jobs/runJob.ts', () => ({
	runJob: async (run: Ticking, spec: JobSpec) => await job(run, spec),
}));
jest.mock('../../../nodes/shared/jobs/startJob.ts', () => ({
	firstPlace: async () => await place(),
}));

let clock: VirtualClock;
let rest: AbortController;

beforeEach(() => {
	clock = new VirtualClock();
	rest = new AbortController();
	job = untilRest;
	place = async () => await untilRest(new NotStarted());
});

/** Nothing comes of it until the tick is over. */
async function untilRest(error?: unknown): Promise<never> {
	if (!rest.signal.aborted)
		await new Promise((over) => rest.signal.addEventListener('abort', over));
	throw error instanceof Error ? error : stopped;
}

const jobError = (kind: Failing) => new JobError(kind, 'Said', 'More', {} as JobSnapshot);
const stopped = jobError('stopped');
const serviceError = (outcome: ServiceError['outcome'], status?: number) =>
	new ServiceError({ message: 'Said', description: 'More', outcome, status });

const RESULT = { job: { id: 'j1' } } as unknown as JobResult;
const PLACE = { release: () => {} } as unknown as Place;

const item = (itemIndex: number, own: Partial<JobSpec> = {}) =>
	({ itemIndex, maxRunning: 5, ...own }) as JobSpec;

async function tick({ idleMs = 0, items = [item(0)], next = [] as JobSpec[] } = {}) {
	const state = { lastProgressAt: clock.now() - idleMs } as WorkState;
	const { results, places } = await clock.run(
		workOnItems({ clock } as unknown as Run, state, { items, next }, rest),
	);
	// Nothing of it goes on.
	expect(clock.sleeping).toBe(0);
	return { results: Object.fromEntries(results), places, ms: clock.elapsed() };
}

describe('nothing is new', () => {
	it.each([
		[0, 20_000],
		[29_999, 20_000],
		[30_000, 5_000],
		[86_400_000, 5_000],
	])('for %i ms before it: it is over after %i', async (idleMs, ms) => {
		expect(await tick({ idleMs })).toEqual({ results: {}, places: [], ms });
	});

	it('and nobody to wait for: it is over at once', async () => {
		expect(await tick({ items: [] })).toEqual({ results: {}, places: [], ms: 0 });
	});
});

describe('what is new ends it, with what comes within 300 ms', () => {
	it('a job that has ended', async () => {
		job = async (_, { maxRunning }) => {
			await clock.sleep(maxRunning, rest.signal).catch(async () => await untilRest());
			return RESULT;
		};
		const items = [1000, 1299, 1301].map((ms, index) => item(index, { maxRunning: ms }));
		const { results, ms } = await tick({ items });
		expect(results).toEqual({ 0: { value: RESULT }, 1: { value: RESULT } });
		expect(ms).toBe(1300);
	});

	it('a job that was created', async () => {
		job = async (run) => {
			await clock.sleep(1000);
			run.onCreated?.();
			return await untilRest();
		};
		expect(await tick()).toEqual({ results: {}, places: [], ms: 1300 });
	});

	it('a place for one more', async () => {
		place = async () => {
			await clock.sleep(2000);
			return PLACE;
		};
		const { places, ms } = await tick({ next: [item(1)] });
		expect({ places, ms }).toEqual({ places: [PLACE], ms: 2300 });
	});

	const creation = item(0, { place: PLACE });

	it.each([
		['alone', [creation]],
		['before a job that runs', [creation, item(2)]],
		['after one', [item(2), creation]],
	])('but a place calls off no creation that the limits hold up: %s', async (_, items) => {
		place = async () => {
			await clock.sleep(2000);
			return PLACE;
		};
		const { places, ms } = await tick({ items, next: [item(1)] });
		expect({ places, ms }).toEqual({ places: [PLACE], ms: 20_000 });
	});
});

/** By what a job comes to. */
test.each<[string, unknown, boolean]>([
	['it was not begun', new NotStarted(), true],
	['it was stopped', stopped, true],
	['it was not sent', serviceError('notSent'), true],
	['there were too many requests', serviceError('refused', 429), true],
	['nobody answered', serviceError('unreachable'), true],
	['it failed', jobError('failed'), false],
	['its time is up', jobError('timeout'), false],
	['it was refused', serviceError('refused', 402), false],
	['its outcome is unknown', serviceError('unknown'), false],
	['something else', new TypeError('Oops'), false],
])('the tick is over, and %s: is it left for the next one?', async (_, error, isOpen) => {
	job = async () => await untilRest(error);
	const { results } = await tick();
	expect(results).toEqual(isOpen ? {} : { 0: { error } });
});

test.each<[string, unknown, boolean]>([
	['it was not begun', new NotStarted(), true],
	['it was stopped', stopped, false],
	['it was not sent in time', serviceError('notSent'), false],
	['there were too many requests, to the end', serviceError('refused', 429), false],
	['nobody answered, to the end', serviceError('unreachable'), false],
])('the tick goes on, and %s: is it left for the next one?', async (_, error, isOpen) => {
	job = async () => {
		throw error;
	};
	const { results } = await tick();
	expect(results).toEqual(isOpen ? {} : { 0: { error } });
});

describe('the items that are open', () => {
	const plan = (kind = 'create') => ({
		value: { operation: { ...GENERATE_IMAGE, kind }, options: {}, values: {}, request: {} },
	});
	const open = (more: Partial<WorkState>, plans: object[] = [plan(), plan()]) =>
		openItems({ plans: storePlans(plans as never), results: {}, ...more } as WorkState);

	it('are those that have come to no end, and can come to one', () => {
		const results = { 0: { skipped: true } } as never;
		const plans = [plan(), plan(), { error: new Error('No') }, plan('status')];
		expect(open({ results }, plans).map(({ itemIndex }) => itemIndex)).toEqual([1]);
	});

	it('get one look more after ten parks in which none was answered', () => {
		const graces = (silentParks?: Record<number, number>) =>
			open({ silentParks }).map(({ graceMs }) => graceMs);
		expect(graces()).toEqual([300_000, 300_000]);
		expect(graces({ 0: 9, 1: 10 })).toEqual([300_000, 0]);
	});
});
