import { setTimeout as delay } from 'node:timers/promises';

/**
 * In ms of the machine's time. Shorter than the time-out of any test that waits, so that a wait in vain fails in
 * its own test, and does not go on during the next one.
 */
const PATIENCE_MS = 180_000;

/**
 * Checks again and again until a condition holds.
 *
 * @param what names what is waited for, in the error after three minutes in vain
 * @param options.seen gives what else the error shows
 * @param options.everyMs between two checks, in the machine's time
 */
export async function until(
	what: string,
	isSo: () => boolean | Promise<boolean>,
	{ seen, everyMs = 20 }: { seen?: () => unknown; everyMs?: number } = {},
): Promise<void> {
	const deadline = Date.now() + PATIENCE_MS;
	while (!(await isSo())) {
		if (Date.now() > deadline) {
			const more = seen ? `: ${JSON.stringify(await seen())}` : '';
			throw new Error(`Waited ${PATIENCE_MS / 1000} s in vain for ${what}${more}`);
		}
		await delay(everyMs);
	}
}

/** Waits until `count` jobs have been created since the last reset. */
export async function untilJobs(
	{ sandbox }: { sandbox: { jobs: readonly unknown[] } },
	count: number,
	everyMs?: number,
): Promise<void> {
	const seen = () => sandbox.jobs.length;
	await until(`${count} jobs`, () => seen() >= count, { seen, everyMs });
}
