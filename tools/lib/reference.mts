import {
	describeConditions,
	describeField,
	describePrice,
} from '../../nodes/shared/form/describe.ts';
import {
	ACCOUNT_CATALOG,
	IMAGE_CATALOG,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from '../../nodes/shared/spec/catalogs.ts';
import { OPEN_POINTS, type OpenPoint } from '../../nodes/shared/spec/openPoints.ts';
import type { Catalog, Field, Operation } from '../../nodes/shared/spec/types.ts';

const NODES: Array<[node: string, catalog: Catalog]> = [
	['MediaGen Image', IMAGE_CATALOG],
	['MediaGen Video', VIDEO_CATALOG],
	['MediaGen Music', MUSIC_CATALOG],
	['MediaGen Account', ACCOUNT_CATALOG],
];

/** The reference of all operations as Markdown, from the spec tables. */
export function reference(): string {
	return [
		'# Reference',
		'All operations with their fields, and what the documentation of the service leaves open. Made from the spec tables by `npm run reference`; not to be edited.',
		...NODES.flatMap(([node, catalog]) => [`## ${node}`, ...resourceTexts(catalog)]),
		'## What is left open',
		table(['What is not shown', 'What the package does', 'Setting'], openPointRows()),
		'',
	].join('\n\n');
}

function resourceTexts({ resources, operations }: Catalog): string[] {
	return resources.flatMap(({ label, value }) => [
		`### ${label}`,
		...operations.filter(({ resource }) => resource === value).map(operationText),
	]);
}

function operationText(operation: Operation): string {
	const { label, description, fields } = operation;
	const create = operation.kind === 'create' ? operation : undefined;
	const price = create ? ` Price: ${describePrice(create.price)}.` : '';
	const rows = fields.map((field) => [
		`\`${field.name}\``,
		field.type,
		presenceOf(field),
		valuesOf(field),
		[describeField(field, create), ...describeConditions(operation, field)].join('. '),
	]);
	return [
		`**${label}** (\`${operation.operation}\`): ${requestText(operation)}`,
		`${description}.${price}`,
		...(rows.length > 0 ? [table(['Field', 'Type', 'Needed', 'Values', 'Remarks'], rows)] : []),
	].join('\n\n');
}

function requestText({ method, path }: Operation): string {
	if (path === '') return 'no request';
	const address = typeof path === 'string' ? path : `{${path.openPoint} of the credential}`;
	return `\`${method} ${address}\``;
}

function presenceOf({ presence, requiredWhen }: Field): string {
	if (presence === 'expected') return 'always sent';
	return requiredWhen ? 'at times' : presence;
}

function valuesOf({ options = [], openValues, default: byDefault }: Field): string {
	const values = options.map(({ value }) => `\`${value}\``).join(', ');
	return [
		openValues ? `${values} and others` : values,
		byDefault === undefined ? '' : `default \`${byDefault}\``,
	]
		.filter(Boolean)
		.join('; ');
}

function openPointRows(): string[][] {
	return Object.values<OpenPoint>(OPEN_POINTS).map(({ open, policy, setting, field, option }) => [
		open,
		policy,
		[
			...[setting, field].flatMap((one) => (one ? [`credential: ${one.label}`] : [])),
			...(option ? [`option: ${option}`] : []),
		].join('; '),
	]);
}

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
