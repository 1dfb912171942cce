import {
	NodeHelpers,
	type IDataObject,
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { catalogProperties } from '../../nodes/shared/form/catalogProperties.ts';
import type { Catalog, Operation } from '../../nodes/shared/spec/operation.ts';

/** The panel of a node as n8n shows it: properties and values in, what is visible out. */

/** What n8n stores for a parameter that is an expression. */
export const AN_EXPRESSION = '={{ $json.value }}';

/** Named as n8n names the node, and the tool that it makes of the node for an agent. */
const typeNamed = (name: string) => ({ name }) as INodeTypeDescription;
const NODE = typeNamed('mediaGen');
const TOOL = typeNamed('mediaGenTool');

/**
 * The properties that are visible while the form has these values. As in the editor, expressions at top
 * level have been evaluated by then, here to an empty text, and those in a collection have not.
 *
 * @param inside name of the collection that the properties are in
 */
export function visible(
	form: readonly INodeProperties[],
	values: IDataObject,
	{ asTool = false, inside }: { asTool?: boolean; inside?: string } = {},
): INodeProperties[] {
	const entries = Object.entries(values).map(([name, value]) => [
		name,
		isExpression(value) ? '' : value,
	]);
	const root = Object.fromEntries(entries) as INodeParameters;
	const level = inside === undefined ? root : ((root[inside] ?? {}) as INodeParameters);
	return form.filter((property) =>
		NodeHelpers.displayParameter(level, property, null, asTool ? TOOL : NODE, root),
	);
}

const isExpression = (value: unknown) => typeof value === 'string' && value.startsWith('=');

/** The properties that an operation's panel can show, whatever is filled in. */
export function panelOf(catalog: Catalog, operation: Operation): INodeProperties[] {
	const chosen = { resource: operation.resource, operation: operation.operation };
	const canShow = ({ displayOptions: { show = {}, hide = {} } = {} }: INodeProperties) => {
		const isOfOperation = Object.entries(chosen).every(([parameter, value]) =>
			[parameter, `/${parameter}`].every(
				(path) => (show[path]?.includes(value) ?? true) && !hide[path]?.includes(value),
			),
		);
		return isOfOperation;
	};
	return formOf(catalog)
		.filter(canShow)
		.map((property) =>
			property.type === 'collection'
				? { ...property, options: nested(property).filter(canShow) }
				: property,
		);
}

const forms = new Map<Catalog, INodeProperties[]>();

function formOf(catalog: Catalog): INodeProperties[] {
	const form = forms.get(catalog) ?? catalogProperties(catalog);
	forms.set(catalog, form);
	return form;
}

/** All values that a property offers; none for a text. */
export function valuesOf({ type, options = [], typeOptions }: INodeProperties): unknown[] {
	if (type === 'boolean') return [false, true];
	if (type === 'options') return options.map((option) => ('value' in option ? option.value : ''));
	const { minValue, maxValue, numberPrecision } = typeOptions ?? {};
	if (minValue === undefined || maxValue === undefined || numberPrecision !== 0) return [];
	return Array.from({ length: maxValue - minValue + 1 }, (_, index) => minValue + index);
}

/** Every combination of one value from each list. */
export function combinations(
	lists: Readonly<Record<string, readonly unknown[]>>,
): Array<Record<string, unknown>> {
	return Object.entries(lists).reduce<Array<Record<string, unknown>>>(
		(all, [name, values]) =>
			all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
		[{}],
	);
}

/** The properties in a collection. */
export function nested({ options = [] }: INodeProperties): INodeProperties[] {
	return options.flatMap((option) => {
		if ('values' in option) return option.values;
		return 'displayName' in option ? [option] : [];
	});
}
