import { REQUESTS_PER_WINDOW } from '../../nodes/shared/spec/limits.ts';

/** The bound, above which the bench fails, and the goal that we would like to reach, where that is not certain. */
type Most = readonly [bound: number, goal?: number];

/** How a measured value is printed, with # for the number. */
type Limit = readonly [text: string, ...Most];

/** For times, as multiples of the ideal. */
export const TIME = '# x';
const REFUSED = '# % refused';

/** For several processes: the time, the ratio of the largest to the smallest share, and what is refused. */
const fleet = (time: Most, share: Most = [2], refused: Most = [8]) => ({
	time: [TIME, ...time] satisfies Limit,
	share: ['share # : 1', ...share] satisfies Limit,
	refused: [REFUSED, ...refused] satisfies Limit,
});

const FLEETS = {
	'short, 1': fleet([1.2]),
	'short, 2': fleet([1.3]),
	'short, 4': fleet([1.45], [3, 2]),
	'short, 8': fleet([2], [5.5, 2]),
	'short, apart': fleet([1.7, 1.45], [5.5, 2]),
	'short, later': fleet([1.45], [25, 2]),
	'short, killed': fleet([1.45], [2.5, 2]),
	'long, 1': fleet([1.12]),
	'long, 2': fleet([1.12]),
	'long, 4': fleet([1.12]),
	'long, 8': fleet([1.12], [3, 2]),
	'long, apart': fleet([1.12], [3.5, 2]),
	'long, later': fleet([1.12], [13, 2]),
	'long, killed': fleet([1.12]),
};

const LIMITS = {
	'n8n, batch': [TIME, 1.1],
	'n8n, batch a minute later': [TIME, 1.2, 1.1],
	'n8n, batches in a row': [TIME, 1.3, 1.15],
	lag: ["# x the loop's lag", 0.5],
	looks: ["# x the loop's looks", 1],
	day: [TIME, 1.04],
	'day, refused': ['# requests refused', 0],
	'day, requests': ['# requests in a minute', REQUESTS_PER_WINDOW],
	'day, unpaid': ['# items without a job', 0],
	'20 parked': ['# % of a core', 3],
	'20 killed': ['# minutes', 5],
	'200 parked': ['# % of a core', 15],
	'200 killed': ['# minutes', 15],
	'parked memory': ['# x the memory of before', 1.1],
	'short, trusted': [TIME, 1.15],
	'short, not trusted': [TIME, 1.4],
	'in a row, trusted': [TIME, 1.2, 1.15],
	'in a row, not trusted': [TIME, 1.55, 1.25],
	'very short': [TIME, 1.16],
	'drawn, refused': [REFUSED, 8],
	'wrong results': ['#', 0],
	'queue, 1': [TIME, 1.25],
	'queue, 3': [TIME, 1.5, 1.25],
	'queue, refused': [REFUSED, 8],
	lost: ['# lost', 0],
	'paid twice': ['# paid twice', 0],
	'load, time': ["# x HeyGen's time", 1],
	'load, files': ['# files', 30],
	descriptions: ['# KB of descriptions', 200],
	'KB an item': ['# KB', 10],
	'time of many items': ['# x that of few', 1.2],
	'left of runs': ['# KB', 400, 200],
	'left of keys': ['# KB', 200],
} as const satisfies Record<string, Limit>;

export type FleetName = keyof typeof FLEETS;

export type BoundName = keyof typeof LIMITS | `${FleetName}: ${keyof ReturnType<typeof fleet>}`;

const ALL = new Map<string, Limit>(Object.entries(LIMITS));
for (const [name, limits] of Object.entries(FLEETS)) {
	for (const [what, limit] of Object.entries(limits)) ALL.set(`${name}: ${what}`, limit);
}

/** @throws Error for a name that no longer exists, which an older measurement may have */
export function limitOf(name: BoundName): { text: string; bound: number; goal?: number } {
	const limit = ALL.get(name);
	if (!limit) throw new Error(`There is no bound "${name}" any more. Measure that part anew.`);
	const [text, bound, goal] = limit;
	return { text, bound, ...(goal !== undefined && { goal }) };
}
