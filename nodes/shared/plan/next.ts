import { CONCURRENT_GENERATIONS } from '../spec/limits';
import { placesAllowed, placesChangeAt, type PlacesSeen } from './places';
import { latest, soonest, type Planned } from './planned';
import { MAX_ANSWER_MS, nextOfJob, type HistorySeen, type JobSeen, type JobStep } from './reads';
import { isScarce, opensAt, PRIORITIES, type Priority, type RequestsSeen } from './requests';

/** What somebody waits for. */
export type Wish =
	/** A place to create a job. `own`: how many places its run has; `most`: how many it may have. */
	| { kind: 'place'; own: number; most: number }
	/** To send a request at once. */
	| { kind: 'request'; priority: Priority }
	/** To be told what to do about a job. */
	| { kind: 'job'; job: JobSeen }
	/** To look at the history, for all jobs. */
	| { kind: 'look' };

/** What is known of an account. Times: elapsed ms. */
export interface AccountSeen {
	places: PlacesSeen;
	requests: RequestsSeen;
	/** `undefined` where nobody can look at it. */
	history?: HistorySeen;
	/** In the order of the line: the first goes first if nothing else decides. */
	wishes: readonly Wish[];
}

/** What a wish gets, and when. */
export interface Turn extends Planned {
	/** The index of the wish in `wishes`. */
	index: number;
	/** `send`, `read` and `look` are requests. */
	as: 'place' | 'send' | 'look' | Exclude<JobStep['as'], 'look'>;
	/** Of the request. */
	priority: Priority;
	/** As in `JobStep`. */
	isCheck?: boolean;
}

/** How long after the first job is created the first look comes, in ms: this at least, and twice this at most. */
const FIRST_LOOK_MS = 40;

/** How long the first look waits for a creation to be answered, in ms. */
const UNANSWERED_MS = 2000;

/**
 * What happens next on an account, or when something will: places go first, then news of jobs, then requests by their
 * priorities.
 *
 * @returns the turn that is due, or else when the next one is
 */
export function nextTurn(seen: AccountSeen, now: number): Turn | Planned {
	const { wishes, requests, history } = seen;
	const opens = new Map<Priority, Planned>();
	const openOf = (priority: Priority): Planned => {
		const open = opens.get(priority) ?? opensAt(requests, priority);
		opens.set(priority, open);
		return open;
	};
	const areScarce = isScarce(requests.limit);
	const whenOpen = (turn: Turn): Turn => {
		const open = openOf(turn.priority);
		// While the limits hold it up, they are the reason; once it is sent, its own reason counts.
		return open.at <= now ? turn : { ...turn, ...latest(turn, open) };
	};
	const looks: JobStep[] = [];
	const turns = wishes.flatMap((wish, index): Turn[] => {
		if (wish.kind === 'place') return [{ index, ...placeTurn(wish, seen.places, now) }];
		if (wish.kind === 'request') {
			const { priority } = wish;
			return [whenOpen({ index, as: 'send', priority, at: 0, because: priority })];
		}
		if (wish.kind === 'look') return [];
		const step = nextOfJob(wish.job, history, areScarce, now);
		if (step.as === 'read') {
			const turn = whenOpen({ index, ...step, as: step.as });
			// Its time is up at `endsAt`, however long the limits hold up its read.
			const isSooner = turn.at > step.endsAt && step.endsAt > now;
			return [isSooner ? { ...turn, at: step.endsAt } : turn];
		}
		if (step.as !== 'look') return [{ index, ...step, as: step.as }];
		looks.push(step);
		return [{ index, ...step, as: 'read' }];
	});
	const looker = wishes.findIndex(({ kind }) => kind === 'look');
	const look = looker >= 0 && history ? nextLookTurn(seen.places, history, looks, now) : undefined;
	if (look) turns.push(whenOpen({ ...look, index: looker, as: 'look' }));
	const due = turns.filter(({ at }) => at <= now);
	const own = ({ index }: Turn) => (wishes[index] as { own?: number }).own ?? 0;
	// Of equals, the first in line goes first.
	const before = (one: Turn, other: Turn) =>
		rankOf(one) - rankOf(other) || own(one) - own(other) || one.index - other.index;
	if (due.length > 0) return due.reduce((one, other) => (before(other, one) < 0 ? other : one));
	const nothing = { at: Infinity, because: 'nothing waits' };
	const { at, because } = turns.length > 0 ? soonest(...turns, slowLook(history, now)) : nothing;
	return { at, because };
}

const rankOf = ({ as, priority }: Turn): number =>
	as === 'place' ? -2 : as === 'news' || as === 'over' ? -1 : PRIORITIES.indexOf(priority);

/** A run gets a place if it has fewer than it may have, and the account has one free. */
function placeTurn(
	{ own, most: mostOwn }: Wish & { kind: 'place' },
	places: PlacesSeen,
	now: number,
): Omit<Turn, 'index'> {
	const turn = { as: 'place', priority: 'create' } as const;
	const { most, because } = placesAllowed(places, now);
	if (own >= mostOwn) {
		return { ...turn, at: Infinity, because: 'the run has as many places as it may have' };
	}
	if (places.running < most) return { ...turn, at: 0, because };
	return { ...turn, ...placesChangeAt(places, now) };
}

/**
 * One look shows all jobs, also those of others. It is due when jobs may have ended, and while jobs wait for a place
 * that others may have given back.
 */
function nextLookTurn(
	places: PlacesSeen,
	history: HistorySeen,
	looks: readonly JobStep[],
	now: number,
): (Planned & { priority: Priority }) | undefined {
	if (history.askedAt !== undefined) return undefined;
	const [first] = [...looks].sort((one, other) => rankOfLook(one) - rankOfLook(other));
	const forJobs = first && { at: now, priority: first.priority, because: first.because };
	const forPlaces = lookForPlaces(places, history);
	if (!forPlaces) return forJobs;
	const isSooner = !forJobs || (forPlaces.at <= now && forJobs.priority === 'poll');
	return isSooner || forPlaces.at < forJobs.at ? { ...forPlaces, priority: 'end' } : forJobs;
}

const rankOfLook = ({ priority }: JobStep) => PRIORITIES.indexOf(priority);

/** When to look at the history for places that others have given back. */
function lookForPlaces(places: PlacesSeen, history: HistorySeen): Planned | undefined {
	const { awaitsFirstLook, awaitedSince, creating, besideOthers } = places;
	if (!history.arePlacesWanted || !history.isUsable) return undefined;
	if (awaitsFirstLook) {
		// By then, processes that began at the same time have their first job, too.
		const afterMs = FIRST_LOOK_MS * (1.5 + history.chance / 2);
		// A creation that hangs must not hold the others.
		const at = awaitedSince + (creating > 0 ? UNANSWERED_MS : afterMs);
		return { at, because: 'nobody knows yet who else uses the account' };
	}
	const isCrowded = history.areOthers || besideOthers < CONCURRENT_GENERATIONS;
	return isCrowded ? history.nextLook : undefined;
}

/** When jobs that wait for a slow look go on without it. */
function slowLook(history: HistorySeen | undefined, now: number): Planned {
	const at = (history?.askedAt ?? Infinity) + MAX_ANSWER_MS;
	return { at: at > now ? at : Infinity, because: 'the history has not answered' };
}
