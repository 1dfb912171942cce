/** A row of a printed table; the JSON has the same. */
export type Row = Record<string, string | number>;

export interface Table {
	title: string;
	rows: Row[];
}

/** One threshold that the package must keep. */
export interface Check {
	what: string;
	measured: number;
	atMost: number;
}

/** A row of the one table that docs/speed.md shows; texts with their units. */
export interface SummaryRow {
	what: string;
	ours: string;
	/** What no client can beat, or what the package promises. */
	bound: string;
	/** What a user would have without the package. */
	beside: string;
}

/** What one part of the benchmark has found. */
export interface PartResult {
	title: string;
	tables: Table[];
	checks: Check[];
	/** Its rows of the one table; its checks when left out. */
	summary?: SummaryRow[];
	/** What one has to know to read the numbers. */
	notes: string[];
}

/** The results of parts, by their name. */
export type Results = Record<string, PartResult & { /** When it ended. */ at: string }>;

/** Those that the package has not kept. */
export const brokenChecks = (results: Results): Check[] =>
	Object.values(results).flatMap(({ checks }) => checks.filter((check) => !passes(check)));

export const passes = ({ measured, atMost }: Check): boolean => measured <= atMost;

/** Rounded, for people. */
export function round(value: number, digits = 2): number {
	return Math.round(value * 10 ** digits) / 10 ** digits;
}

export function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

export const mean = (values: readonly number[]): number => sum(values) / values.length;

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	const [low, high] = [sorted[sorted.length % 2 ? middle : middle - 1], sorted[middle]];
	return ((low ?? NaN) + (high ?? NaN)) / 2;
}

/** "32.7 s, 1.03 x": a time, and how many times the bound it is. */
export const timesBound = (time: string, ratio: number): string => `${time}, ${ratio.toFixed(2)} x`;

export const inSeconds = (ms: number): string => `${round(ms / 1000, 1)} s`;
