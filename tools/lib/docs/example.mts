import { ADDITIONAL_FIELDS } from '../../../nodes/shared/form/names.ts';
import { PROMPT_FIELD } from '../../../nodes/shared/spec/answers.ts';
import { holds, type Values } from '../../../nodes/shared/spec/conditions.ts';
import { type Field, isPayload, withDefaults } from '../../../nodes/shared/spec/field.ts';
import type { Operation } from '../../../nodes/shared/spec/operation.ts';

export type Parameters = Record<string, unknown>;

/** A small, valid example of an operation: the fields that it needs and those that it always sends. */
export function exampleOf(operation: Operation): Parameters {
	const { controls = [], fields, method } = operation;
	const needed = fields.filter((field) => isNeeded(field, operation));
	const shown = needed.length > 0 || method === 'GET' ? needed : fields;
	const more = shown.filter(({ place }) => place === 'more');
	return {
		resource: operation.resource,
		operation: operation.operation,
		...Object.fromEntries([...controls.filter(isRequired), ...shown].flatMap(entryOf)),
		...(more.length > 0
			? {
					[ADDITIONAL_FIELDS]: Object.fromEntries(
						more.map((field) => [field.name, valueOf(field)]),
					),
				}
			: {}),
	};
}

const isRequired = ({ place }: Field) => place === 'required';

/** Songs can be made without a prompt, but nobody means to. */
function isNeeded({ name, place, when }: Field, operation: Operation): boolean {
	const isSent = place === 'required' || place === 'always' || name === PROMPT_FIELD;
	return isSent && holds(when, startOf(operation));
}

/** What the form begins with. */
const startOf = ({ controls = [], fields, fixed }: Operation): Values =>
	withDefaults(
		{ fields, fixed },
		Object.fromEntries(
			[...controls, ...fields]
				.filter(({ place }) => place !== 'more')
				.map(({ name, property }) => [name, property.default]),
		),
	);

const entryOf = (field: Field): Array<[name: string, value: unknown]> =>
	field.place === 'more' ? [] : [[field.name, valueOf(field)]];

function valueOf(field: Field): unknown {
	const { label, place, property } = field;
	const { type, default: start } = property;
	const example = property.placeholder?.replace(/^e\.g\. (data or )?/, '');
	if (isPayload(field)) return '{ "name_of_the_field": "its value" }';
	if (type === 'string') return start || example || label;
	// Nobody adds an optional switch to leave it off.
	if (type === 'boolean' && place === 'more') return true;
	if (type === 'resourceLocator') return (start as { value: string }).value;
	return start ?? Number(example);
}
