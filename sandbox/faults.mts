import type { JournalEntry } from './journal.mts';
import { seededRandom, type Random } from './random.mts';
import type { SandboxSettings } from './settings.mts';

export type Fault =
	| {
			kind: 'status';
			status: number;
			/** An object as JSON, a text as it is; the documented error body when absent. */
			body?: string | Record<string, unknown>;
			/** When absent, HTML for a text, JSON for anything else. */
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

/** What a request has to match, in all that is given. */
interface Match extends Partial<Pick<JournalEntry, 'operation' | 'kind' | 'method'>> {
	/** Regular expression that has to match somewhere in the path. */
	pathPattern?: string | RegExp;
	/** Regular expression that has to match somewhere in the body, as JSON. */
	bodyPattern?: string | RegExp;
}

interface FaultRule {
	/** Which requests the rule hits; all when left out. */
	match: Match;
	fault: Fault;
	/**
	 * `before` anything happens, even authentication, or `after` everything: then a job has been
	 * created and charged, and only the answer is lost. `before` when left out.
	 */
	when: 'before' | 'after';
	/** How many requests the rule hits before it is spent; any number when left out. */
	times: number;
	/** Probability of hitting a request that meets `match`, drawn from the seed; 1 when left out. */
	probability: number;
}

export type FaultRuleInput = Pick<FaultRule, 'fault'> & Partial<FaultRule>;

export class Faults {
	/** All rules, spent ones too, with the number of requests that each still hits. */
	rules: FaultRule[] = [];
	private random: Random;

	constructor(private readonly settings: SandboxSettings) {
		this.random = seededRandom(settings.seed, 'faults');
	}

	add(rule: FaultRuleInput): void {
		const { match = {}, fault, when = 'before', times = Infinity, probability = 1 } = rule;
		this.rules.push({ match, fault, when, times, probability });
	}

	/** The first rule that hits the request, which uses up one of its `times`. */
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

function hits({ pathPattern = '', bodyPattern = '', ...equal }: Match, entry: JournalEntry) {
	return (
		new RegExp(pathPattern).test(entry.path) &&
		new RegExp(bodyPattern).test(JSON.stringify(entry.body ?? null)) &&
		Object.entries(equal).every(([name, value]) => entry[name as keyof typeof equal] === value)
	);
}
