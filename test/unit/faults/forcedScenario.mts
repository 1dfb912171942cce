import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { Draw } from './draw.mts';
import { echoOf } from './echoes.mts';
import { forcedIn, forcedRules, lossyRule, type Stage } from './forcedFaults.mts';
import type { Scenario, WorkflowPlan } from './scenario.mts';

/** The scenario with the fault that its seed forces, and the first workflow comes as far as the stage that it hits. */
export function withForced(scenario: Scenario): Scenario {
	const { seed, settings, workflows } = scenario;
	const draw = new Draw(seed, 'forced');
	const forced = forcedIn(seed);
	const echo = draw.chance(0.5) ? echoOf(String(settings.key)) : '';
	const isLossy = draw.chance(0.75);
	const isDownload = forced.stage === 'media';
	const [drawn, ...others] = workflows as [WorkflowPlan, ...WorkflowPlan[]];
	const isLate = forced.stage !== 'create';
	const first = isLate ? arriving(drawn, forced.stage, seed) : drawn;
	return {
		...scenario,
		echo,
		faults: [
			...forcedRules(forced, draw, first.prompts, echo),
			...(isLossy ? [lossyRule(draw, echo)] : []),
			...scenario.faults,
		],
		...(isLate && { outages: [] }),
		workflows: [first, ...others].map((plan) => ({
			...plan,
			...(isLossy && draw.chance(0.6) && { node: goingOn(plan) }),
			...(isDownload && { download: true, prompts: plan.prompts.slice(0, FILES) }),
		})),
		settings: {
			...(isDownload ? withFiles(settings) : settings),
			// The history is of no use for jobs that have ended by then.
			...(forced.stage === 'list' && { jobMs: { min: 2000, max: 10_000 } }),
		},
	};
}

/** To draw a picture takes long. */
const FILES = 4;

/** The history is looked at where several jobs run. */
const LISTED = 6;

function arriving(plan: WorkflowPlan, stage: Stage, seed: number): WorkflowPlan {
	const { stopsAfterMs, ...unstopped } = plan;
	const { options, prompts } = plan;
	const more = stage === 'list' ? Math.max(0, LISTED - prompts.length) : 0;
	return {
		...unstopped,
		wait: true,
		options: { ...options, timeout: Math.max(600, options.timeout) },
		// A row that fails may end the run before any file is fetched.
		prompts: [
			...prompts.map((prompt, i) =>
				i === 0 || stage === 'media' ? prompt.replace(' [fail]', '') : prompt,
			),
			...Array.from({ length: more }, (_, i) => `s${seed} w0 i${prompts.length + i}.`),
		],
		...(stage === 'list' && {
			kind: 'image',
			parameters: { resource: 'image', operation: 'generate', size: '1:1' },
		}),
	};
}

/** With *Continue*, more than one answer is lost. */
const goingOn = ({ node }: WorkflowPlan): WorkflowPlan['node'] => ({
	...node,
	onError: 'continueRegularOutput',
});

/** Only identifiers of the usual kind are in the addresses of files. */
function withFiles({ shapes, ...settings }: SandboxSettingsInput): SandboxSettingsInput {
	const creation = { ...shapes?.creation, ids: 'uuid' as const };
	return { ...settings, shapes: { ...shapes, creation } };
}
