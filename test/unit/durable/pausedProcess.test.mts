import { firstOf } from '../../support/sampled.mts';
import { VirtualCluster } from '../../support/virtualCluster.mts';
import { itemsOf, workflowOf } from './chaos/play.mts';

/** Queue mode: processes stand still while they run a worker, its supervisor or the standby of that, and go on. */

const MINUTE = 60_000;

const JOB_MS = { min: 4000, max: 30_000 };

/** So many that each worker still has some to create when another comes. */
const promptsOf = (items: number) => Array.from({ length: items }, (_, item) => `item ${item}`);

type Process = ReturnType<VirtualCluster['start']>;

/** A batch in a cluster: what a process does whenever something has happened in it, tests set. */
class Batch {
	readonly cluster: VirtualCluster;

	readonly prompts: string[];

	constructor(seed: number, items: number, jobMs = JOB_MS) {
		const settings = { seed, credits: { purchased: 1_000_000 }, jobMs };
		this.cluster = new VirtualCluster({ settings });
		this.prompts = promptsOf(items);
	}

	/** @param isMoment whether it stands still from now on; asked only until it does for the first time */
	start(isMoment: (process: Process) => boolean): Process {
		let hasStopped = false;
		const process: Process = this.cluster.start(() => {
			if (hasStopped || !isMoment(process)) return;
			hasStopped = true;
			process.pausable.stop();
		});
		return process;
	}

	begin({ trigger }: Process): void {
		const workflow = workflowOf({ continueOnFail: true, then: 'end', savesProgress: false });
		void trigger(workflow, itemsOf({ prompts: this.prompts }));
	}

	/** Lets time pass until it is so. */
	async until(what: string, isSo: () => boolean): Promise<void> {
		for (let step = 0; !isSo(); step++) {
			if (step > 480) throw new Error(`Waited two hours in vain for ${what}`);
			await this.cluster.clock.advance(MINUTE / 4);
		}
	}

	/** Each item is paid for once, and the run has ended. */
	async expectPaidOnce(): Promise<void> {
		const { clock, state, store } = this.cluster;
		await clock.advance(180 * MINUTE);
		const paid = state.jobs.list.map(({ body }) => body.prompt);
		expect(paid.sort()).toEqual([...this.prompts].sort());
		expect(store.row('1').status).toBe('success');
	}
}

test.each(firstOf([1, 2], 1))(
	'worker and supervisor stand still, the standby replaces both: paid once, seed %i',
	async (seed) => {
		const batch = new Batch(seed, 90);
		const { cluster } = batch;
		let mayStop = false;
		const first = batch.start(({ runs }) => mayStop && runs('work') && runs('supervise'));
		batch.begin(first);
		// The supervisor checks for the first time when the run has a standby.
		await cluster.clock.advance(2 * MINUTE);
		mayStop = true;
		await batch.until('a process to stand still', () => first.pausable.isPaused);
		expect(cluster.state.jobs.list.length).toBeLessThan(batch.prompts.length - 20);
		cluster.start();
		await batch.until('a second worker', () => cluster.inRole('work').length === 2);
		await cluster.clock.advance(10_000);
		first.pausable.goOn();
		await batch.expectPaidOnce();
		expect(cluster.inRole('work')).toHaveLength(2);
	},
);

test.each(firstOf([1, 2], 1))(
	'a worker stands still before n8n has stored that it has another supervisor: paid once, seed %i',
	async (seed) => {
		const batch = new Batch(seed, 200, { min: 20_000, max: 60_000 });
		const { cluster } = batch;
		let mayStop = false;
		let withSupervisor: Process | undefined;
		let withWorker: Process | undefined;
		const isMoment = (process: Process) => {
			const { runs } = process;
			if (!mayStop || withWorker) return false;
			if (!withSupervisor) {
				if (!runs('supervise') || runs('work')) return false;
				withSupervisor = process;
				return true;
			}
			if (!runs('work') || cluster.inRole('supervise').length < 3) return false;
			withWorker = process;
			return true;
		};
		const [first] = [1, 2, 3].map(() => batch.start(isMoment));
		batch.begin(first!);
		await cluster.clock.advance(2 * MINUTE);
		mayStop = true;
		await batch.until('both to stand still', () => withWorker !== undefined);
		withSupervisor!.pausable.goOn();
		await cluster.clock.advance(30 * MINUTE);
		withWorker!.pausable.goOn();
		await batch.expectPaidOnce();
	},
);

test('a standby that stood still so long that it has been replaced takes nothing over: paid once', async () => {
	const batch = new Batch(4, 360);
	const { cluster } = batch;
	let mayStop = false;
	const first = batch.start(({ runs }) => mayStop && runs('work') && runs('supervise'));
	batch.begin(first);
	await cluster.clock.advance(12 * MINUTE);
	const standby = cluster.inRole('supervise')[1]!.id;
	const second = batch.start(({ runs }) => runs(standby) && !runs('work'));
	await batch.until('the standby to stand still', () => second.pausable.isPaused);
	await batch.until('another standby', () => cluster.inRole('supervise').length === 3);
	second.pausable.goOn();
	await cluster.clock.advance(2 * MINUTE);
	mayStop = true;
	await batch.until('the first to stand still', () => first.pausable.isPaused);
	await batch.expectPaidOnce();
});
