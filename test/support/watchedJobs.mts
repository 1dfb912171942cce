import type { Granted } from '../../nodes/shared/account/requests.ts';
import { accountOf } from '../../nodes/shared/orders/jobContext.ts';
import { readHistory } from '../../nodes/shared/orders/history.ts';
import { waitForJob, type Waiting } from '../../nodes/shared/orders/waitForJob.ts';
import { pacedService } from './pacedService.mts';
import type { VirtualClock } from './virtualClock.mts';

/** From the document. */
const HISTORY = '/api/v1/generate/history/';
const STATUS = /^\/api\/v1\/generate\/([^/]+)\/$/;

const MOST_RUNNING = 5;

/** How long the service takes to answer, ms. */
const LATENCY_MS = 50;

interface Jobs {
	/** When each ends, s from the start. */
	ends: Record<string, number>;
	/** What the history answers, given the states of all jobs; a list of them when absent. */
	history?: (states: Record<string, string>) => unknown;
	/** What the status of a job answers. */
	status?: (state: string, id: string) => unknown;
}

/** Jobs that run in virtual time, as their status and the history show them. */
export function watchedJobs(clock: VirtualClock, jobs: Jobs) {
	const { ends, history = listed, status = (state) => ({ status: state }) } = jobs;
	const start = clock.now();
	const stateOf = (id: string) =>
		clock.now() - start >= ends[id]! * 1000 ? 'completed' : 'processing';
	const {
		account: name,
		open,
		sent,
		limits,
	} = pacedService(clock, async ({ path }) => {
		await clock.sleep(LATENCY_MS);
		if (path === HISTORY) {
			return await history(Object.fromEntries(Object.keys(ends).map((id) => [id, stateOf(id)])));
		}
		const id = STATUS.exec(path)![1]!;
		return await status(stateOf(id), id);
	});
	const account = accountOf(name, clock);
	for (const id of Object.keys(ends)) account.claims.add(id);
	const service = open();
	const { claims } = account;
	/** When requests to the path were sent, s from the start. */
	const timesOf = (path: string) =>
		sent.filter(({ request }) => request.path === path).map(({ at }) => at / 1000);
	return {
		service,
		open,
		limits,
		/** When the history was asked, s from the start. */
		asked: () => timesOf(HISTORY),
		/** When the job's status was read, s from the start. */
		read: (id: string) => timesOf(`/api/v1/generate/${id}/`),
		/**
		 * Waits for a job that has just been created; gives its end, and when the wait was over, s from the start.
		 *
		 * @param startedAt when it was created, if not just now, elapsed ms
		 */
		async waitFor(
			id: string,
			waiting: Partial<Waiting> = {},
			startedAt = clock.elapsed(),
			from = service,
		) {
			const awaited = { id, path: `/api/v1/generate/${id}/`, startedAt, creation: {} };
			const run = {
				...{ service: from, account, clock },
				readHistory: async (granted: Granted) =>
					await readHistory(from, granted, { claims, clock }),
			};
			const place = limits.places.running < MOST_RUNNING ? limits.places.take(run) : undefined;
			const more = { timeoutMs: 3_600_000, isInHistory: true, ...waiting };
			const end: unknown = await waitForJob(run, awaited, more).catch((error: unknown) => error);
			place?.release();
			return { end, at: (clock.now() - start) / 1000 };
		},
	};
}

/** The states as a list. */
export const listed = (states: Record<string, string>) =>
	Object.entries(states).map(([id, status]) => ({ id, status }));
