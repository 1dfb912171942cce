import { VirtualN8n, type Execution } from '../../support/virtualRun.mts';
import { drawScenario, type Scenario, type WorkflowPlan } from './scenario.mts';

/** What a scenario came to. */
export interface Play {
	scenario: Scenario;
	n8n: VirtualN8n;
	/** Of each workflow, its executions one after another: each is a retry, by a person, of the one before. */
	workflows: Array<{ plan: WorkflowPlan; executions: Execution[] }>;
}

/** The path that the document does not show, where the sandbox serves such jobs there. */
const credentialFor = ({ settings: { shapes } }: Scenario) =>
	shapes?.creation?.idField === 'generation_id'
		? {}
		: { imageStatusPath: '/open/status/{job_id}/' };

/** Time in which even the latest request has its effect, ms. */
const AFTERWARDS_MS = 200_000;

/**
 * Plays the scenario of a seed.
 *
 * @throws Error when it does not end
 */
export async function play(seed: number): Promise<Play> {
	const scenario = drawScenario(seed);
	const { settings, outages } = scenario;
	const n8n = new VirtualN8n({ settings, outages }, credentialFor(scenario));
	for (const rule of scenario.faults) n8n.state.faults.add(rule);
	const all = Promise.all(
		scenario.workflows.map(async (plan) => ({
			plan,
			executions: await runWorkflow(n8n, plan, scenario),
		})),
	);
	const workflows = await n8n.clock.run(all);
	await n8n.clock.advance(AFTERWARDS_MS);
	return { scenario, n8n, workflows };
}

let count = 0;

/** Never the same twice, as with `$now` in an expression. */
const varied = (prompt: string) => `${prompt} ~${++count}`;

/** The item of a plan that was ordered with this prompt; -1 where it is of another plan. */
export const itemOf = ({ prompts }: WorkflowPlan, prompt: string): number =>
	prompts.indexOf(prompt.replace(/ ~\d+$/, ''));

async function runWorkflow(
	n8n: VirtualN8n,
	plan: WorkflowPlan,
	{ heals }: Scenario,
): Promise<Execution[]> {
	await n8n.clock.sleep(plan.startsAfterMs);
	const stop = new AbortController();
	if (plan.stopsAfterMs !== undefined) {
		void n8n.clock.sleep(plan.stopsAfterMs).then(() => stop.abort());
	}
	const { wait, options } = plan;
	const first = await n8n.execute({
		items: plan.prompts.map((prompt) => ({ prompt })),
		parameters: (itemIndex) => ({
			...plan.parameters,
			prompt: plan.varies ? varied(plan.prompts[itemIndex]!) : plan.prompts[itemIndex],
			waitForCompletion: wait,
			options,
		}),
		kind: plan.kind,
		node: plan.node,
		signal: stop.signal,
	});
	const executions = [first];
	for (let last = first; last.error && executions.length <= plan.retries; ) {
		// What was under way when the run was stopped arrives before that.
		const leastMs = plan.stopsAfterMs === undefined ? 0 : 1000;
		await n8n.clock.sleep(Math.max(plan.retriesAfterMs, leastMs));
		if (heals) n8n.state.faults.clear();
		last = await n8n.retry({ ...last, options: { ...last.options, signal: undefined } });
		executions.push(last);
	}
	return executions;
}
