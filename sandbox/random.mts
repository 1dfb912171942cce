import { hash } from 'node:crypto';

/** Draws from [0, 1); the same seed gives the same sequence. */
export type Random = () => number;

/**
 * A seeded source of randomness. Each use has a stream of its own, so that a draw for a
 * fault rule does not shift the identifiers and durations of the jobs.
 */
export function seededRandom(seed: number, stream: string): Random {
	let drawn = 0;
	return () => {
		const digest = hash('sha256', `${seed} ${stream} ${drawn++}`, 'buffer');
		return digest.readUInt32BE() / 2 ** 32;
	};
}

/** A whole number from `min` to `max`, both included. */
export const wholeBetween = (random: Random, min: number, max: number): number =>
	min + Math.floor(random() * (max - min + 1));

export function randomUuid(random: Random): string {
	return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (place) =>
		(place === 'x' ? wholeBetween(random, 0, 15) : wholeBetween(random, 8, 11)).toString(16),
	);
}
