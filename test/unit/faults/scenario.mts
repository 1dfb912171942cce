import type { IDataObject } from 'n8n-workflow';

import { LIMITS } from '../../document.mts';
import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import type { ItemKind } from '../../support/product.mts';
import type { Outage } from '../../support/virtualNetwork.mts';
import type { NodeSettings } from '../../support/virtualRun.mts';
import { Draw } from './draw.mts';
import { anyRules, delaysCreations, lossyRule, passingRules } from './rules.mts';

/**
 * - `clean`: nothing goes wrong, nobody else uses the account
 * - `passing`: only what costs time, and there is plenty of time
 * - `crowded`: others use the account, so that its limits are lower than documented
 * - `any`: everything, and mostly creations whose answers are lost
 */
type Weather = 'clean' | 'passing' | 'crowded' | 'any';

/** A workflow with one node, and what its owner does. */
export interface WorkflowPlan {
	kind: ItemKind;
	/** Of each item; no two are alike. */
	prompts: string[];
	parameters: IDataObject;
	/** An expression gives each prompt another end each time that it is read. */
	varies: boolean;
	wait: boolean;
	options: IDataObject & { timeout: number };
	node: NodeSettings;
	startsAfterMs: number;
	/** Stop in the editor, ms after the start. */
	stopsAfterMs?: number;
	/** *Retry execution*, as often as it has failed, up to so many times. */
	retries: number;
	retriesAfterMs: number;
}

export interface Scenario {
	seed: number;
	weather: Weather;
	settings: SandboxSettingsInput;
	outages: Outage[];
	faults: FaultRuleInput[];
	/** The faults are over when somebody retries. */
	heals: boolean;
	/** On one account, in one process. */
	workflows: WorkflowPlan[];
}

const WEATHERS = [
	'clean',
	'passing',
	'passing',
	'crowded',
	'any',
	'any',
	'any',
	'any',
	'any',
] as const;

const RULES: Record<Weather, (draw: Draw) => FaultRuleInput[]> = {
	clean: () => [],
	crowded: () => [],
	passing: passingRules,
	any: anyRules,
};

const generate = (resource: string) => ({ resource, operation: 'generate' });

const OPERATIONS = [
	{ kind: 'image' as const, parameters: { ...generate('image'), size: '1:1' } },
	{
		kind: 'video' as const,
		parameters: { ...generate('vidA31'), model: 'modelA_fast', aspectRatio: '16:9' },
	},
	{
		kind: 'video' as const,
		parameters: { ...generate('standardVideo'), video_model: 'modelA', aspect_ratio: '16:9' },
	},
	// Of its answers the document shows nothing.
	{
		kind: 'image' as const,
		parameters: { resource: 'image', operation: 'generateUnified', aspectRatio: '1:1' },
	},
];

/** Time enough for everything that passes, seconds; and for a job alone, ms besides what it takes. */
const PLENTY = 7200;
const JOB_ALONE_MS = 5000;

/** What passes is over by then, ms; after its time-out, a node waits for an answer for half a minute only. */
const PASSES_MS = 270_000;

/** What happens in the run of a seed. */
export function drawScenario(seed: number): Scenario {
	const draw = new Draw(seed);
	const weather = draw.pick(WEATHERS);
	const isAny = weather === 'any';
	const longest = draw.pick([0, 2000, 10_000, 10_000, 60_000]);
	const count = draw.chance(0.25) ? 2 : 1;
	const isLossy = isAny && draw.chance(0.75);
	const faults = [...(isLossy ? [lossyRule(draw)] : []), ...RULES[weather](draw)];
	// A creation has no more time than that either.
	const mayBeTight = weather === 'passing' && !faults.some(delaysCreations);
	const tight = Math.ceil((longest + JOB_ALONE_MS + PASSES_MS) / 1000);
	return {
		seed,
		weather,
		settings: {
			seed,
			credits: { purchased: 1_000_000 },
			jobMs: { min: draw.whole(0, longest), max: longest },
			queuedMs: draw.pick([0, 1000]),
			retryAfter: draw.chance(0.3),
			shapes: { list: drawHistory(draw), ...drawAnswers(draw) },
			limits:
				weather === 'crowded'
					? { ...LIMITED, requestsPerWindow: draw.whole(20, 90), concurrent: draw.whole(1, 4) }
					: LIMITED,
			key: newKey(),
		},
		outages: isAny || weather === 'passing' ? drawOutages(draw, isAny ? 60_000 : 3000) : [],
		faults,
		heals: draw.chance(0.5),
		workflows: draw.list(count, (index) => {
			const plan = drawWorkflow(draw, weather, `s${seed} w${index}`);
			const isTight = mayBeTight && draw.chance(0.7);
			if (isTight) plan.options.timeout = tight;
			// With *Continue*, more than one answer is lost.
			if (isLossy && draw.chance(0.6)) plan.node.onError = 'continueRegularOutput';
			return plan;
		}),
	};
}
/** The limits of the service, whatever the package and the sandbox take them for. */
const LIMITED = {
	requestsPerWindow: LIMITS.user.requests,
	windowMs: LIMITS.user.windowMs,
	concurrent: LIMITS.concurrentGenerations,
};

