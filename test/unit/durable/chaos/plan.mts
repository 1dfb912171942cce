import type { FaultRuleInput } from '../../../../sandbox/faults.mts';
import type { SandboxSettingsInput } from '../../../../sandbox/settings.mts';
import { Draw } from '../../faults/draw.mts';
import { delaysCreations, passingRules } from '../../faults/rules.mts';
import { drawHistory } from '../../faults/scenario.mts';

/** n8n is killed, and started again. */
export interface Kill {
	/** After so many instants of the process, or after so long, ms. */
	when: { instants: number } | { ms: number };
	/** Until it is started again, ms. */
	downMs: number;
}

export interface ChaosPlan {
	seed: number;
	settings: SandboxSettingsInput;
	faults: FaultRuleInput[];
	/** Of the node, seconds: enough for every job, but perhaps not for the time that n8n is down. */
	timeout: number;
	/** Of each item; some may be alike. */
	prompts: string[];
	/** *Continue*. */
	continueOnFail: boolean;
	/** The user's workflow parks after the node. */
	pauses: boolean;
	/** *Save execution progress* in the user's workflow. */
	savesProgress: boolean;
	/** n8n has a log of what ran when it was killed. */
	hasLog: boolean;
	/** Nothing promises anything about a second one. */
	kill?: Kill;
}

const MINUTE = 60_000;

const JOBS_MS = [
	{ min: 0, max: 4000 },
	{ min: 2000, max: 12_000 },
	{ min: 2000, max: 12_000 },
	{ min: 20_000, max: 90_000 },
	{ min: 200_000, max: 700_000 },
];

/** What happens in the run of a seed: a batch of ten, and a kill. */
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
		pauses: draw.chance(0.5),
		savesProgress: draw.chance(0.3),
		hasLog: draw.chance(0.5),
		kill: drawKill(draw),
		timeout: 7200,
	};
	// A creation has no more time than that either.
	const mayBeTight = !plan.faults.some(delaysCreations);
	return mayBeTight && draw.chance(0.7) ? { ...plan, timeout: jobMs.max / 1000 + 10 } : plan;
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
