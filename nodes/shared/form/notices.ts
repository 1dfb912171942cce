import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import {
	DOCS,
	ESTIMATE_ONLY,
	isUpFront,
	OPTIONS_COLLECTION,
	parameterPath,
} from '../parameters/names';
import { inWords, listInWords, nameOf } from '../spec/conditions';
import { openPoint } from '../spec/openPoints';
import { inCredits, PER_UNIT, type PriceEstimate } from '../spec/price';
import type { Condition, CreateOperation, Field, Operation, Value } from '../spec/types';
import { conditionsOf, EXPRESSION, FILLED_IN, hideWhen, OTHER_THAN } from './displayConditions';
import {
	formValues,
	type PriceBox,
	priceBoxes,
	pricedFields,
	rangeOf,
	ratedFields,
	unitField,
} from './prices';

/** A notice has no value, and so no default, although n8n's type demands one. */
const NOTICE = { type: 'notice' } as INodeProperties;

/**
 * The path by which a condition finds a field. Without a leading slash, older versions of n8n look for a
 * parameter of exactly that name, such as `additionalFields.duration`, and refuse the workflow if there is none.
 */
const placeOf = (field: Field) =>
	isUpFront(field) ? parameterPath(field) : `/${parameterPath(field)}`;

const notice = (name: string, text: string, displayOptions: IDisplayOptions): INodeProperties => ({
	...NOTICE,
	displayName: text,
	name,
	displayOptions,
});

/** The notices directly below a field of a creation. */
export const noticesBelow = (field: Field, operation: CreateOperation): INodeProperties[] => [
	...wantedNotices(field, operation),
	...unusedNotices(field, operation),
	...switchedOnNotices(field),
];

/** Notices of the price: one shows it for the form's current values, another why it is in doubt, if it is. */
export function priceNotices(operation: CreateOperation): INodeProperties[] {
	if (!operation.price.shown) {
		return [notice(PRICE, 'The service does not document the price of this job.', {})];
	}
	return [...amountNotices(operation), ...doubtNotices(operation)].map((property) =>
		hideWhen(property, ESTIMATED),
	);
}

/** All notices of the price share this name; one of them shows at a time. */
const PRICE = 'price';

/** Nothing is paid for then. An expression does not count, since it may return anything. */
const ESTIMATED = { [`/${OPTIONS_COLLECTION}.${ESTIMATE_ONLY}`]: [true] };

/**
 * What the job costs. Where the number of units is an expression, what one unit costs; where another
 * field is one, what the job may cost.
 */
function amountNotices(operation: CreateOperation): INodeProperties[] {
	const unit = unitField(operation);
	const priced = pricedFields(operation);
	const perUnit = priceText(PER_UNIT);
	const isListed = unit !== undefined && priced.includes(unit);
	const whole = priceBoxes(operation, priced, unit && !isListed ? perUnit : priceText(''));
	const each = isListed ? priceBoxes(operation, ratedFields(operation), perUnit) : [];
	const fields = namedIn(priced, whole);
	const rated = fields.filter((field) => field !== unit);
	const { low = 0, high } = rangeOf([operation]);
	const range = inCredits(low, high);
	return [
		...whole.map((box) =>
			notice(PRICE, box.text + savingText(operation, box.when), inside(box.when, fields)),
		),
		...each.map((box) =>
			hideWhen(notice(PRICE, box.text, inside(box.when, rated)), outOf(unit as Field)),
		),
		...byExpression(PRICE, rated, ({ label }) => `This job costs ${range}, depending on ${label}.`),
	];
}

/** What a switch that is off would take off this price. */
function savingText({ price }: CreateOperation, when: PriceBox['when']): string {
	const discounts = price.shown ? (price.discounts ?? []) : [];
	const isOff = (name: string) => when[name]?.length === 1 && when[name][0] === false;
	const saved = discounts.find((one) => one.credits && Object.keys(one.when).every(isOff));
	return saved ? ` Publishing it would save ${saved.credits}.` : '';
}

const outOf = (unit: Field) => ({ [unit.name]: formValues(unit) });

/** Why the job may cost less than the amount shown, which is the most that it can cost. */
function doubtNotices(operation: CreateOperation): INodeProperties[] {
	const rated = ratedFields(operation);
	const doubts = priceBoxes(operation, rated, doubtText);
	const amounts = namedIn(rated, priceBoxes(operation, rated, priceText('')));
	const fields = namedIn(rated, doubts);
	const more = fields.filter((field) => !amounts.includes(field));
	return [
		...doubts.map((box) => notice(DOUBT, box.text, inside(box.when, fields))),
		...byExpression(DOUBT, more, ({ label }) => `It may cost less, depending on ${label}.`),
	];
}

const DOUBT = 'priceDoubt';

/** The fields that make a difference to what the boxes say. */
const namedIn = (fields: readonly Field[], boxes: readonly PriceBox[]) =>
	fields.filter(({ name }) => boxes.some(({ when }) => name in when));

/** Notices for fields that are expressions. Where several are, only the notice of the first one shows. */
const byExpression = (name: string, fields: readonly Field[], say: (field: Field) => string) =>
	addedFirst(fields).map((field, index, ordered) =>
		notice(name, say(field), expressionIn(field, ordered.slice(0, index))),
	);

