import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { isUpFront, parameterPath } from '../parameters/names';
import { inWords, listInWords, nameOf } from '../spec/conditions';
import { openPoint } from '../spec/openPoints';
import { inCredits, PER_UNIT } from '../spec/price';
import type { Catalog, Condition, CreateOperation, Field, Operation, Value } from '../spec/types';
import { adjustmentsOf, capitalized, describeAdjustment } from './describe';
import {
	conditionsOf,
	EXPRESSION,
	FILLED_IN,
	type Form,
	mergeProperties,
	OTHER_THAN,
} from './displayConditions';
import { startValue } from './fieldProperty';
import {
	formValues,
	isDiscountSwitch,
	type PriceBox,
	priceBoxes,
	priceSwitches,
	rangeOf,
	ratedFields,
	unitField,
} from './prices';

/** Has no value, and so no default, for which n8n's type asks all the same. */
const NOTICE = { type: 'notice' } as INodeProperties;

const notice = (name: string, text: string, displayOptions: IDisplayOptions): INodeProperties => ({
	...NOTICE,
	displayName: text,
	name,
	displayOptions,
});

/** What the form of a creation says below its fields. */
export const noticesOf = (operation: CreateOperation): INodeProperties[] => [
	...wantedNotices(operation),
	...unusedNotices(operation),
	...warningNotices(operation),
	...priceNotices(operation),
];

/** The price of an operation as the form stands: of its notices one shows. */
export function priceNotices(operation: CreateOperation): INodeProperties[] {
	const { price } = operation;
	if (!price.shown) {
		return [notice(PRICE, 'The service does not document the price of this job.', {})];
	}
	const switches = priceSwitches(operation);
	const fields = ratedFields(operation).filter((field) => !switches.includes(field));
	return [
		...priceBoxes(operation, switches).map((box) =>
			notice(PRICE, priceText(operation, box), inside(box, fields)),
		),
		...addedFirst(fields).map((field, index, ordered) =>
			notice(PRICE, rangeText(operation, field), expressionIn(field, ordered.slice(0, index))),
		),
	];
}

/** The name of all of them: n8n shows one at a time. */
const PRICE = 'priceNotice';

/** All prices are in one text: it is right wherever a switch stands, also for an expression. */
function priceText(operation: CreateOperation, box: PriceBox): string {
	const { credits, exact, reason = '' } = box.price;
	if (credits === null) return `The price of this job is not known. ${reason}.`;
	const told = box.switched.filter((state) => isNews(operation, state, box));
	const more = told.map((state) => `, ${switchText(operation, state, box, told)}`).join('');
	if (credits === 0 && exact && more === '') return 'This job is free.';
	const unit = unitField(operation);
	const amounts = new Set([credits, ...told.map(({ price }) => price.credits ?? credits)]);
	const most = exact ? '' : 'at most ';
	const amount = `${most}${inCredits(credits)}${unit ? PER_UNIT : ''}`;
	const doubt = exact ? '' : ` ${reason}.`;
	return `This job costs ${amount}${more}${examples([...amounts], unit)}.${doubt}`;
}

type Switched = PriceBox['switched'][number];

/** Whether the price with some switches on does not follow from that with fewer. */
function isNews(operation: CreateOperation, state: Switched, box: PriceBox): boolean {
	if (state.on.length === 1) return amountWith(operation, state, box) !== '';
	const single = box.switched.filter(({ on }) => on.length === 1);
	return !single.some(({ price }) => price.credits === state.price.credits);
}

/** `120 with Publish in Prompt Directory`, `100 with both`. */
function switchText(
	operation: CreateOperation,
	state: Switched,
	box: PriceBox,
	told: readonly Switched[],
): string {
	const labels = state.on.map(({ label }) => label);
	// This one and each of the switches alone.
	const areAllTold = told.length > labels.length;
	const which = labels.length > 1 && areAllTold ? 'both' : listInWords(labels, 'and');
	return `${amountWith(operation, state, box)} with ${which}`;
}

/** The price with some switches on; in words where it is not documented, empty where it stays. */
function amountWith(operation: CreateOperation, { on, price }: Switched, box: PriceBox): string {
	if (price.credits === null) return 'an unknown price';
	if (on.length > 1 || price.credits !== box.price.credits) return String(price.credits);
	const unknown = on
		.flatMap((field) => adjustmentsOf(field, operation))
		.find(({ credits }) => credits === null);
	return unknown ? (unknown.direction === 'more' ? 'more' : 'less') : '';
}

/** What prices by units come to at both ends of the form. */
function examples(amounts: readonly number[], unit?: Field): string {
	if (unit?.min === undefined || unit.max === undefined) return '';
	const at = (units: number) =>
		`${listInWords(amounts.map((credits) => credits * units))} for ${units} s`;
	const places = [...new Set([unit.min, Number(startValue(unit)), unit.max])];
	return `: ${places.map(at).join(', ')}`;
}

function rangeText(operation: CreateOperation, { label }: Field): string {
	const { low = 0, high } = rangeOf([operation]);
	const range = inCredits(low, high);
	return `This job costs ${range}, depending on ${label}.`;
}

/**
 * Shows a notice where the fields have the values of its box. At top level the editor has worked an
 * expression out before it looks, and finds nothing where that cannot be done; in a collection it has
 * not, and would take an expression for any value.
 */
