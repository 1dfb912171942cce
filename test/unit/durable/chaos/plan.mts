import type { FaultRuleInput } from '../../../../sandbox/faults.mts';
import type { SandboxSettingsInput } from '../../../../sandbox/settings.mts';
import { Draw } from '../../faults/draw.mts';
import { delaysCreations, firstLookRules, passingRules } from '../../faults/faultRules.mts';
import { drawHistory } from '../../faults/scenario.mts';

/** n8n is killed, and started again. */
export interface Kill {
	/** After so many instants of the process, or after so long, ms. */
	when: { instants: number } | { ms: number };
	/** Until it is started again, ms. */
	downMs: number;
}

/**
 * What the workflow does after the node: nothing, it parks, or it runs another such node; or the node
 * is in a loop, and makes a part of the items in each round.
 */
export type Then = 'end' | 'wait' | 'again' | 'loop';

export interface ChaosPlan {
	seed: number;
	settings: SandboxSettingsInput;
	faults: FaultRuleInput[];
	/** What the first requests meet whenever n8n has been started again. */
	faultsAtBoot: FaultRuleInput[];
	/**
	 * Of the node, seconds: enough for every job, and for a clock that is set forth, which looks as if n8n had been down;
	 * but perhaps not for the time that n8n is down.
	 */
	timeout: number;
	/** Of each item; some may be alike. */
	prompts: string[];
	/** *Continue*. */
	continueOnFail: boolean;
	then: Then;
	/** *Save execution progress* in the user's workflow. */
	savesProgress: boolean;
	/** n8n has a log of what ran when it was killed. */
	hasLog: boolean;
	/** The account has made something before. */
	hasHistory: boolean;
	kills: Kill[];
}

const MINUTE = 60_000;

const JOBS_MS = [
	{ min: 0, max: 4000 },
	{ min: 2000, max: 12_000 },
	{ min: 2000, max: 12_000 },
	{ min: 20_000, max: 90_000 },
	{ min: 200_000, max: 700_000 },
];

/** What happens in the run of a seed: a batch of ten, and one to four kills. */
export function drawPlan(seed: number): ChaosPlan {
	const draw = new Draw(seed);
	const isRough = draw.chance(0.35);
	// So far apart, one can be done before the other is created.
	const different = draw.pick([10, 10, 10, 9, 5]);
	const jobMs = draw.pick(JOBS_MS);
	const plan: ChaosPlan = {
		seed,
		settings: {
			seed,
			credits: { purchased: 1_000_000 },
			jobMs,
			queuedMs: draw.pick([0, 1000]),
			retryAfter: draw.chance(0.3),
			shapes: { list: drawHistory(draw) },
		},
		faults: isRough ? passingRules(draw) : [],
		prompts: draw.list(10, (item) => `s${seed} i${item % different}.`),
		continueOnFail: draw.chance(0.5),
		then: draw.pick(['end', 'wait', 'again', 'loop']),
		savesProgress: draw.chance(0.3),
		hasLog: draw.chance(0.5),
		hasHistory: draw.chance(0.8),
		kills: draw.list(draw.skewed(1, 4), () => drawKill(draw)),
		timeout: 7200,
		faultsAtBoot: draw.chance(0.5) ? firstLookRules(draw) : [],
	};
	// A creation has no more time than that either.
	const mayBeTight = ![...plan.faults, ...plan.faultsAtBoot].some(delaysCreations);
	const tight = jobMs.max / 1000 + 10;
	return mayBeTight && draw.chance(0.7) ? { ...plan, timeout: tight } : plan;
}

function drawKill(draw: Draw): Kill {
	return {
		when: draw.pick([
			() => ({ instants: draw.whole(1, 40) }),
			() => ({ instants: draw.whole(1, 250) }),
			() => ({ instants: draw.whole(1, 250) }),
			() => ({ ms: draw.whole(0, 20_000) }),
			() => ({ ms: draw.whole(0, 5 * MINUTE) }),
		])(),
		downMs: draw.pick([
			0,
			draw.whole(0, 10_000),
			draw.whole(0, 3 * MINUTE),
			draw.whole(0, 20 * MINUTE),
		]),
	};
}
