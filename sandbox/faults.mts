import type { JournalEntry } from './journal.mts';
import { seededRandom, type Random } from './random.mts';
import type { SandboxSettings } from './settings.mts';

export type Fault =
	| {
			kind: 'status';
			status: number;
			/** An object as JSON, a text as it is; the documented error body when absent. */
			body?: string | Record<string, unknown>;
			/** By the body when absent: JSON or HTML. */
			contentType?: string;
			/** More headers, such as Retry-After or Location. */
			headers?: Record<string, string>;
	  }
	/** The connection is reset. */
	| { kind: 'reset' }
	/** No answer ever. */
	| { kind: 'hang' }
	/** The status of a success with a body that is cut off in the middle. */
	| { kind: 'garbage' }
	/** The true answer, `ms` milliseconds late. */
	| { kind: 'slow'; ms: number };

/** Requests that meet all of it. */
interface Match extends Partial<Pick<JournalEntry, 'operation' | 'kind' | 'method'>> {
	/** Regular expression that the path has to contain a match of. */
	pathPattern?: string | RegExp;
	/** Regular expression that the body, as JSON, has to contain a match of. */
	bodyPattern?: string | RegExp;
}

interface FaultRule {
	/** Which requests it hits; all when left out. */
	match: Match;
	fault: Fault;
	/**
	 * `before` anything happens, not even authentication, or `after` all of it: then a job has
	 * been created and charged, and only the answer is lost. Before when left out.
	 */
	when: 'before' | 'after';
	/** Requests it hits before it is spent; any number when left out. */
	times: number;
	/** Chance to hit a request that meets `match`; seeded. 1 when left out. */
	probability: number;
}

export type FaultRuleInput = Pick<FaultRule, 'fault'> & Partial<FaultRule>;

export class Faults {
	/** Rules that are not spent, with the number of requests they still hit. */
	rules: FaultRule[] = [];
	private random: Random;

	constructor(private readonly settings: SandboxSettings) {
		this.random = seededRandom(settings.seed, 'faults');
	}

	add(rule: FaultRuleInput): void {
		const { match = {}, fault, when = 'before', times = Infinity, probability = 1 } = rule;
		this.rules.push({ match, fault, when, times, probability });
	}

	/** The first rule that hits the request; it is spent by one. */
	take(entry: JournalEntry): FaultRule | undefined {
		const rule = this.rules.find(
			({ match, times, probability }) =>
				times > 0 && hits(match, entry) && this.random() < probability,
		);
		if (rule) rule.times -= 1;
		return rule;
	}

	clear(): void {
		this.rules = [];
		this.random = seededRandom(this.settings.seed, 'faults');
	}
}

function hits(match: Match, entry: JournalEntry): boolean {
	const { pathPattern, bodyPattern, ...equal } = match;
	return (
		contains(entry.path, pathPattern) &&
		contains(JSON.stringify(entry.body ?? null), bodyPattern) &&
		Object.entries(equal).every(([name, value]) => entry[name as keyof typeof equal] === value)
	);
}

function contains(text: string, sought: string | RegExp | undefined): boolean {
	return sought === undefined || new RegExp(sought).test(text);
}
