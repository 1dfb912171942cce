import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import {
	DOCS,
	ESTIMATE_ONLY,
	isUpFront,
	OPTIONS_COLLECTION,
	parameterPath,
} from '../parameters/names';
import { inWords, listInWords, nameOf } from '../spec/conditions';
import { MUSIC_CREATION } from '../spec/music/operations';
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

/** Has no value, and so no default, for which n8n's type asks all the same. */
const NOTICE = { type: 'notice' } as INodeProperties;

/**
 * Where a condition finds a field. Older versions of n8n look for a parameter of a name that does not begin with a slash, and
 * refuse the workflow where there is none, such as `additionalFields.duration`.
 */
const placeOf = (field: Field) =>
	isUpFront(field) ? parameterPath(field) : `/${parameterPath(field)}`;

const notice = (name: string, text: string, displayOptions: IDisplayOptions): INodeProperties => ({
	...NOTICE,
	displayName: text,
	name,
	displayOptions,
});

/** What the form says of one field of a creation, directly below it. */
export const noticesBelow = (field: Field, operation: CreateOperation): INodeProperties[] => [
	...wantedNotices(field, operation),
	...unusedNotices(field, operation),
	...switchedOnNotices(field),
];

/** The price of an operation as the form stands: of its notices one shows, and where that is in doubt why. */
export function priceNotices(operation: CreateOperation): INodeProperties[] {
	if (!operation.price.shown) {
		return [notice(PRICE, 'The service does not document the price of this job.', {})];
	}
	return [...amountNotices(operation), ...doubtNotices(operation)].map((property) =>
		hideWhen(property, ESTIMATED),
	);
}

/** The name of all of them: n8n shows one at a time. */
const PRICE = 'price';

/** Nothing is paid then. An expression may give anything. */
const ESTIMATED = { [`/${OPTIONS_COLLECTION}.${ESTIMATE_ONLY}`]: [true] };

/**
 * What the job costs; where the number of units is an expression, what a unit does, and where another field
 * is, what it may cost.
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
		...whole.map((box) => notice(PRICE, box.text, inside(box.when, fields))),
		...each.map((box) =>
			hideWhen(notice(PRICE, box.text, inside(box.when, rated)), outOf(unit as Field)),
		),
		...byExpression(PRICE, rated, ({ label }) => `This job costs ${range}, depending on ${label}.`),
	];
}

const outOf = (unit: Field) => ({ [unit.name]: formValues(unit) });

/** Why the job may cost less than the amount, which is the most that it can cost. */
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

/** Of some fields those that make a difference to what is said. */
const namedIn = (fields: readonly Field[], boxes: readonly PriceBox[]) =>
	fields.filter(({ name }) => boxes.some(({ when }) => name in when));

/** What is said where a field is an expression, of all that are one of the first. */
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

/** The amount is the highest that it can be; the notice of the amount has no room for why. */
const doubtText = ({ credits, exact, reason = '' }: PriceEstimate) =>
	credits === null || exact ? '' : `It may cost less. ${reason}.`;

/**
 * Shows a notice where the fields have these values, and none is an expression. At top level the editor has worked an
 * expression out before it looks, and finds nothing where that cannot be done; in a collection it has
 * not, and would take an expression for any value.
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
	const { show, hide } = inside({}, before);
	// A field that is not added has no value that could be ruled out.
	return isUpFront(field)
		? { show, hide: { ...hide, [field.name]: formValues(field) } }
		: { show: { ...show, [placeOf(field)]: [EXPRESSION] }, hide };
}

/** What the form says of a field that is filled in, and that the service ignores as the form stands. */
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
 * What the form says while nothing is filled in of what the service does not require and we want: below
 * the last of the fields that will do.
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

/** Where a condition, which allows one value of each field, does not hold. */
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

/** Where a person reads how to enter what the document does not show. */
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

/** That an operation, or all of a resource, does; for their descriptions. */
export const NEEDS_ADDRESS = "Needs an address from the service's support";

/** The settings of the credential that an operation cannot do without, as the form calls them. */
export function neededPaths(operation: Operation): string[] {
	if (operation.kind !== 'create' && operation.kind !== 'any') return [];
	const creation = typeof operation.path === 'string' ? [] : [operation.path.openPoint];
	const { status } = operation.kind === 'any' ? MUSIC_CREATION : operation;
	// Of others, what the service documents may serve.
	const state = 'openPoint' in status && status.only ? [status.openPoint] : [];
	return [...creation, ...state].map((name) => openPoint(name)?.setting?.label ?? name);
}
