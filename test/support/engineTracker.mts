import type { EngineStore } from './engineStore.mts';
import type { Life } from './engineLife.mts';

/** Time between two polls for what is due, and how far ahead each looks, ms. */
const EVERY_MS = 60_000;
const AHEAD_MS = 70_000;

/** Wakes up the executions that wait in the database (n8n's `WaitTracker`). */
export class WaitTracker {
	/** Cancel the wake-ups that are planned, by ID of the execution. */
	private readonly timers = new Map<string, AbortController>();

	constructor(
		private readonly store: EngineStore,
		private readonly life: Life,
		private readonly resume: (id: string) => Promise<void>,
	) {}

	start(): void {
		const goOn = async (): Promise<never> => {
			for (;;) {
				void this.look();
				await this.life.clock.sleep(EVERY_MS);
			}
		};
		void goOn();
	}

	forget(id: string): void {
		this.timers.get(id)?.abort();
		this.timers.delete(id);
	}

	private async look(): Promise<void> {
		const { clock } = this.life;
		const due = await this.life.read(() =>
			this.store.list.filter(
				({ status, waitTill }) =>
					status === 'waiting' && waitTill !== null && waitTill <= clock.now() + AHEAD_MS,
			),
		);
		for (const { id, waitTill } of due) {
			if (this.timers.has(id)) continue;
			const timer = new AbortController();
			this.timers.set(id, timer);
			const wake = async () => {
				this.timers.delete(id);
				await this.resume(id);
			};
			clock.sleep(Number(waitTill) - clock.now(), timer.signal).then(wake, () => {});
		}
	}
}