let keys = 0;

/** Never the same twice: what a process knows of an account goes by its key, too. */
const newKey = () => `mg_fault_suite_${++keys}`;

/** What the service's history lists, and how; not documented. */
export function drawHistory(draw: Draw): NonNullable<SandboxSettingsInput['shapes']>['list'] {
	return {
		body: draw.pick(['array', 'array', 'array', 'results', 'data', 'none']),
		lists: draw.pick(['all', 'all', 'all', 'ended', 'image', 'video']),
		zone: !draw.chance(0.15),
		trimmed: draw.chance(0.3),
	};
}

/** How the service answers, as far as that is not shown; beside `data` also what is shown. */
function drawAnswers(draw: Draw): SandboxSettingsInput['shapes'] {
	const place = () => ({
		enveloped: draw.chance(0.5),
		beside: draw.pick(['nothing', 'nothing', 'identity', 'rest']),
	});
	const [idField, secondId] = draw.pick([
		['generation_id', null],
		['generation_id', 'job_id'],
		['task_id', 'id'],
		['job_id', null],
	]);
	return {
		everywhere: draw.chance(0.5),
		creation: { ...place(), idField, secondId, ids: draw.pick(['uuid', 'uuid', 'number']) },
		record: {
			...place(),
			stateField: draw.pick(['status', 'state']),
			oddStatus: draw.chance(0.3),
			upperCase: draw.chance(0.3),
		},
	};
}

/** Times at which no connection is made. */
function drawOutages(draw: Draw, longestMs: number): Outage[] {
	return draw.list(draw.pick([0, 0, 0, 1]), () => {
		const fromMs = draw.whole(0, 20_000);
		const code = draw.pick(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
		return { fromMs, toMs: fromMs + draw.whole(100, longestMs), code };
	});
}

function drawWorkflow(draw: Draw, weather: Weather, name: string): WorkflowPlan {
	const isAny = weather === 'any';
	const { kind, parameters } = draw.pick(OPERATIONS);
	const fails = isAny || weather === 'clean' ? draw.pick([0, 0, 0.1, 0.3]) : 0;
	const items = draw.skewed(1, weather === 'crowded' ? 12 : 30);
	const wait = !draw.chance(weather === 'crowded' ? 0 : 0.15);
	return {
		kind,
		prompts: draw.list(items, (i) => `${name} i${i}.${draw.chance(fails) ? ' [fail]' : ''}`),
		parameters,
		wait,
		options: {
			timeout: isAny ? draw.pick([5, 30, 120, 600, 600]) : PLENTY,
			...(draw.chance(0.2) && { maxConcurrentJobs: draw.whole(1, 5) }),
			...(draw.chance(0.2) && { simplify: false }),
		},
		node: {
			...(draw.chance(0.4) && { onError: 'continueRegularOutput' as const }),
			...(draw.chance(0.5) && {
				retryOnFail: true,
				maxTries: draw.whole(2, 3),
				waitBetweenTries: draw.pick([0, 1000, 5000]),
			}),
		},
		startsAfterMs: draw.pick([0, 0, 500, 5000]),
		...(isAny && draw.chance(0.08) && { stopsAfterMs: draw.whole(0, 20_000) }),
		varies: draw.chance(0.3),
		retries: draw.pick([0, 1, 1, 2]),
		retriesAfterMs: draw.pick([0, 1000, 30_000, 300_000]),
	};
}
