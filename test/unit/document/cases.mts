import type { Condition, Field, Price, Surcharge, Value } from '../../document.mts';

/** What each walk through the document tries: values inside and outside what it says, and prices. */

export type Values = Readonly<Record<string, unknown>>;

type Request = { fields: readonly Field[]; fixed?: Values };

export const IMAGE_URL = 'https://media.example/first.png';
const AUDIO_URL = 'https://media.example/track.mp3';

/** Whether the values meet a condition; a field that is not there meets none. */
export const meets = (condition: Condition | undefined, values: Values): boolean =>
	Object.entries(condition ?? {}).every(([name, allowed]) =>
		[allowed].flat().includes(values[name] as Value),
	);

/** Values that meet a condition, each the first one. */
const meeting = (condition: Condition): Values =>
	Object.fromEntries(
		Object.entries(condition).map(([name, allowed]) => [name, [allowed].flat()[0]]),
	);

const isCondition = (required: Field['required']): required is Condition =>
	typeof required === 'object';

/** Under which a field has a meaning. */
const conditionOf = ({ required, usedOnlyWith, onlyFor }: Field): Condition => ({
	...(isCondition(required) ? required : {}),
	...usedOnlyWith,
	...onlyFor,
});

/** Whether the document requires a field of such a request. */
export const isRequired = ({ required }: Field, values: Values): boolean =>
	required === true || (isCondition(required) && meets(required, values));

/** One value that every field of such a kind takes; numbers differ, so that an end is after its start. */
function valueOf(field: Field, index: number): unknown {
	const { type, name, values, shown, min = 1, isWhole } = field;
	if (type === 'number') return min + (isWhole || field.max === undefined ? index : 0);
	const byType = {
		text: `a ${name}`.slice(0, field.maxLength),
		toggle: true,
		choice: (values ?? shown)?.[0],
		url: IMAGE_URL,
		urls: [IMAGE_URL],
		file: AUDIO_URL,
		source: undefined,
	};
	return byType[type];
}

/**
 * A request with every field, as far as they go together.
 *
 * @param given in place of the values that are made up here
 */
export function fullRequest({ fields, fixed = {} }: Request, given: Values = {}): Values {
	const values: Record<string, unknown> = Object.fromEntries(
		fields.map((field, index) => [field.name, valueOf(field, index)]),
	);
	for (const condition of fields.map(conditionOf)) {
		if (!meets(condition, { ...values, ...fixed })) Object.assign(values, meeting(condition));
	}
	Object.assign(values, given);
	const all = { ...values, ...fixed };
	const isThere = (field: Field) =>
		all[field.name] !== undefined && (field.name in given || meets(conditionOf(field), all));
	return Object.fromEntries(fields.filter(isThere).map(({ name }) => [name, values[name]]));
}

export interface Case {
	field: string;
	value: unknown;
	/** As it is called in the name of a test. */
	shown: string;
}

const asCase =
	({ name }: Field) =>
	(value: unknown): Case => {
		const text = JSON.stringify(value);
		const shown = text.length > 40 ? `${text.slice(0, 20)}… (${String(value).length})` : text;
		return { field: name, value, shown };
	};

const characters = (count: number) => 'x'.repeat(count);
const urls = (count: number) => Array.from({ length: count }, (_, i) => `${IMAGE_URL}?${i}`);

/** Values just inside each bound of a field, and each that it has. */
export function inside(field: Field): Case[] {
	const { type, values, shown = [], maxLength, min, max, step, minItems, maxItems = 3 } = field;
	const byType: Record<Field['type'], unknown[]> = {
		// A character is what a reader counts, such as an emoji.
		text:
			maxLength === undefined
				? [characters(20_000)]
				: [characters(maxLength), '🎵'.repeat(maxLength)],
		number: [
			min ?? -1,
			max ?? 1_000_000,
			// Steps that are no whole number of steps in binary.
			...(step === 0.01 ? [0.29, 0.57] : []),
			...(step === undefined && !field.isWhole ? [(min ?? 0) + 0.125] : []),
		],
		toggle: [true, false],
		choice: values ? [...values] : [...shown, 'another text'],
		url: [IMAGE_URL, 'http://media.example/second.png'],
		urls: [urls(minItems ?? 1), urls(maxItems)],
		file: [AUDIO_URL],
		source: [],
	};
	return byType[type].map(asCase(field));
}

