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
	return [{ conditions, members }, ...rectangles(left, all)];
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

/** Conditions as n8n has them: what is chosen is among those to show, and not among those to hide. */
export interface FormConditions {
	show: Rectangle;
	hide: Rectangle;
}

/**
 * The shortest way to say the conditions: without those that keep nothing out that there is, and with
 * what they rule out instead of what they allow where that is less.
 *
 * @param canHide whether they may say what they rule out
 */
export function inForm(
	conditions: Rectangle,
	all: readonly Choice[],
	canHide: boolean,
): FormConditions {
	const sides = Object.keys(conditions);
	const along = saidInOrder(sides, conditions, all, canHide);
	const across = saidInOrder([...sides].reverse(), conditions, all, canHide);
	return sizeOf(across) < sizeOf(along) ? across : along;
}

function saidInOrder(
	sides: readonly string[],
	conditions: Rectangle,
	all: readonly Choice[],
	canHide: boolean,
): FormConditions {
	const show = { ...conditions };
	const hide: Record<string, readonly string[]> = {};
	for (const side of sides) {
		const { [side]: values = [], ...others } = show;
		// What the other conditions rule out need not be ruled out again.
		const near = all.filter((one) => meets(one, others) && !isIn(one, hide));
		const rest = valuesOf(near, side).filter((value) => !values.includes(value));
		if (rest.length > 0 && (!canHide || sizeOf(rest) >= sizeOf(values))) continue;
		delete show[side];
		if (rest.length > 0) hide[side] = rest;
	}
	return { show, hide };
}

const isIn = ({ chosen }: Choice, hide: Rectangle) =>
	Object.entries(hide).some(([side, values]) => values.includes(chosen[side] ?? ''));

const sizeOf = (value: object) => JSON.stringify(value).length;
