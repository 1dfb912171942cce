import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import type { JournalEntry } from '../../../sandbox/journal.mts';
import type { Draw } from './draw.mts';
import { REFUSALS, REQUEST_MS } from './faultRules.mts';

type Fault = FaultRuleInput['fault'];

/** Where a fault can hit a job: it is started, looked at, looked for in the history, and its file is fetched. */
const STAGES = ['create', 'status', 'list', 'media'] as const;
export type Stage = (typeof STAGES)[number];

/** Of the server: one is documented, the others come from what stands before it. */
const BROKEN = [500, 502, 503] as const;

/** What a proxy answers. */
const pageOf = (title: string, echo: string): string =>
	`<html><h1>${title}</h1><p>${echo}</p></html>`;

/** By their names in the tally; some with a text that the service repeats. */
const FAULTS: Record<string, (draw: Draw, echo: string) => Fault> = {
	...Object.fromEntries(
		REFUSALS.map((status) => [String(status), () => ({ kind: 'status', status }) as const]),
	),
	'500': () => ({ kind: 'status', status: 500 }),
	'502': (_, echo) => ({ kind: 'status', status: 502, body: pageOf('Bad Gateway', echo) }),
	'503': (_, echo) => ({ kind: 'status', status: 503, body: pageOf('Unavailable', echo) }),
	reset: () => ({ kind: 'reset' }),
	hang: () => ({ kind: 'hang' }),
	garbage: () => ({ kind: 'garbage' }),
	slow: (draw) => ({ kind: 'slow', ms: draw.whole(100, REQUEST_MS - 10_000) }),
	late: (draw) => ({ kind: 'slow', ms: REQUEST_MS + draw.whole(2000, 40_000) }),
};

/** Of these, nobody who sent a creation can tell whether it has had its effect. */
const DOUBTFUL = [...BROKEN.map(String), 'reset', 'hang', 'garbage', 'late'] as const;

/** A fault that a scenario has to have, once at least. */
export interface Forced {
	fault: string;
	stage: Stage;
	/** The service does all that is asked for, and only its answer goes wrong. */
	isAfter: boolean;
}

/** Each kind of fault at each stage; at a creation, before the effect and after it where there may be one. */
export const FORCED: readonly Forced[] = STAGES.flatMap((stage) =>
	Object.keys(FAULTS).flatMap((fault) => {
		const isDoubtful = DOUBTFUL.some((one) => one === fault);
		const both = stage === 'create' && isDoubtful ? [false, true] : [false];
		return both.map((isAfter) => ({ fault, stage, isAfter }));
	}),
);

/** Every scenario forces one, in turn. */
export const forcedIn = (seed: number): Forced => FORCED[seed % FORCED.length]!;

export const nameOf = ({ fault, stage, isAfter }: Forced): string =>
	`${fault} at ${stage}${isAfter ? ', after its effect' : ''}`;

/**
 * The rules by which a scenario meets it. A creation that it hits is the first, or that of one of the first rows.
 *
 * @param prompts of the workflow that meets it
 * @param echo what the service repeats of the request
 */
export function forcedRules(
	{ fault, stage, isAfter }: Forced,
	draw: Draw,
	prompts: readonly string[],
	echo: string,
): FaultRuleInput[] {
	const rule = {
		fault: FAULTS[fault]!(draw, echo),
		when: isAfter ? ('after' as const) : ('before' as const),
	};
	if (stage !== 'create') {
		return [{ match: { kind: stage }, ...rule, times: draw.whole(1, 3) }, ...sparing(prompts, 2)];
	}
	const row = draw.whole(0, Math.min(prompts.length - 1, 2));
	if (draw.chance(0.5)) return [{ match: { kind: 'create' }, ...rule, times: draw.whole(1, 3) }];
	const bodyPattern = patternOf(prompts[row]!);
	return [{ match: { kind: 'create', bodyPattern }, ...rule, times: 1 }, ...sparing(prompts, row)];
}

/** Finds it in a body, also where an expression adds to it. */
const patternOf = (prompt: string) => prompt.replace(/[.[\]]/g, '\\$&');

/** Nothing that matters happens to the creations of the first rows: what comes later is reached. */
const sparing = (prompts: readonly string[], rows: number): FaultRuleInput[] =>
	prompts.slice(0, rows).map((prompt) => ({
		match: { kind: 'create', bodyPattern: patternOf(prompt) },
		fault: { kind: 'slow', ms: 1 },
	}));

/** Answers to creations that are lost again and again, though their jobs are made. */
export const lossyRule = (draw: Draw, echo: string): FaultRuleInput => ({
	match: { kind: 'create' },
	fault: FAULTS[draw.pick(['500', '500', ...DOUBTFUL])]!(draw, echo),
	when: 'after',
	probability: draw.pick([0.3, 0.6, 0.9]),
	times: draw.whole(5, 20),
});

/** The fault that has hit a request, by its name. @param isAfter it has had its effect all the same */
export function faultOf(entry: JournalEntry, isAfter: boolean): string | undefined {
	const { fault, kind, status, at, answeredAt = Infinity } = entry;
	const stage = STAGES.find((one) => one === kind);
	if (fault === undefined || stage === undefined) return undefined;
	const slow = answeredAt - at > REQUEST_MS ? 'late' : 'slow';
	const name = { status: String(status), slow }[fault] ?? fault;
	return nameOf({ fault: name, stage, isAfter: isAfter && name !== 'slow' });
}
