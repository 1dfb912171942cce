import { CONCURRENT_GENERATIONS } from '../spec/limits';
import { soonest, type Planned } from './planned';

/** What is known of the places of an account: jobs that run at the same time (section "Limits"). Times: elapsed ms. */
export interface PlacesSeen {
	/** Places that jobs of this process take. */
	running: number;
	/** How many jobs the service has proved to allow, and when: fewer after a 429 to a creation. */
	proven: { to: number; at: number };
	/** How many jobs of this process may run beside the jobs of others that the last look showed. */
	besideOthers: number;
	/** When the shown jobs of others last changed, or a creation was last refused. */
	othersSince: number;
	/** How often in a row one more job was tried in vain beside jobs of others. */
	doubts: number;
	/** When a place was last taken or given back, or first waited for. */
	movedAt: number;
	/** Nobody has looked yet who else uses the account. */
	awaitsFirstLook: boolean;
	/** Since when that is so, or since the last answer to a creation. */
	awaitedSince: number;
	/** Creations under way. */
	creating: number;
	/** After a 429 to a creation, no place is granted before this. */
	pausedUntil: number;
}

/** How many jobs of this process may run now, and why not more. */
export interface Allowed {
	most: number;
	because: string;
}

/** After a 429 to a creation, one more place is tried with each success, and each time this has passed, in ms. */
const GROWTH_MS = 10_000;

/** How long the jobs of others stay the same before one more job is tried, in ms; each try in vain doubles it. */
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

/** When `placesAllowed` changes with time alone. */
export function placesChangeAt(seen: PlacesSeen, now: number): Planned {
	const changes: Planned[] = [
		{ at: seen.pausedUntil, because: 'the pause after a refused creation is over' },
		{ at: growsAt(seen, now), because: 'one more place is tried after a refusal' },
		{ at: doubtAt(seen), because: 'the jobs of others may not be there' },
	];
	const toCome = changes.filter(({ at }) => at > now);
	return soonest(...toCome, { at: Infinity, because: 'a place has to become free' });
}

/** Whether a place that is taken now is one more than the jobs of others leave: a try, in doubt about the history. */
export const isTry = (seen: PlacesSeen, now: number): boolean =>
	seen.running >= seen.besideOthers && isDoubtful(seen, now);

/** Whether the jobs of others have stayed the same for so long that one more job is tried in spite of them. */
const isDoubtful = (seen: PlacesSeen, now: number): boolean => now >= doubtAt(seen);

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

/** When one more job is tried. A process without any place tries even if the jobs of others keep changing. */
function doubtAt({ running, othersSince, movedAt, doubts }: PlacesSeen): number {
	const since = running > 0 ? othersSince : Math.min(othersSince, movedAt);
	return since + Math.min(DOUBT_MS * 2 ** doubts, LONGEST_DOUBT_MS);
}
