import { untilBack } from '../../../tools/bench/parked.mts';

/** An execution that carries a job, unless it says otherwise. */
interface Stored {
	id: number;
	status: string;
	job?: string;
}

/** Of n8n's time, minutes: nobody waits for so long, or everybody does. */
const NEVER = 0.3;
const SOON = 0.001;

/**
 * An n8n whose worker 7 runs when it is killed, beside a parked watcher that remembers the job, too.
 *
 * @param onRestart what n8n has then
 * @param later what it has when the worker has been looked at
 */
async function killed(givenUpMinutes: number, onRestart: Stored[], later = onRestart) {
	const watcher = { id: 3, status: 'waiting', job: 'job-1' };
	let stored: Stored[] = [watcher, { id: 7, status: 'running', job: 'job-1' }];
	const client = {
		request: async (_: string, path: string) => {
			const { filter } = Object.fromEntries(new URL(path, 'http://n8n').searchParams);
			const { status } = JSON.parse(filter ?? '{}') as { status?: string[] };
			const results = stored.filter((one) => !status || status.includes(one.status));
			return { results: results.map(({ id }) => ({ id: String(id) })) };
		},
		getExecution: async (id: string) => {
			const { status, job } = stored.find((one) => String(one.id) === id)!;
			if (id === '7') stored = [watcher, ...later];
			return { id, status, data: { job } };
		},
	};
	return await untilBack(
		{
			client: () => client as never,
			restart: async () => void (stored = [watcher, ...onRestart]),
			accounts: [{ jobs: [{ id: 'job-1', endsAt: Infinity }] as never }],
			awake: 1,
			givenUpMinutes,
			askingMs: 1,
		},
		{ factor: 6, anchor: Date.now() },
	);
}

const worker = (id: number, status: string): Stored => ({ id, status, job: 'job-1' });

const crashed = worker(7, 'crashed');

test.each([
	['a new worker that runs', [crashed], [crashed, worker(8, 'running')]],
	['a new worker that is parked', [crashed], [crashed, worker(8, 'waiting')]],
	['one that started before anybody could look', [crashed, worker(8, 'waiting')], undefined],
	['the worker that was hit, under its old number', [crashed], [worker(7, 'waiting')]],
])('at work for the job again is %s', async (_, onRestart, later) => {
	expect(await killed(NEVER, onRestart, later)).toBeLessThan(NEVER);
});

test.each([
	['what was parked all the time', []],
	['what has crashed or ended', [worker(8, 'crashed'), worker(9, 'success')]],
	['what works for another job', [{ id: 8, status: 'waiting', job: 'job-2' }]],
])('%s is not', async (_, others) => {
	expect(await killed(SOON, [crashed, ...others])).toBeGreaterThanOrEqual(SOON);
});
