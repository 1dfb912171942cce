import {
	NodeHelpers,
	type IDataObject,
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { catalogProperties } from '../../nodes/shared/form/catalogProperties.ts';
import type { Catalog, CreateOperation, Operation } from '../../nodes/shared/spec/types.ts';

/** The panel of a node as n8n shows it: properties and values in, what is visible out. */

/** What n8n stores for a parameter that is an expression. */
export const AN_EXPRESSION = '={{ $json.value }}';

/** As n8n names the node, and the tool that it makes of it for an agent. */
const typeNamed = (name: string) => ({ name }) as INodeTypeDescription;
const NODE = typeNamed('mediaGen');
const TOOL = typeNamed('mediaGenTool');

/** The properties that show while the form holds the values. */
export function visible(
	form: readonly INodeProperties[],
	values: IDataObject,
	{ asTool = false } = {},
): INodeProperties[] {
	const parameters = values as INodeParameters;
	return form.filter((property) =>
		NodeHelpers.displayParameter(parameters, property, null, asTool ? TOOL : NODE, parameters),
	);
}

/**
 * The properties that an operation's panel can show, whatever is filled in.
 *
 * @param planned of Price > Estimate: those of one planned operation
 */
export function panelOf(
	catalog: Catalog,
	operation: Operation,
	planned?: CreateOperation,
): INodeProperties[] {
	const chosen = { resource: operation.resource, operation: operation.operation };
	const name = planned && `${planned.resource}.${planned.operation}`;
	return formOf(catalog).filter(({ displayOptions: { show = {}, hide = {} } = {} }) => {
		const isOfOperation = Object.entries(chosen).every(
			([parameter, value]) => show[parameter]?.includes(value) ?? true,
		);
		const plans = JSON.stringify([show.plannedOperation, hide.plannedOperation]);
		return (
			isOfOperation &&
			(name === undefined || plans === '[null,null]' || plans.includes(`"${name}"`))
		);
	});
}

const forms = new Map<Catalog, INodeProperties[]>();

function formOf(catalog: Catalog): INodeProperties[] {
	const form = forms.get(catalog) ?? catalogProperties(catalog);
	forms.set(catalog, form);
	return form;
}

/** All values of a property that can be chosen from; none of a text. */
export function valuesOf({ type, options = [], typeOptions }: INodeProperties): unknown[] {
	if (type === 'boolean') return [false, true];
	if (type === 'options') return options.map((option) => ('value' in option ? option.value : ''));
	const { minValue, maxValue, numberPrecision } = typeOptions ?? {};
	if (minValue === undefined || maxValue === undefined || numberPrecision !== 0) return [];
	return Array.from({ length: maxValue - minValue + 1 }, (_, index) => minValue + index);
}

/** One value of each list, in every combination. */
export function combinations(
	lists: Readonly<Record<string, readonly unknown[]>>,
): Array<Record<string, unknown>> {
	return Object.entries(lists).reduce<Array<Record<string, unknown>>>(
		(all, [name, values]) =>
			all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
		[{}],
	);
}

/** What is in a collection, as properties. */
export function nested({ options = [] }: INodeProperties): INodeProperties[] {
	return options.flatMap((option) => {
		if ('values' in option) return option.values;
		return 'displayName' in option ? [option] : [];
	});
}
