import { DetachedJobs } from '../../../nodes/shared/orders/detachedJobs.ts';
import type { Follower } from '../../../nodes/shared/orders/account.ts';
import type { Place } from '../../../nodes/shared/limits/places.ts';

test('a job that somebody waits for again is not followed besides', async () => {
	const detached = new DetachedJobs<Follower>();
	const follows: AbortSignal[] = [];
	const place: Place = { release: () => {}, refused: () => {}, rest: () => {} };
	const follow = async (_: Follower, signal: AbortSignal) => {
		follows.push(signal);
		await new Promise((resolve) => signal.addEventListener('abort', resolve));
	};
	detached.want({ ends: new AbortController().signal } as Follower);
	for (let times = 0; times < 3; times++) {
		detached.add('a', place, follow);
		detached.free('a');
	}
	detached.add('a', place, follow);
	expect(follows.map(({ aborted }) => aborted)).toEqual([true, true, true, false]);
});
