import { ERRORS } from '../../document.mts';
import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import type { Draw } from './draw.mts';

type Fault = FaultRuleInput['fault'];
type Kind = NonNullable<NonNullable<FaultRuleInput['match']>['kind']>;

/** The documented statuses that say that nothing was done. */
export const REFUSALS: readonly number[] = ERRORS.map(({ status }) => status).filter(
	(status) => status < 500,
);

/** A request may take about so long, ms; what is near it is not drawn. */
const REQUEST_MS = 30_000;

const tooMany = (draw: Draw): Fault => ({
	kind: 'status',
	status: 429,
	...(draw.chance(0.5) && { headers: { 'retry-after': String(draw.whole(0, 40)) } }),
});

const broken = (draw: Draw): Fault => ({
	kind: 'status',
	status: draw.pick([500, 500, 502, 503, 504]),
	...(draw.chance(0.5) && { body: '<html>Bad Gateway</html>' }),
});

const late = (draw: Draw): Fault => ({
	kind: 'slow',
	ms: draw.pick([
		draw.whole(100, 20_000),
		draw.whole(100, 2000),
		REQUEST_MS + draw.whole(2000, 40_000),
	]),
});

/** Answers that are true after all, to a request that still waits. */
const slow = (draw: Draw): Fault => ({ kind: 'slow', ms: draw.whole(100, 20_000) });

const refused = (draw: Draw): Fault => ({
	kind: 'status',
	status: draw.pick([400, 402, 403, 404]),
});

/** Faults after which a paid job goes on, whatever they hit. */
export const passing = (draw: Draw): Fault =>
	draw.pick([
		tooMany,
		tooMany,
		broken,
		late,
		slow,
		() => ({ kind: 'reset' }) as const,
		() => ({ kind: 'hang' }) as const,
		() => ({ kind: 'garbage' }) as const,
	])(draw);

/** How often a rule hits: a few times in a row, or now and then. */
export function often(draw: Draw): Pick<FaultRuleInput, 'times' | 'probability'> {
	return draw.chance(0.5)
		? { times: draw.whole(1, 5) }
		: { times: draw.whole(3, 20), probability: draw.whole(5, 50) / 100 };
}

/** Rules that cost time and nothing else: whoever waits long enough gets everything. */
export function passingRules(draw: Draw): FaultRuleInput[] {
	return draw.list(draw.whole(1, 4), () => {
		const kind = draw.pick<Kind>(['create', 'status', 'status', 'list']);
		const fault = kind === 'create' ? draw.pick([tooMany, tooMany, slow])(draw) : passing(draw);
		return { match: { kind }, fault, ...often(draw) };
	});
}

/** Whether creations come late by it, and not looks alone. */
export const delaysCreations = ({ match, fault }: FaultRuleInput): boolean =>
	match?.kind === 'create' || (fault.kind === 'status' && fault.status === 429);

/** Rules of any kind. */
export function anyRules(draw: Draw): FaultRuleInput[] {
	return draw.list(draw.whole(1, 4), () => {
		const kind = draw.pick<Kind | undefined>([
			'create',
			'create',
			'create',
			'status',
			'status',
			'list',
			undefined,
		]);
		const fault = draw.chance(0.2) ? refused(draw) : passing(draw);
		// A refusal says that nothing has happened: the service does not refuse after the effect.
		const isRefusal = fault.kind === 'status' && fault.status < 500;
		const when = isRefusal ? 'before' : draw.pick(['before', 'after'] as const);
		return { ...(kind && { match: { kind } }), fault, when, ...often(draw) };
	});
}

/** Answers to creations that are lost again and again, though their jobs are made. */
export const lossyRule = (draw: Draw): FaultRuleInput => ({
	match: { kind: 'create' },
	fault: draw.pick([
		broken,
		broken,
		() => ({ kind: 'reset' }) as const,
		() => ({ kind: 'hang' }) as const,
		() => ({ kind: 'garbage' }) as const,
	])(draw),
	when: 'after',
	probability: draw.pick([0.3, 0.6, 0.9]),
	times: draw.whole(5, 20),
});
