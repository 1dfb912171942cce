import { SHOWN_POLL_SECONDS } from '../../nodes/shared/spec/limits.ts';
import type { SandboxState } from '../../sandbox/state.mts';
import { VirtualN8n } from '../../test/support/virtualRun.mts';
import { inSeconds, mean, round, type PartResult } from './result.mts';
import { trafficOf } from './traffic.mts';
import * as virtual from './virtualJobs.mts';

const JOBS = 30;

/** With so few jobs, one seed may be half as fast as another. */
const SEEDS = 6;

/** The interval of the loop in the service's documentation. */
const LOOP_MS = SHOWN_POLL_SECONDS * 1000;

interface Load {
	title: string;
	itemsPerRun: number;
}

const LOADS: Load[] = [
	{ title: 'one run of all', itemsPerRun: JOBS },
	{ title: 'one after the other', itemsPerRun: 1 },
];

/** The kinds of jobs whose duration the service documents. */
const KINDS = [virtual.FAST, virtual.QUALITY];

type Case = Awaited<ReturnType<typeof measure>>;

/** How late the end of a job is seen, and how many looks that takes. */
export async function measureLag(): Promise<PartResult> {
	const cases: Case[] = [];
	for (const kind of KINDS) for (const load of LOADS) cases.push(await measure(kind, load));
	return {
		title: `(b) Seeing the end of a job, ${JOBS} jobs of a kind, in virtual time`,
		tables: [
			{
				title: `Beside a loop that looks every ${SHOWN_POLL_SECONDS} s`,
				rows: cases.map(({ kind, load, ours, loop, refused }) => ({
					job: kind.title,
					takes: `${kind.takes.min / 1000}-${kind.takes.max / 1000} s`,
					load: load.title,
					'lag, s': round(ours.lagMs / 1000),
					'its lag, s': round(loop.lagMs / 1000),
					'x loop': round(ours.lagMs / loop.lagMs, 3),
					'looks/job': round(ours.looks),
					'its looks': round(loop.looks),
					'429s': refused,
				})),
			},
		],
		checks: cases.flatMap(({ ours, loop, ...one }) => [
			{ what: titleOf(one), measured: ours.lagMs / loop.lagMs, bound: 'lag' },
			{ what: titleOf(one), measured: ours.looks / loop.looks, bound: 'looks' },
		]),
		summary: cases.map(({ ours, loop, ...one }) => ({
			what: `end of a job seen after, mean; ${titleOf(one)}`,
			ours: lookedText(ours),
			bounds: ['lag', 'looks'],
			beside: `loop of ${SHOWN_POLL_SECONDS} s: ${lookedText(loop)}`,
		})),
		notes: [
			'Lag: from the end of the job to the arrival of the read that shows it: of its own status, or of the',
			'history where that is taken for it.',
			`Looks: reads of statuses and of the history. Means of ${SEEDS} seeds.`,
		],
	};
}

const titleOf = ({ kind, load }: Pick<Case, 'kind' | 'load'>) => `${kind.title}, ${load.title}`;

async function measure(kind: virtual.Kind, load: Load) {
	const states = await virtual.overSeeds(SEEDS, async (seed) => await run(kind, load, seed));
	return {
		kind,
		load,
		ours: meanOf(states.map(measuredOf)),
		loop: meanOf(states.map(loopOf)),
		refused: mean(states.map((state) => trafficOf(state).refused)),
	};
}

type Looked = ReturnType<typeof measuredOf>;

const meanOf = (all: readonly Looked[]): Looked => ({
	lagMs: mean(all.map(({ lagMs }) => lagMs)),
	looks: mean(all.map(({ looks }) => looks)),
});

const lookedText = ({ lagMs, looks }: Looked) => `${inSeconds(lagMs)}, ${round(looks, 1)} looks`;

/** Runs all jobs in a process that has not seen any job before. */
async function run(kind: virtual.Kind, { itemsPerRun }: Load, seed: number): Promise<SandboxState> {
	const n8n = new VirtualN8n({ settings: { credits: virtual.CREDITS, jobMs: kind.takes, seed } });
	for (let done = 0; done < JOBS; done += itemsPerRun) {
		const { error } = await n8n.clock.run(
			n8n.execute(
				virtual.batchOf(
					kind,
					Array.from({ length: itemsPerRun }, (_, item) => `item ${item}`),
				),
			),
		);
		if (error) throw error;
	}
	return n8n.state;
}

function measuredOf(state: SandboxState) {
	return {
		lagMs: mean(virtual.lagsOf(state)),
		looks: trafficOf(state).looks / state.jobs.list.length,
	};
}

/** What the documented loop would have reached with the same jobs. */
function loopOf({ jobs }: SandboxState): Looked {
	const durations = jobs.list.map(virtual.durationOf);
	const looks = durations.map((ms) => Math.ceil(ms / LOOP_MS));
	return {
		lagMs: mean(durations.map((ms, index) => (looks[index] ?? 0) * LOOP_MS - ms)),
		looks: mean(looks),
	};
}
