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
import { OPEN_POINTS, openPoint, type OpenPoint } from '../../nodes/shared/spec/openPoints.ts';
import { JOB_TRIGGER, mediaTypesOf } from '../../nodes/shared/spec/trigger.ts';
import type { Catalog, CreateOperation, Field, Operation } from '../../nodes/shared/spec/types.ts';
import { alignedTable, between } from './markdownTable.mts';

const NODES: Array<[node: string, catalog: Catalog]> = [
	['MediaGen Image', IMAGE_CATALOG],
	['MediaGen Video', VIDEO_CATALOG],
	['MediaGen Music', MUSIC_CATALOG],
	['MediaGen Account', ACCOUNT_CATALOG],
];

/** What operations that start jobs do with an address and a key alone. */
const SITUATIONS = {
	works: 'Works at once',
	unwaited: 'Starts jobs, but may be unable to wait for them',
	path: 'Does nothing before it has its path',
} as const;

/** Begin and end of the table in the README. */
const BEGIN = '<!-- npm run reference writes this table -->';
const END = '<!-- end of the table -->';

/** The README with the table of what works at once and what needs a path, from the spec tables. */
export function withReadiness(readme: string): string {
	const head = ['Node', 'Resource', 'With address and key alone', 'Settings'];
	const trigger = ['MediaGen Trigger', 'Images and videos', SITUATIONS.works, ''];
	return between(
		readme,
		BEGIN,
		END,
		alignedTable([head, ...NODES.flatMap(readinessRows), trigger]),
	);
}

/** One row for whatever is alike in a node. */
function readinessRows([node, { resources, operations }]: [string, Catalog]): string[][] {
	const rows = new Map<string, string[]>();
	for (const { label, value } of resources) {
		const creations = operations.filter(isCreation).filter(({ resource }) => resource === value);
		const kinds = new Set(creations.map(readinessOf));
		for (const kind of kinds) {
			const own = creations.filter((creation) => readinessOf(creation) === kind);
			const which = kinds.size > 1 ? ` > ${own.map((one) => one.label).join(', ')}` : '';
			rows.set(kind, [...(rows.get(kind) ?? []), `${label}${which}`]);
		}
	}
	return [...rows].map(([kind, labels]) => [node, labels.join(', '), ...kind.split('\n')]);
}

const isCreation = (operation: Operation): operation is CreateOperation =>
	operation.kind === 'create';

/** What it does, then the settings that change it, on a line of their own. */
function readinessOf({ path, status }: CreateOperation): string {
	const [pathLabel, statusLabel] = [path, status].map((place) =>
		typeof place === 'object' && 'openPoint' in place
			? openPoint(place.openPoint)?.setting?.label
			: undefined,
	);
	const situation = pathLabel ? 'path' : statusLabel ? 'unwaited' : 'works';
	const settings = [pathLabel, statusLabel].flatMap((label) => (label ? [`_${label}_`] : []));
	return `${SITUATIONS[situation]}\n${settings.join(', ')}`;
}

/** The reference of all operations as Markdown, from the spec tables. */
export function reference(): string {
	return [
		'# Reference',
		'All operations with their fields, and what the documentation of the service leaves open. Made from the spec tables by `npm run reference`; not to be edited.',
		...NODES.flatMap(([node, catalog]) => [`## ${node}`, ...resourceTexts(catalog)]),
		'## MediaGen Trigger',
		...triggerTexts(),
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

/** What starts a workflow, and where the trigger learns of it. */
function triggerTexts(): string[] {
	const { events, sources } = JOB_TRIGGER;
	const types = mediaTypesOf(JOB_TRIGGER).map((type) => `\`${type}\``);
	return [
		table(
			['Event', 'State of the job', 'Remarks'],
			events.map(({ state, label, description }) => [label, `\`${state}\``, description]),
		),
		`Media types: ${types.join(', ')}. The trigger reads these lists:`,
		table(
			['List', 'Request', 'Asked for one type as', 'State of a job that it leaves open'],
			sources.map(({ list, route, typeField }) => [
				list.description,
				requestText(list),
				shownTypes(list, typeField),
				requestText({ ...list, path: route.path }),
			]),
		),
	];
}

const shownTypes = ({ fields }: Operation, name?: string) =>
	(fields.find((field) => field.name === name)?.options ?? [])
		.map(({ value }) => `\`${name}=${value}\``)
		.join(', ');

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
