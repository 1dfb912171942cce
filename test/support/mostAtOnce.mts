import type { Sandbox } from '../../sandbox/server.mts';

/** The highest number of the sandbox's jobs that ran at the same time. */
export function mostAtOnce({ jobs }: Pick<Sandbox, 'jobs'>): number {
	const runningAt = (at: number) =>
		jobs.filter(({ createdAt, endsAt }) => createdAt <= at && at < endsAt).length;
	return Math.max(...jobs.map(({ createdAt }) => runningAt(createdAt)));
}
