import { z } from 'zod';

import type { JournalEntry } from './journal.mts';
import { seededRandom, type Random } from './random.mts';
import type { SandboxSettings } from './settings.mts';

const faultSchema = z.discriminatedUnion('kind', [
	z
		.object({
			kind: z.literal('status'),
			status: z.number().int().min(200).max(599),
			/** An object as JSON, a text as it is; the documented error body when absent. */
			body: z.union([z.string(), z.record(z.unknown())]).optional(),
			/** By the body when absent: JSON or HTML. */
			contentType: z.string().optional(),
			/** More headers, such as Retry-After or Location. */
			headers: z.record(z.string()).optional(),
		})
		.strict(),
	/** The connection is reset. */
	z.object({ kind: z.literal('reset') }).strict(),
	/** No answer ever. */
	z.object({ kind: z.literal('hang') }).strict(),
	/** The status of a success with a body that is cut off in the middle. */
	z.object({ kind: z.literal('garbage') }).strict(),
	/** The true answer, `ms` milliseconds late. */
	z.object({ kind: z.literal('slow'), ms: z.number().int().min(0) }).strict(),
]);

const pattern = z.union([z.string(), z.instanceof(RegExp)]);

const matchSchema = z
	.object({
		/** `resource.operation`. */
		operation: z.string(),
		kind: z.enum(['create', 'status', 'list', 'record', 'catalog', 'media']),
		method: z.string(),
		/** Regular expression that the path has to contain a match of. */
		pathPattern: pattern,
		/** Regular expression that the body, as JSON, has to contain a match of. */
		bodyPattern: pattern,
	})
	.partial()
	.strict();

const faultRuleSchema = z
	.object({
		/** Which requests it hits: those that meet all of it. */
		match: matchSchema.default({}),
		fault: faultSchema,
		/**
		 * `before` anything happens, not even authentication, or `after` all of it: then a job has
		 * been created and charged, and only the answer is lost.
		 */
		when: z.enum(['before', 'after']).default('before'),
		/** Requests it hits before it is spent. */
		times: z.number().min(1).default(Infinity),
		/** Chance to hit a request that meets `match`; seeded. */
		probability: z.number().min(0).max(1).default(1),
	})
	.strict();

export type Fault = z.output<typeof faultSchema>;
type FaultRule = z.output<typeof faultRuleSchema>;
export type FaultRuleInput = z.input<typeof faultRuleSchema>;

/** The fault switch. */
export class Faults {
	/** Rules that are not spent, with the number of requests they still hit. */
	rules: FaultRule[] = [];
	private random: Random;

	constructor(private readonly settings: SandboxSettings) {
		this.random = seededRandom(settings.seed, 'faults');
	}

	/** @throws ZodError when the rule is not one */
	add(rule: FaultRuleInput): void {
		this.rules.push(faultRuleSchema.parse(rule));
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

function hits(match: FaultRule['match'], entry: JournalEntry): boolean {
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
