import { documented } from '../../../sandbox/documented.mts';

import type { Job } from '../../../sandbox/jobs.mts';
import type { SandboxState } from '../../../sandbox/state.mts';
import type { VirtualClock } from '../../support/virtualClock.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { VirtualPolling, type PollingWorkflow } from '../../support/virtualPoll.mts';
import { drawStory, type Happening, type JobPlan, type Story } from './story.mts';
import { creationNamed } from '../../support/operations.mts';

/** What a person has done to a workflow. */
interface Deed {
	kind: 'on' | 'off';
	/** When it was begun, and when it was done, ms since 1970. */
	from: number;
	to: number;
}

/** A workflow and its history. */
export interface ToldTrigger {
	workflow: PollingWorkflow;
	deeds: Deed[];
	/** When a person waited for it, ms since 1970. */
	waits: Array<{ from: number; to: number }>;
	/** Characters of its static data, the most. */
	mostStored: number;
}

/** What a story came to. */
export interface Told {
	story: Story;
	n8n: VirtualN8n;
	polling: VirtualPolling;
	triggers: ToldTrigger[];
	endedAt: number;
}

const RETRY_MS = 30_000;

/** Plays the story of a seed. */
export async function tell(seed: number): Promise<Told> {
	const story = drawStory(seed);
	const n8n = new VirtualN8n({ settings: story.settings });
	const { clock, state } = n8n;
	const polling = new VirtualPolling(n8n);
	for (const plan of story.earlier) startJob(state, plan);
	await clock.advance(60_000);
	const triggers = story.triggers.map(({ parameters, everyMinutes }): ToldTrigger => {
		return { workflow: polling.add(parameters, everyMinutes), deeds: [], waits: [], mostStored: 0 };
	});
	for (const trigger of triggers) await clock.run(switchOn(n8n, trigger));
	for (const happening of story.happenings) {
		await clock.advance(happening.afterMs);
		await happen(happening, { n8n, polling, triggers });
	}
	state.faults.clear();
	for (const trigger of triggers) {
		if (!trigger.workflow.isActive) await clock.run(switchOn(n8n, trigger));
	}
	await clock.advance(story.calmMs);
	polling.stop();
	for (const trigger of triggers) measure(trigger);
	return { story, n8n, polling, triggers, endedAt: clock.now() };
}

export function startJob(state: SandboxState, { made, fails, ms }: JobPlan): Job {
	const operation = documented(creationNamed(made.replace(' ', '.')));
	const { settings, jobs } = state;
	settings.jobMs = { min: ms, max: ms };
	const { result, status } = operation;
	const idField =
		result?.[0] ?? (typeof status.path === 'string' ? (status.idField ?? 'id') : 'generation_id');
	const prompt = `job ${jobs.list.length}${fails ? ' [fail]' : ''}`;
	return jobs.create({ idField, operation, body: { prompt }, credits: 8 });
}

type Stage = Pick<Told, 'n8n' | 'polling' | 'triggers'>;

async function happen(happening: Happening, { n8n, polling, triggers }: Stage): Promise<void> {
	const { clock, state } = n8n;
	for (const trigger of triggers) measure(trigger);
	switch (happening.kind) {
		case 'jobs':
			for (const plan of happening.jobs) startJob(state, plan);
			return;
		case 'faults':
			for (const rule of happening.rules) state.faults.add(rule);
			return;
		case 'heal':
			return state.faults.clear();
		case 'restart':
			// Workflows that cannot be registered at once are in n8n's own time.
			void polling.restart(happening.downMs);
			return await clock.advance(happening.downMs + 5000);
		case 'off':
			return switchOff(n8n, triggers[happening.trigger]!);
		case 'on': {
			const trigger = triggers[happening.trigger]!;
			if (!trigger.workflow.isActive) await clock.run(switchOn(n8n, trigger));
		}
	}
}

/** A person tries until it works: all tries are one beginning. */
async function switchOn({ clock, state }: VirtualN8n, { workflow, deeds, waits }: ToldTrigger) {
	await untilRegistered(clock, workflow);
	const begunAt = clock.now();
	for (let tries = 1; ; tries++) {
		const from = clock.now();
		const error = await workflow.activate().catch((refusal: Error) => refusal);
		waits.push({ from, to: clock.now() });
		if (!error) {
			deeds.push({ kind: 'on', from: begunAt, to: clock.now() });
			return;
		}
		await clock.sleep(RETRY_MS);
		if (tries % 5 === 0) state.faults.clear();
		if (tries > 20) throw error;
	}
}

/**
 * What n8n finds while it registers a workflow starts executions also where somebody publishes a change at
 * that moment, and what it has found then is not stored: both registrations tell of it. So nobody does.
 */
async function untilRegistered(clock: VirtualClock, workflow: PollingWorkflow): Promise<void> {
	for (let tries = 0; workflow.isRegistering && tries < 600; tries++) await clock.sleep(1000);
}

function switchOff({ clock }: VirtualN8n, { workflow, deeds }: ToldTrigger): void {
	if (!workflow.isActive) return;
	workflow.deactivate();
	const now = clock.now();
	deeds.push({ kind: 'off', from: now, to: now });
}

function measure(trigger: ToldTrigger): void {
	trigger.mostStored = Math.max(trigger.mostStored, trigger.workflow.stored.length);
}
