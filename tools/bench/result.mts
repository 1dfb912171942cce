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

/** What one part of the benchmark has found. */
export interface PartResult {
	title: string;
	tables: Table[];
	checks: Check[];
	/** What one has to know to read the numbers. */
	notes: string[];
}

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
