import { CONCURRENT_GENERATIONS } from '../spec/limits';
import { soonest, type Planned } from './planned';

/** What is known of the places of an account: jobs that run at the same time (section "Limits"). Times: elapsed ms. */
export interface PlacesSeen {
	/** Places that jobs of this process take. */
	running: number;
	/** How many the service was seen to allow, and when: fewer after a 429 to a creation. */
	proven: { to: number; at: number };
	/** How many jobs of this process may run beside those that the last look has shown of others. */
	besideOthers: number;
	/** Since when the same jobs of others are shown, or a creation was last refused. */
	othersSince: number;
	/** How often one more was tried in vain beside them, since then. */
	doubts: number;
	/** When a place was last taken or given back, or first waited for. */
	movedAt: number;
	/** Nobody has looked yet who else uses the account. */
	awaitsFirstLook: boolean;
	/** Since when that is so, or a creation was last answered. */
	awaitedSince: number;
	/** Creations under way. */
	creating: number;
	/** After a 429 to a creation, none is sent until then. */
	pausedUntil: number;
}

/** How many jobs of this process may run now, and why not more. */
export interface Allowed {
	most: number;
	because: string;
}

/** After a 429 to a creation, one more place is tried with each success, and after this, ms. */
const GROWTH_MS = 10_000;

/** Where the jobs of others stay the same for so long, ms, one more is tried; each try in vain doubles that. */
const DOUBT_MS = 60_000;
const LONGEST_DOUBT_MS = 480_000;

/** How many jobs of this process may run. */
export function placesAllowed(seen: PlacesSeen, now: number): Allowed {
	if (now < seen.pausedUntil) {
		return { most: 0, because: 'a creation was refused, and the pause after it is not over' };
	}
	const bounds: Allowed[] = [
		{ most: CONCURRENT_GENERATIONS, because: 'the service allows no more' },
		{ most: provenPlaces(seen, now), because: 'one more was refused' },
		allowedBesideOthers(seen, now),
	];
	return bounds.reduce((one, other) => (other.most < one.most ? other : one));
}

/** When that changes by itself. */
export function placesChangeAt(seen: PlacesSeen, now: number): Planned {
	const changes: Planned[] = [
		{ at: seen.pausedUntil, because: 'the pause after a refused creation is over' },
		{ at: growsAt(seen, now), because: 'one more place is tried after a refusal' },
		{ at: doubtAt(seen), because: 'the jobs of others may not be there' },
	];
	const toCome = changes.filter(({ at }) => at > now);
	return soonest(...toCome, { at: Infinity, because: 'a place has to become free' });
}

/** Whether what was seen of others is so old that one more is tried all the same. */
export const isDoubtful = (seen: PlacesSeen, now: number): boolean => now >= doubtAt(seen);

/** How many jobs the service allows, as far as refusals and creations tell. */
export function provenPlaces({ proven }: PlacesSeen, now: number): number {
	return proven.to + Math.floor((now - proven.at) / GROWTH_MS);
}

function growsAt(seen: PlacesSeen, now: number): number {
	const { at } = seen.proven;
	if (provenPlaces(seen, now) >= CONCURRENT_GENERATIONS) return -Infinity;
	return at + (Math.floor((now - at) / GROWTH_MS) + 1) * GROWTH_MS;
}

function allowedBesideOthers(seen: PlacesSeen, now: number): Allowed {
	if (seen.awaitsFirstLook)
		return { most: 1, because: 'a look has to show first who else uses the account' };
	const because = 'others take the other places';
	return { most: Math.max(0, seen.besideOthers) + (isDoubtful(seen, now) ? 1 : 0), because };
}

/** Whoever has no place at all tries for one, however the jobs of others change. */
function doubtAt({ running, othersSince, movedAt, doubts }: PlacesSeen): number {
	const since = running > 0 ? othersSince : Math.min(othersSince, movedAt);
	return since + Math.min(DOUBT_MS * 2 ** doubts, LONGEST_DOUBT_MS);
}