function inside({ when }: PriceBox, fields: readonly Field[]): IDisplayOptions {
	const conditions = fields.map((field) => [field, when[field.name]] as const);
	const upFront = conditions.filter(([field]) => isUpFront(field));
	const added = conditions.filter(([field]) => !isUpFront(field));
	return {
		show: Object.fromEntries(
			upFront.map(([field, allowed = formValues(field)]) => [field.name, allowed as Value[]]),
		),
		hide: Object.fromEntries(
			added.map(([field, allowed]) => [parameterPath(field), outside(field, allowed)]),
		),
	};
}

/** Another value than these, or an expression. */
function outside(field: Field, allowed?: ReadonlyArray<Value | undefined>) {
	const [only] = allowed ?? [];
	if (allowed === undefined) return [EXPRESSION];
	return allowed.length === 1 && only !== undefined
		? [OTHER_THAN(only)]
		: [...others(field, allowed), EXPRESSION];
}

/** The notice of a field that can be added has no condition but its own, so the others give way. */
const addedFirst = (fields: readonly Field[]) => [
	...fields.filter((field) => !isUpFront(field)),
	...fields.filter(isUpFront),
];

/** The values that are not allowed, as an imported workflow may have them: `true` and `"true"`. */
function others(field: Field, allowed: ReadonlyArray<Value | undefined>): Value[] {
	const values = formValues(field).filter((value) => !allowed.includes(value));
	return [...new Set(values.flatMap((value) => [value, String(value)]))];
}

/** Shows a notice where a field is an expression and those before it are not. */
function expressionIn(field: Field, before: readonly Field[]): IDisplayOptions {
	const listed = before.filter(isUpFront).map((other) => [other.name, formValues(other)]);
	const added = before
		.filter((other) => !isUpFront(other))
		.map((other) => [parameterPath(other), [EXPRESSION]]);
	const show = Object.fromEntries(listed) as IDisplayOptions['show'];
	const hide = Object.fromEntries(added) as IDisplayOptions['hide'];
	// A field that is not added has no value that could be ruled out.
	return isUpFront(field)
		? { show, hide: { ...hide, [field.name]: formValues(field) } }
		: { show: { ...show, [parameterPath(field)]: [EXPRESSION] }, hide };
}

/** What the form says of fields that do not show. */
export function noteNotices({ notes = [] }: CreateOperation): INodeProperties[] {
	return notes.map(({ when, text }, index) => {
		return notice(`note${index + 1}`, text, { hide: otherThan(when) });
	});
}

/** What the form says of a field that is filled in, and that the service ignores as the form stands. */
function unusedNotices({ fields }: CreateOperation): INodeProperties[] {
	return fields.flatMap((field) => {
		const { name, usedWhen } = field;
		if (!usedWhen) return [];
		const text = `${nameOf(field)} is used only when ${inWords(usedWhen, fields)}.`;
		return notice(`${name}Unused`, text, {
			show: { [parameterPath(field)]: [FILLED_IN] },
			hide: conditionsOf(usedWhen),
		});
	});
}

/** What the form says while nothing is filled in of what the service does not require and we want. */
function wantedNotices({ rules = [] }: CreateOperation): INodeProperties[] {
	return rules.flatMap((rule) => {
		if (rule.kind !== 'wanted') return [];
		const filledIn = Object.fromEntries(rule.fields.map((name) => [name, [FILLED_IN]]));
		return notice(`${rule.fields[0]}Wanted`, `${rule.doubt}.`, {
			hide: { ...otherThan(rule.when), ...filledIn },
		});
	});
}

/** Where a condition, which allows one value of each field, does not hold. */
const otherThan = (condition: Condition = {}) =>
	Object.fromEntries(
		Object.entries(condition).map(([name, [value = '']]) => [name, [OTHER_THAN(value)]]),
	);

/** What turning on a field means for people other than the one who does. */
function warningNotices(operation: CreateOperation): INodeProperties[] {
	return operation.fields
		.filter(({ warning }) => warning !== undefined)
		.map((field) => {
			const isSaid = isDiscountSwitch(field, operation);
			const changes = isSaid ? [] : adjustmentsOf(field, operation).map(describeAdjustment);
			const text = [field.warning, ...changes.map((change) => `${capitalized(change)}.`)].join(' ');
			return notice(`${field.name}Notice`, text, {
				hide: { [parameterPath(field)]: [OTHER_THAN(true)] },
			});
		});
}

/**
 * What has to be entered in the credential before the jobs of a node's resources can be started or
 * waited for, since the document does not show the path.
 */
export function pathNotices({ operations }: Pick<Catalog, 'operations'>): INodeProperties[] {
	const forms = operations.map((operation): Form => {
		const text = pathText(operation);
		const properties = text === undefined ? [] : [notice('pathNotice', text, {})];
		return { operation, properties };
	});
	return mergeProperties(forms);
}

function pathText(operation: Operation): string | undefined {
	const needed = neededPaths(operation);
	if (needed.length === 0) return undefined;
	return `Works only with paths that the service does not document. In the credential, under More Settings, enter ${needed.join(', ')}.`;
}

/** The settings of the credential that an operation cannot do without, as the form calls them. */
export function neededPaths(operation: Operation): string[] {
	if (operation.kind !== 'create' && operation.kind !== 'any') return [];
	const creation = typeof operation.path === 'string' ? [] : [operation.path.openPoint];
	const status = operation.kind === 'any' ? MUSIC_STATUS : operation.status;
	// Of others, what the service documents may serve.
	const state = 'openPoint' in status && status.only ? [status.openPoint] : [];
	return [...creation, ...state].map((name) => openPoint(name)?.setting?.label ?? name);
}

/** Where the state of whatever the catalog offers is read. */
const MUSIC_STATUS = { openPoint: 'musicStatusPath', only: true } as const;
