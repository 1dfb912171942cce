import { fastestLoops, loops } from '../../../tools/bench/loop.mts';

/** A loop of HTTP Request, Wait and If, as part f and g have it beside the package. */

const limits = { places: 2, requests: 100, windowMs: 60_000 };

const planned = (durations: number[]) => durations.map((ms) => ({ ms }));

const count = (durations: number[], jobs: number[], own = {}) =>
	loops(planned(durations), jobs, 10, { ...limits, ...own });

describe('a loop', () => {
	it('looks at all jobs of its batch until the last one has ended', () => {
		// Two created at 0; read at 10 and 20. Then the next one, read at 30.
		expect(count([5, 15, 10], [3])).toEqual({ ms: 30, requests: 8, refused: 0 });
	});

	it('tries again after the wait where there is no place', () => {
		// The other's two hold both places until it has seen them end, at 10; it is first in turn.
		expect(count([5, 5, 5, 5], [2, 2])).toEqual({ ms: 20, requests: 10, refused: 2 });
	});

	it('tries again after the wait where there is no request', () => {
		// Creation at 0, refused at 10 and 20, seen at 30: the request of 0 is back.
		expect(count([5], [1], { requests: 1, windowMs: 30 })).toEqual({
			ms: 30,
			requests: 4,
			refused: 2,
		});
	});

	it('has nothing to do without jobs', () => {
		expect(count([], [0])).toEqual({ ms: 0, requests: 0, refused: 0 });
	});
});

test('a user has the best of all waits: the shortest after which all of a batch have ended', () => {
	const jobs = planned(Array.from({ length: 5 }, () => 6500));
	expect(fastestLoops(jobs, [5])).toMatchObject({ seconds: 7, ms: 7000, requests: 10, refused: 0 });
});
