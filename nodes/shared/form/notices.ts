import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { inCredits } from '../spec/credits';
import { openPoint } from '../spec/openPoints';
import type { Catalog, CreateOperation, Field, Operation, Value } from '../spec/types';
import { adjustmentsOf, capitalized, describeAdjustment, PER_UNIT } from './describe';
import { EXPRESSION, OTHER_THAN } from './displayConditions';
import { startValue } from './fieldProperty';
import {
	formValues,
	priceBoxes,
	rangeOf,
	ratedFields,
	unitField,
	type PriceBox,
} from './priceBoxes';
import { isUpFront, parameterPath } from './upFront';

const notice = (name: string, text: string, displayOptions: IDisplayOptions): INodeProperties => ({
	displayName: text,
	name,
	type: 'notice',
	default: '',
	displayOptions,
});

/** The price of an operation as the form stands: of its notices one shows. */
export function priceNotices(operation: CreateOperation): INodeProperties[] {
	const { price } = operation;
	if (!price.shown) {
		return [notice('priceNotice', 'The service does not document the price of this job.', {})];
	}
	const boxes = priceBoxes(operation);
	const fields = ratedFields(operation);
	const unit = unitField(operation);
	return [
		...boxes.map((box, index) =>
			notice(`priceNotice${index + 1}`, priceText(box, unit), { hide: outside(box, fields) }),
		),
		...addedFirst(fields).map((field, index, ordered) =>
			notice(`priceNotice${boxes.length + index + 1}`, rangeText(operation, field), {
				...expressionIn(field, ordered.slice(0, index)),
			}),
		),
	];
}

function priceText({ price: { credits, exact, reason = '' } }: PriceBox, unit?: Field): string {
	if (credits === null) return `The price of this job is not known. ${reason}.`;
	if (credits === 0 && exact) return 'This job is free.';
	const amount = `${exact ? '' : 'at most '}${inCredits(credits)}${examples(credits, unit)}`;
	return `This job costs ${amount}.${exact ? '' : ` ${reason}.`}`;
}

/** What a price by units comes to at both ends of the form. */
function examples(credits: number, unit?: Field): string {
	if (unit?.min === undefined || unit.max === undefined) return '';
	const at = (units: number) => `${credits * units} for ${units} s`;
	const places = [...new Set([unit.min, Number(startValue(unit)), unit.max])];
	return `${PER_UNIT}: ${places.map(at).join(', ')}`;
}

function rangeText(operation: CreateOperation, { label }: Field): string {
	const { low = 0, high } = rangeOf([operation]);
	const range = inCredits(low, high);
	return `This job costs ${range}, depending on the expression in ${label}.`;
}

/** Hides a notice where a field has another value than its box, or is an expression. */
function outside({ when }: PriceBox, fields: readonly Field[]) {
	return Object.fromEntries(
		fields.map((field) => {
			const allowed = when[field.name];
			const [only] = allowed ?? [];
			if (allowed === undefined) return [parameterPath(field), [EXPRESSION]];
			return [
				parameterPath(field),
				allowed.length === 1 && only !== undefined
					? [OTHER_THAN(only)]
					: [...others(field, allowed), EXPRESSION],
			];
		}),
	);
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
	const hide = Object.fromEntries(before.map((other) => [parameterPath(other), [EXPRESSION]]));
	// A field that is not added has no value that could be ruled out.
	return isUpFront(field)
		? { hide: { ...hide, [field.name]: formValues(field) } }
		: { show: { [parameterPath(field)]: [EXPRESSION] } };
}

/** What the form says of fields that do not show. */
export function noteNotices({ notes = [] }: CreateOperation): INodeProperties[] {
	return notes.map(({ when, text }, index) => {
		const hide = Object.entries(when).map(([name, [value = '']]) => [name, [OTHER_THAN(value)]]);
		return notice(`note${index + 1}`, text, { hide: Object.fromEntries(hide) });
	});
}

/** What turning on a field means for people other than the one who does. */
export function warningNotices(operation: CreateOperation): INodeProperties[] {
	return operation.fields
		.filter(({ warning }) => warning !== undefined)
		.map((field) => {
			const changes = adjustmentsOf(field, operation).map(describeAdjustment);
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
export function pathNotices({ operations }: Catalog): INodeProperties[] {
	const groups = new Map<string, Operation[]>();
	for (const operation of operations) {
		const text = pathText(operation);
		if (text !== undefined) groups.set(text, [...(groups.get(text) ?? []), operation]);
	}
	return [...groups].map(([text, group], index) =>
		notice(`pathNotice${index + 1}`, text, {
			show: {
				resource: [...new Set(group.map(({ resource }) => resource))],
				operation: [...new Set(group.map(({ operation }) => operation))],
			},
		}),
	);
}

function pathText(operation: Operation): string | undefined {
	if (operation.kind !== 'create' && operation.kind !== 'any') return undefined;
	const creation = typeof operation.path === 'string' ? [] : [operation.path.openPoint];
	const status = operation.kind === 'any' ? MUSIC_STATUS : operation.status;
	const state = 'openPoint' in status ? [status.openPoint] : [];
	const needed = [...creation, ...state].map((name) => openPoint(name)?.setting?.label ?? name);
	if (needed.length === 0) return undefined;
	return creation.length > 0
		? `Works only with paths that the service does not document. Unless they are there, enter these in the credential, under More Settings: ${needed.join(', ')}.`
		: `Waiting for these jobs may need a path that the service does not document. If a run ends without waiting, enter ${needed.join(', ')} in the credential, under More Settings.`;
}

/** Where the state of whatever the catalog offers is read. */
const MUSIC_STATUS = { openPoint: 'musicStatusPath' };
