import { randomOf } from '../clock/clock';
import type { JobContext } from './jobContext';

/** After the first job was created, the first look comes so much later, or up to twice as late, ms. */
const FIRST_MS = 40;

/** Runs whose scout is out. */
const out = new WeakSet<object>();

/**
 * Looks at the history for free places as long as jobs wait that others leave no place for. All
 * processes that use an account see the same there, and need no other way to know of one another.
 */
export function scout(run: JobContext): void {
	if (out.has(run) || !run.account.limiter.isCrowded) return;
	out.add(run);
	look(run).then(
		() => out.delete(run),
		() => out.delete(run),
	);
}

async function look({ account, service, clock, signal, stopCreating }: JobContext): Promise<void> {
	const { limiter, others, historyPoller } = account;
	const ends = AbortSignal.any(signal ? [signal, stopCreating] : [stopCreating]);
	while (limiter.isCrowded && others.isUsable && !ends.aborted) {
		const { at, because } = historyPoller.nextLook();
		// Its end begins the scouting anew.
		if (limiter.isOpening && limiter.creating > 0) return;
		const isFirst = limiter.isOpening;
		if (!isFirst && at > clock.elapsed()) {
			await clock.sleep(at - clock.elapsed(), ends);
			continue;
		}
		// By then, processes that begin at the same time have their first job, too.
		if (isFirst) await clock.sleep(FIRST_MS * (1 + randomOf(clock)), ends);
		await historyPoller.ask(service, {
			signal: ends,
			priority: 'end',
			because: isFirst ? 'nobody knows yet who else uses the account' : because,
		});
		limiter.endOpening();
	}
	limiter.endOpening();
}
