import { ALL } from '../../support/sampled.mts';
import type { VirtualEngine } from '../../support/virtualEngine.mts';
import { Draw } from '../faults/draw.mts';
import { recover } from './chaos/play.mts';
import { Queue } from './queue.mts';

/**
 * Queue mode: processes are killed and stand still at drawn moments, for seconds or hours, and n8n drops what it had
 * stored of what they ran: nothing is paid for twice, and each paid job is named or can be recovered.
 */

const CHOSEN = process.env.QUEUE_SEED;
const FIRST = Number(process.env.QUEUE_FIRST ?? 1);
const MANY = Number(process.env.QUEUE_TESTS ?? (ALL ? 4 : 2));

const MINUTE = 60_000;

const ID = '1';

/** Not promised: that there is a copy before, as the standby has not looked yet. */
const FROM_MS = 16 * MINUTE;

interface Incident {
	atMs: number;
	role: string;
	/** It stands still for so long, or is killed. */
	ms: number | 'kill';
}

function drawIncidents(draw: Draw): Incident[] {
	const incidents = draw.list(
		draw.whole(1, 6),
		(): Incident => ({
			atMs: FROM_MS + draw.skewed(0, 50 * MINUTE),
			role: draw.pick(['work', 'work', 'supervise', 'supervise', 'supervise', 'resume', '']),
			// From a second to two hours, each order of magnitude as likely.
			ms: draw.chance(0.5) ? 'kill' : Math.round(1000 * 7200 ** (draw.whole(0, 1000) / 1000)),
		}),
	);
	return incidents.sort((one, other) => one.atMs - other.atMs);
}

async function play(seed: number): Promise<string[]> {
	const draw = new Draw(seed, 'queue');
	const incidents = drawIncidents(draw);
	const prompts = draw.list(draw.whole(20, 60), (item) => `item ${item}`);
	const droppedMs = draw.pick([55_000, 70_000, 90_000, 15 * MINUTE]);
	const told: string[] = [];
	const queue = new Queue({
		key: `key-of-queue-${seed}`,
		prompts,
		settings: {
			seed,
			jobMs: draw.pick([
				{ min: 60_000, max: 180_000 },
				{ min: 120_000, max: 400_000 },
			]),
			...(draw.chance(0.4) && {
				shapes: { list: { lagMs: { min: 0, max: draw.pick([30_000, 200_000]) } } },
			}),
		},
		onInstant: (it, process) => {
			const [incident] = incidents;
			if (!incident || it.elapsed < incident.atMs || process.pausable.isPaused) return;
			const { role, ms } = incident;
			if (it.dead.has(process) || (role !== '' && !process.runs(role))) return;
			const isParked = it.cluster.store.rows.get(ID)?.status === 'waiting';
			const isSupervised = it.cluster
				.inRole('supervise')
				.some(({ status }) => status === 'waiting');
			if (!isParked || (it.isAboutToCreate(process) && ms !== 'kill')) return;
			if (ms === 'kill' && (!isSupervised || process.running().length > 1)) return;
			incidents.shift();
			const ran = process
				.running()
				.map((id) => `${it.cluster.store.rows.get(id)?.workflow.name} ${id}`);
			told.push(`${Math.round(it.elapsed / 1000)} s: ${ms} ${ran.join(', ')}`);
			if (ms === 'kill') it.kill(process, droppedMs);
			else it.freeze(process, ms, droppedMs);
		},
	});
	queue.trigger();
	void queue.useElsewhere(draw.whole(60_000, 400_000));
	await queue.untilEnd();
	const wrong = queue.twice().map((prompt) => `${prompt} is paid for twice`);
	const { clock, store } = queue.cluster;
	let recovered = '';
	const isOrphan = store.rows.get(ID)?.status === 'waiting';
	const left = queue.open();
	if (isOrphan || queue.unnamed(prompts).length > 0) {
		queue.start();
		const process = queue.processes.at(-1)!;
		const trigger: VirtualEngine['trigger'] = async (...args) =>
			(await process.trigger(...args)).id;
		const engine = { trigger, clock, store } as unknown as VirtualEngine;
		recovered = JSON.stringify(
			await clock.run(recover(engine, ID)).catch((error: Error) => error.message),
		);
	}
	queue.over();
	const unnamed = queue.unnamed(prompts).filter((one) => !recovered.includes(one.split(' ')[0]!));
	wrong.push(...unnamed.map((one) => `${one} is named nowhere`));
	if (isOrphan && process.env.QUEUE_SAYS) wrong.push('ORPHAN');
	else if (!isOrphan) wrong.push(...left);
	if (wrong.length > 0) wrong.push(`dropped after ${droppedMs}`, ...told, recovered.slice(0, 300));
	return wrong.map((one) => `${seed}: ${one}`);
}

test('what is paid for is paid for once, and is not lost', async () => {
	const seeds = CHOSEN
		? [Number(CHOSEN)]
		: Array.from({ length: MANY }, (_, index) => FIRST + index);
	const failures: string[] = [];
	for (const seed of seeds) failures.push(...(await play(seed)));
	expect(failures).toEqual([]);
}, 3_600_000);
