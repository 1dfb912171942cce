/** What is chosen in a form, such as a resource and an operation, by name of the parameter. */
export type Chosen = Readonly<Record<string, string>>;

/** Conditions on what is chosen: one of those that are listed, or any where there is no list. */
export type Rectangle = Readonly<Record<string, readonly string[]>>;

export interface Choice {
	chosen: Chosen;
}

/** Conditions, and those of a set that meet them. */
interface Part<T extends Choice> {
	conditions: Rectangle;
	members: readonly T[];
}

/**
 * As few conditions as can be found that are met by each of a set once, and by none of the others.
 * What is not among all, such as an operation that its resource does not have, may meet them.
 */
export function rectangles<T extends Choice>(
	own: readonly T[],
	all: readonly Choice[],
): Array<Part<T>> {
	const [start] = own;
	if (!start) return [];
	const names = new Set(own.map(nameOf));
	const others = all.filter((one) => !names.has(nameOf(one)));
	if (others.length === 0) return [{ conditions: {}, members: own }];
	const sides = Object.keys(start.chosen);
	const along = grown(start, own, others, sides);
	const across = grown(start, own, others, [...sides].reverse());
	const { conditions, members } = across.members.length > along.members.length ? across : along;
	const left = own.filter((one) => !members.includes(one));
	return [{ conditions: withoutNeedless(conditions, others), members }, ...rectangles(left, all)];
}

const nameOf = ({ chosen }: Choice) => Object.values(chosen).join(' ');

const meets = ({ chosen }: Choice, conditions: Rectangle) => {
	for (const side in conditions) {
		if (!conditions[side]?.includes(chosen[side] ?? '')) return false;
	}
	return true;
};

/** The largest conditions around one of the set, along one side after the other. */
function grown<T extends Choice>(
	start: T,
	own: readonly T[],
	others: readonly Choice[],
	order: readonly string[],
): Part<T> {
	const conditions: Record<string, readonly string[]> = {};
	for (const side of order) conditions[side] = [start.chosen[side] ?? ''];
	for (const side of order) {
		const rest = without(side, conditions);
		const kept = new Set(
			others.filter((one) => meets(one, rest)).map(({ chosen }) => chosen[side]),
		);
		conditions[side] = valuesOf(own, side).filter((value) => !kept.has(value));
	}
	const members = own.filter((one) => meets(one, conditions));
	for (const side of order) conditions[side] = valuesOf(members, side);
	return { conditions, members };
}

const without = (side: string, conditions: Rectangle): Rectangle =>
	Object.fromEntries(Object.entries(conditions).filter(([name]) => name !== side));

const valuesOf = (set: readonly Choice[], side: string) => [
	...new Set(set.map(({ chosen }) => chosen[side] ?? '')),
];

/** Without a list that keeps nothing out that there is; without the longest where several would do. */
function withoutNeedless(conditions: Rectangle, others: readonly Choice[]): Rectangle {
	const [shorter] = Object.keys(conditions)
		.map((side) => without(side, conditions))
		.filter((fewer) => !others.some((one) => meets(one, fewer)))
		.sort((one, other) => JSON.stringify(one).length - JSON.stringify(other).length);
	return shorter ? withoutNeedless(shorter, others) : conditions;
}

/**
 * Of each condition for which that is less to say, what it rules out of all that can be chosen.
 */
export function complement(conditions: Rectangle, all: readonly Choice[]): Rectangle {
	const others = Object.entries(conditions).map(([side, values]) => [
		side,
		valuesOf(all, side).filter((value) => !values.includes(value)),
	]);
	return Object.fromEntries(
		others.filter(
			([side, rest]) =>
				JSON.stringify(rest).length < JSON.stringify(conditions[side as string]).length,
		),
	) as Rectangle;
}