/** Values just outside. */
export function outside(field: Field): Case[] {
	const { type, values, maxLength, min, max, step, isWhole, maxItems } = field;
	const away = step ?? 1;
	const byType: Record<Field['type'], unknown[]> = {
		text: maxLength === undefined ? [] : [characters(maxLength + 1)],
		number: [
			...(min === undefined ? [] : [min - away, ...(isWhole ? [] : [min - away / 10])]),
			...(max === undefined ? [] : [max + away, ...(isWhole ? [] : [max + away / 10])]),
			...(isWhole ? [(min ?? 0) + 0.5] : []),
			...(step === undefined ? [] : [0.505]),
			'many',
		],
		toggle: ['perhaps'],
		choice: values ? ['another text'] : [],
		url: ['ftp://media.example/a.png'],
		urls: [['ftp://media.example/a.png'], ...(maxItems === undefined ? [] : [urls(maxItems + 1)])],
		file: ['ftp://media.example/track.mp3'],
		source: [],
	};
	return byType[type].map(asCase(field));
}

/** What a request with these values costs: at most `high`, and that much where it is exact. */
interface PriceCase {
	values: Values;
	/** What it may cost as well, where the document leaves open which price is meant. */
	low: number;
	high: number;
	exact: boolean;
}

type Priced = Request & { prices: readonly Price[]; surcharges: readonly Surcharge[] };

/** Every row of the prices, with and without what is added to it or taken off, for several numbers of units. */
export function priceCases({ prices, surcharges, fields }: Priced): PriceCase[] {
	return prices.flatMap((price) =>
		unitsOf(price, fields).flatMap((units) => {
			const values = { ...unnamed(price), ...meeting(price.when), ...units };
			const [count = 1] = Object.values(units);
			const low = price.credits * count;
			const others = prices.filter((other) => mayBeMeant(other, price));
			const high = Math.max(low, ...others.map(({ credits }) => credits * count));
			return surcharges.reduce<PriceCase[]>(
				(cases, surcharge) => cases.flatMap((one) => changed(one, surcharge)),
				[{ values, low, high, exact: low === high }],
			);
		}),
	);
}

/** As far as is shown, a value that is not named may be that of the other tier. */
const mayBeMeant = (other: Price, { when, unless }: Price) =>
	unless !== undefined && meets(unless, other.when) && meets(when, other.when);

function changed(price: PriceCase, { when, credits, from = 0 }: Surcharge): PriceCase[] {
	const off = Object.fromEntries(Object.keys(when).map((name) => [name, false]));
	const by = (amount: number) => (amount >= from ? amount + (credits ?? 0) : amount);
	const { values, low, high, exact } = price;
	return [
		{ ...price, values: { ...values, ...off } },
		{
			values: { ...values, ...meeting(when) },
			low: by(low),
			high: by(high),
			exact: exact && credits !== undefined,
		},
	];
}

function unitsOf({ perSecondOf }: Price, fields: readonly Field[]): Array<Record<string, number>> {
	const field = fields.find(({ name }) => name === perSecondOf);
	if (!field) return [{}];
	return [field.min!, 7, field.max!].map((count) => ({ [field.name]: count }));
}

/** For the fields whose value is not shown: some other text. */
const unnamed = ({ unless = {} }: Price): Values =>
	Object.fromEntries(Object.keys(unless).map((name) => [name, 'another text']));

/** A value of a field, with which its condition does not hold. */
export function otherwise(condition: Condition, fields: readonly Field[]): Values {
	const [[name, allowed]] = Object.entries(condition) as [[string, Value | Value[]]];
	const { values = [] } = fields.find((field) => field.name === name)!;
	return { [name]: values.find((value) => ![allowed].flat().includes(value)) };
}

/** Those of the fields that such a request can have: a fixed value may rule out what needs another. */
export const usable = ({ fields, fixed = {} }: Request): Field[] =>
	fields.filter(
		({ required }) =>
			!isCondition(required) ||
			Object.keys(required).some((name) => !(name in fixed)) ||
			meets(required, fixed),
	);
