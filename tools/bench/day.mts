import { performance } from 'node:perf_hooks';

import type { SandboxState } from '../../sandbox/state.mts';
import { UNBOUNDED } from '../../test/support/virtualClock.mts';
import { VirtualN8n } from '../../test/support/virtualRun.mts';
import { fastestLoops } from './loop.mts';
import { mean, round, timesIdeal, type PartResult } from './result.mts';
import { idealOf } from './schedule.mts';
import { trafficOf } from './traffic.mts';
import { CREDITS, FAST, lagsOf, parametersOf, plannedOf, QUALITY } from './virtualJobs.mts';

const JOBS = 10_000;

/** A day of one account, with videos of the fast and of the quality model by turns. */
export async function measureDay(): Promise<PartResult> {
	const n8n = new VirtualN8n({ settings: { credits: CREDITS } });
	n8n.clock.bounds = UNBOUNDED;
	drawByModel(n8n.state);
	const start = performance.now();
	const { error, items, startedAt, endedAt } = await n8n.clock.run(
		n8n.execute({
			items: Array.from({ length: JOBS }, () => ({})),
			parameters: (itemIndex) => parametersOf(itemIndex % 2 ? QUALITY : FAST, itemIndex),
			kind: FAST.kind,
		}),
	);
	if (error) throw error;
	const { requests, looks, refused, mostInWindow, paid } = trafficOf(n8n.state);
	const planned = plannedOf(n8n.state.jobs.list);
	const ideal = idealOf(planned);
	const beside = fastestLoops(planned, [JOBS]);
	const tookMs = endedAt - startedAt;

	return {
		title: `(d) A day of ${JOBS} videos of 30 to 60 s, in virtual time`,
		tables: [
			{
				title: 'One run, alone on the account',
				rows: [
					{
						items: items.length,
						hours: inHours(tookMs),
						ideal: inHours(ideal),
						'x ideal': round(tookMs / ideal, 4),
						requests,
						'looks/job': round(looks / JOBS),
						'lag, s': round(mean(lagsOf(n8n.state)) / 1000),
						'mean/min': round(requests / (tookMs / 60_000), 1),
						'most/min': mostInWindow,
						'429s': refused,
						'jobs paid': paid,
					},
				],
			},
		],
		checks: [
			{ what: 'a day', measured: tookMs / ideal, bound: 'day' },
			{ what: 'a day', measured: refused, bound: 'day, refused' },
			{ what: 'a day', measured: mostInWindow, bound: 'day, requests' },
			{ what: 'a day', measured: JOBS - paid, bound: 'day, unpaid' },
		],
		summary: [
			{
				what: `${JOBS} videos of 30 to 60 s, in virtual time`,
				ours: timesIdeal(`${inHours(tookMs)} h`, tookMs / ideal),
				ideal: `${inHours(ideal)} h`,
				bounds: ['day', 'day, refused'],
				beside: `loop of five: ${inHours(beside.ms)} h`,
			},
		],
		notes: [`Simulated in ${round((performance.now() - start) / 1000, 1)} s.`],
	};
}

/** The sandbox draws all durations from one range; this gives each model its documented range. */
function drawByModel({ jobs, settings }: SandboxState): void {
	const create = jobs.create.bind(jobs);
	jobs.create = (facts) => {
		const { takes } = facts.body.model === QUALITY.parameters.model ? QUALITY : FAST;
		settings.jobMs = takes;
		return create(facts);
	};
}

const inHours = (ms: number) => round(ms / 3_600_000, 3);
