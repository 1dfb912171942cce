import { limitOf, type BoundName } from './bounds.mts';

/** A row of a printed table and of the JSON. */
export type Row = Record<string, string | number>;

export interface Table {
	title: string;
	rows: Row[];
}

export interface Check {
	what: string;
	measured: number;
	bound: BoundName;
}

/** A row of the tables in docs/speed.md and docs/maintainers/speed.md; the texts include units. */
export interface SummaryRow {
	what: string;
	ours: string;
	/** The time that no client can beat; left out if there is none. */
	ideal?: string;
	bounds: BoundName[];
	/** What a user would have without the package. */
	beside?: string;
}

export interface PartResult {
	title: string;
	tables: Table[];
	checks: Check[];
	/** Its rows in the table of all parts. */
	summary: SummaryRow[];
	/** What a reader needs to know to understand the numbers. */
	notes: string[];
}

/** The results of parts, by their name. */
export type Results = Record<string, PartResult & { /** When it ended. */ at: string }>;

export type Outcome = 'PASS' | 'GOAL MISSED' | 'FAIL';

export function outcomeOf({ measured, bound: name }: Check): Outcome {
	const { bound, goal = bound } = limitOf(name);
	// What could not be measured is NaN, and null in a file.
	if (!Number.isFinite(measured) || measured > bound) return 'FAIL';
	return measured > goal ? 'GOAL MISSED' : 'PASS';
}

export const checksWith = (outcome: Outcome, results: Results): Check[] =>
	Object.values(results).flatMap(({ checks }) =>
		checks.filter((check) => outcomeOf(check) === outcome),
	);

/** The exit code of the bench; a missed goal is no failure. */
export const exitCodeOf = (results: Results): number =>
	checksWith('FAIL', results).length === 0 ? 0 : 1;

/** A value as people read it: "1.07 x". */
export const withUnit = (name: BoundName, value: number): string =>
	limitOf(name).text.replace('#', String(round(value, 3)));

export function round(value: number, digits = 2): number {
	return Math.round(value * 10 ** digits) / 10 ** digits;
}

export function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

export const mean = (values: readonly number[]): number => sum(values) / values.length;

/** The middle value, or the upper one of two. */
export const median = (values: readonly number[]): number =>
	values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** "32.7 s, 1.03 x": a time, and its multiple of the ideal. */
export const timesIdeal = (time: string, ratio: number): string => `${time}, ${ratio.toFixed(2)} x`;

export const inSeconds = (ms: number): string => `${round(ms / 1000, 1)} s`;
