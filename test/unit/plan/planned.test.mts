import { latest, soonest, type Planned } from '../../../nodes/shared/plan/planned.ts';

/** Of several reasons, the one that decides when something is due. */

const LOOK: Planned = { at: 103_500, because: 'places have likely become free' };
const BACKOFF: Planned = { at: 104_000, because: 'its last read has failed' };
const DEADLINE: Planned = { at: 400_000, because: 'its time is up' };
const NEVER: Planned = { at: Infinity, because: 'nothing waits' };
const NOW: Planned = { at: 0, because: 'it is said to have ended' };
const CHECK: Planned = { at: 103_500, because: 'the history is checked by a read' };

test.each<[situation: string, planned: Planned[], first: Planned, last: Planned]>([
	['one alone', [LOOK], LOOK, LOOK],
	['two, in order', [LOOK, BACKOFF], LOOK, BACKOFF],
	['two, out of order', [BACKOFF, LOOK], LOOK, BACKOFF],
	['three', [BACKOFF, DEADLINE, LOOK], LOOK, DEADLINE],
	['something that nothing but news changes', [NEVER, DEADLINE], DEADLINE, NEVER],
	['something that is due already', [LOOK, NOW], NOW, LOOK],
	['of equals the first: the look', [LOOK, CHECK], LOOK, LOOK],
	['of equals the first: the check', [CHECK, LOOK], CHECK, CHECK],
])('%s', (_, planned, first, last) => {
	expect(soonest(...planned)).toBe(first);
	expect(latest(...planned)).toBe(last);
});