const priceText =
	(unit: string) =>
	({ credits, exact, reason = '' }: PriceEstimate): string => {
		if (credits === null) return `The price of this job is not known. ${reason}.`;
		if (credits === 0 && exact) return 'This job is free.';
		return `This job costs ${inCredits(credits)}${unit}.`;
	};

/** Why the amount, the highest possible, is in doubt. The notice of the amount has no room for this. */
const doubtText = ({ credits, exact, reason = '' }: PriceEstimate) =>
	credits === null || exact ? '' : `It may cost less. ${reason}.`;

/**
 * Shows a notice where the fields have these values and none is an expression. At top level, the editor
 * resolves an expression before it checks conditions, and finds no value if it cannot. In a collection it
 * does not resolve it, and under `show` an expression would meet any condition.
 */
function inside(when: PriceBox['when'], fields: readonly Field[]): IDisplayOptions {
	const upFront = fields.filter(isUpFront);
	const added = fields.filter((field) => !isUpFront(field));
	return {
		show: Object.fromEntries(
			upFront.map((field) => [field.name, (when[field.name] ?? formValues(field)) as Value[]]),
		),
		hide: Object.fromEntries(
			added.map((field) => [placeOf(field), outside(field, when[field.name])]),
		),
	};
}

/** Conditions met by any value but these, and by an expression. */
function outside(field: Field, allowed?: ReadonlyArray<Value | undefined>) {
	const [only] = allowed ?? [];
	if (allowed === undefined) return [EXPRESSION];
	return allowed.length === 1 && only !== undefined
		? [OTHER_THAN(only)]
		: [...others(field, allowed), EXPRESSION];
}

/** Fields that can be added come first, so that the notices of the others give way to theirs. */
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
	const { show, hide } = inside({}, before);
	// A field that is not added has no value to rule out, so its notice asks for an expression.
	return isUpFront(field)
		? { show, hide: { ...hide, [field.name]: formValues(field) } }
		: { show: { ...show, [placeOf(field)]: [EXPRESSION] }, hide };
}

/** What the form says of a field that is filled in but that the service ignores, given the other fields. */
function unusedNotices(field: Field, { fields }: CreateOperation): INodeProperties[] {
	const { name, usedWhen } = field;
	if (!usedWhen) return [];
	const text = `${nameOf(field)} is used only when ${inWords(usedWhen, fields)}.`;
	const displayOptions = {
		show: { [placeOf(field)]: [FILLED_IN] },
		hide: conditionsOf(usedWhen),
	};
	return [notice(`${name}Unused`, text, displayOptions)];
}

/**
 * Asks for one of several fields that the service does not require, while none of them is filled in. The
 * notice is below the last of them.
 */
function wantedNotices({ name }: Field, { rules = [], fields }: CreateOperation) {
	return rules.flatMap((rule): INodeProperties[] => {
		if (rule.kind !== 'wanted') return [];
		const last = fields.filter((field) => rule.fields.includes(field.name)).pop();
		if (last?.name !== name) return [];
		const filledIn = Object.fromEntries(rule.fields.map((wanted) => [wanted, [FILLED_IN]]));
		return [
			notice(`${rule.fields[0]}Wanted`, `${rule.doubt}.`, {
				hide: { ...otherThan(rule.when), ...filledIn },
			}),
		];
	});
}

/** Met where a condition does not hold. The condition must allow one value for each field. */
const otherThan = (condition: Condition = {}) =>
	Object.fromEntries(
		Object.entries(condition).map(([name, [value = '']]) => [name, [OTHER_THAN(value)]]),
	);

/** What the form says while a switch is on. */
function switchedOnNotices(field: Field): INodeProperties[] {
	const { name, note, warning } = field;
	const whileOn = { hide: { [placeOf(field)]: [OTHER_THAN(true)] } };
	return [
		...(note === undefined ? [] : [notice(`${name}Note`, note, whileOn)]),
		...(warning === undefined ? [] : [notice(`${name}Notice`, warning, whileOn)]),
	];
}

/** The page that explains how to enter what the document does not show. */
const SETTINGS_PAGE = `${DOCS}credential.md#more-settings`;

/**
 * What has to be entered in the credential before the jobs of an operation can be started or waited for,
 * since the document does not show the path. A form cannot see whether it has been.
 */
export function pathNotices(operation: Operation): INodeProperties[] {
	const needed = neededPaths(operation);
	if (needed.length === 0) return [];
	const [what, are] = needed.length === 1 ? ['an address', 'is'] : ['addresses', 'are'];
	const text = `Needs <a href="${SETTINGS_PAGE}">${what} from the service's support</a> (skip this if ${listInWords(needed, 'and')} ${are} set).`;
	// An estimate needs none.
	return [notice('pathNotice', text, { hide: ESTIMATED })];
}

/** Part of the description of an operation, or of a resource whose operations all need one. */
export const NEEDS_ADDRESS = "Needs an address from the service's support";

/** Labels of the settings in the credential that an operation cannot do without. */
export function neededPaths(operation: Operation): string[] {
	const own = typeof operation.path === 'string' ? [] : [operation.path.openPoint];
	if (operation.kind !== 'create') return labelsOf(own);
	const { status } = operation;
	// For other jobs, a documented status path may do.
	const state = 'openPoint' in status && status.only ? [status.openPoint] : [];
	return labelsOf([...own, ...state]);
}

const labelsOf = (openPoints: readonly string[]) =>
	openPoints.map((name) => openPoint(name)?.setting?.label ?? name);
