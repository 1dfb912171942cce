import { alignedTable } from '../lib/docs/markdown.mts';
import { mean, sum, type Sample } from '../bench/result.mts';

/** What the sample of the bench comes to. */
export interface Outcome {
	/** Mean of the times, each as a part of its bound. */
	time: number;
	/** Part of all requests that was answered with 429. */
	refused: number;
}

export const outcomeOf = (samples: readonly Sample[]): Outcome => ({
	time: mean(samples.map(({ timesBound }) => timesBound)),
	refused:
		sum(samples.map(({ refused }) => refused)) / sum(samples.map(({ requests }) => requests)),
});

/** What another value of a constant changes. */
export interface Change {
	/** % of the time. */
	time: number;
	/** Points of the refused share, %. */
	refused: number;
}

/** Where there is no change to tell of. */
type Missing = 'failed or took too long';

export interface Line {
	name: string;
	file: string;
	value: string;
	half: Change | Missing;
	double: Change | Missing;
}

export const changeOf = (before: Outcome, after: Outcome): Change => ({
	time: (after.time / before.time - 1) * 100,
	refused: (after.refused - before.refused) * 100,
});

/** Less than that is nothing: % of the time, and points of refusals. */
const NOTHING = { time: 1, refused: 0.3 };

/** Whether neither half nor double of a constant makes a difference. */
export const changesNothing = ({ half, double }: Line): boolean =>
	[half, double].every(
		(change) =>
			typeof change === 'object' &&
			Math.abs(change.time) < NOTHING.time &&
			Math.abs(change.refused) < NOTHING.refused,
	);

const HEAD = ['Constant', 'File', 'Value', 'Half: time', 'refused', 'Double: time', 'refused'];

export function asText(before: Outcome, lines: readonly Line[]): string {
	const cells = lines.map(({ name, file, value, half, double }) => [
		name,
		file,
		value,
		...cellsOf(half),
		...cellsOf(double),
	]);
	const idle = lines.filter(changesNothing).map(({ name, file }) => `${name} (${file})`);
	return [
		`As they are: times ${before.time.toFixed(3)} of their bounds, ${(before.refused * 100).toFixed(2)} % refused`,
		alignedTable([HEAD, ...cells]),
		`Under ${NOTHING.time} % and ${NOTHING.refused} points both ways: ${idle.join(', ') || 'none'}`,
	].join('\n\n');
}

const cellsOf = (change: Change | Missing) =>
	typeof change === 'string'
		? [change, '']
		: [`${signed(change.time, 1)} %`, signed(change.refused, 2)];

function signed(value: number, digits: number): string {
	const text = value.toFixed(digits);
	return value > 0 ? `+${text}` : text;
}
