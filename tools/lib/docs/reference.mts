import { readFileSync } from 'node:fs';

import type { INodeProperties } from 'n8n-workflow';

import { propertyOf, waitingProperties } from '../../../nodes/shared/form/operation.ts';
import { OPTIONS as RUN_OPTIONS } from '../../../nodes/shared/form/options.ts';
import { JOB_EVENTS, LISTED_MEDIA } from '../../../nodes/shared/form/trigger.ts';
import type { Advice } from '../../../nodes/shared/service/serviceError.ts';
import {
	ACCOUNT_CATALOG,
	IMAGE_CATALOG,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from '../../../nodes/shared/spec/catalogs.ts';
import type { When } from '../../../nodes/shared/spec/conditions.ts';
import type { Field } from '../../../nodes/shared/spec/field.ts';
import { JOB_LISTS, JOB_RESOURCE, JOB_ROUTES } from '../../../nodes/shared/spec/jobs.ts';
import { detailNamed } from '../../../nodes/shared/spec/openPoints.ts';
import type {
	Catalog,
	CreateOperation,
	Operation,
	Resource,
} from '../../../nodes/shared/spec/operation.ts';
import { inWords, priceInWords } from '../../../nodes/shared/spec/price.ts';
import { GENERATED, jsonBlock, table } from './markdown.mts';

export const NODES: ReadonlyArray<{ label: string; type: string; catalog: Catalog }> = [
	{ label: 'MediaGen Image', type: 'mediaGenImage', catalog: IMAGE_CATALOG },
	{ label: 'MediaGen Video', type: 'mediaGenVideo', catalog: VIDEO_CATALOG },
	{ label: 'MediaGen Music', type: 'mediaGenMusic', catalog: MUSIC_CATALOG },
	{ label: 'MediaGen Account', type: 'mediaGenAccount', catalog: ACCOUNT_CATALOG },
];

const { name: PACKAGE } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string };

const NOT_SAID = 'not documented';

const INTRO = `Every operation with its request, its price and its fields: their names in the JSON of a workflow. The panel says what each is for.

\\* required · _italic_: optional, in the collection \`additionalFields\` · anything else stands in the form with a value, or may be left empty. What has no type is a text. A path such as _Path: Music Operation_ is what the credential has under that name.`;

/** A node in the JSON of a workflow. */
const EXAMPLE = {
	type: `${PACKAGE}.mediaGenImage`,
	parameters: { resource: 'image', operation: 'generate', prompt: 'A red bicycle', size: '1:1' },
};

/** The reference of all operations as Markdown, from the spec tables. */
export function reference(): string {
	return [
		'# Reference',
		INTRO,
		GENERATED,
		jsonBlock(EXAMPLE),
		...NODES.flatMap(nodeTexts),
		'## Jobs of any kind',
		'The resource `job` of Image, Video and Music; Music has no history.',
		operationLines(IMAGE_CATALOG, JOB_RESOURCE),
		'### Where the status of a job is read',
		...routeTexts(),
		'## What a failed item says of money',
		...failureTexts(),
		'## Options',
		...optionTexts(),
		'## MediaGen Trigger',
		`Node type: \`${PACKAGE}.mediaGenTrigger\``,
		...triggerTexts(),
		'',
	].join('\n\n');
}

function nodeTexts({ label, type, catalog }: (typeof NODES)[number]): string[] {
	const resources = catalog.resources.filter(({ value }) => value !== JOB_RESOURCE.value);
	return [
		`## ${label}`,
		`Node type: \`${PACKAGE}.${type}\``,
		...remarks(catalog),
		...resources.flatMap((resource) => [
			`**${resource.label}** (\`${resource.value}\`)`,
			operationLines(catalog, resource),
		]),
	];
}

/** What dropdowns say of their values, once for each. */
function remarks({ operations }: Catalog): string[] {
	const own = operations.filter(({ resource }) => resource !== JOB_RESOURCE.value);
	const fields = own.flatMap((operation) => operation.fields);
	const byOptions = new Map(fields.map((field) => [JSON.stringify(field.property.options), field]));
	return [...byOptions.values()].flatMap(({ label, property: { options = [] } }) => {
		const told = options.flatMap((option) =>
			'value' in option && option.description
				? [`\`${option.value}\` (${option.description})`]
				: [],
		);
		return told.length > 0 ? [`${label}: ${told.join(', ')}`] : [];
	});
}

const operationLines = ({ operations }: Catalog, { value }: Resource): string =>
	operations
		.filter(({ resource }) => resource === value)
		.map(operationLine)
		.join('\n');

function operationLine(operation: Operation): string {
	const { label, operation: name, controls = [], fields } = operation;
	const facts = [
		`\`${name}\``,
		operation.path === '' || operation.kind === 'status' ? '' : requestText(operation),
		priceText(operation),
	];
	const told = [...controls, ...fields].map((field) => fieldText(field, operation));
	return `- **${label}** ${[...facts.filter(Boolean)].join(', ')}${told.length > 0 ? `: ${told.join('; ')}` : ''}`;
}

function priceText(operation: Operation): string {
	if (operation.kind !== 'create') return '';
	const price = priceInWords(operation) ?? `price ${NOT_SAID}`;
	return [price, ...typicalTimes(operation)].join(', ');
}

/** How long its jobs typically take, where the service documents that. */
const typicalTimes = ({ takes = [], fields }: CreateOperation): string[] =>
	takes.map(([when, from, to]) =>
		[`typically ${from} to ${to} s`, inWords(when, fields)].filter(Boolean).join(' for '),
	);

/** A field by its name in the JSON of a workflow, with what it takes and when it counts. */
function fieldText(field: Field, operation: Operation): string {
	const { name, place, when } = field;
	const shown =
		place === 'more' ? `_\`${name}\`_` : `\`${name}\`${place === 'required' ? '\\*' : ''}`;
	const facts = [valueText(field), when ? `only ${conditionIn(when, operation)}` : ''].filter(
		Boolean,
	);
	return facts.length > 0 ? `${shown} (${facts.join(', ')})` : shown;
}

/** The values that a field takes, or their type and bounds. */
function valueText({ file, byDefault, property }: Field): string {
	const { type, options = [], typeOptions = {}, description = '' } = property;
	const values = options.flatMap((option) => ('value' in option ? [`\`${option.value}\``] : []));
	const kind = file
		? file.sent === 'upload'
			? 'file'
			: typeOptions.rows
				? 'URLs'
				: 'URL'
		: ({
				number: typeOptions.numberPrecision === 0 ? 'whole number' : 'number',
				json: 'JSON',
				boolean: 'true or false',
			}[type as string] ?? '');
	const [bounds = ''] = /(?:At (?:most|least) \d+[^.]*|\d+ to \d+[^.]*)$/.exec(description) ?? [];
	const first =
		byDefault === undefined || type === 'boolean' ? '' : `default \`${String(byDefault)}\``;
	return [values.join(', '), kind, bounds.charAt(0).toLowerCase() + bounds.slice(1), first]
		.filter(Boolean)
		.join(', ');
}

/** When a field applies, in words: the form shows it only then. */
function conditionIn(when: When, { fields, controls = [] }: Operation): string {
	const parts = Object.entries(when).map(([name, allowed]) => {
		const field = [...controls, ...fields].find((one) => one.name === name)!;
		if (allowed[0] === false) return `without ${field.label}`;
		if (allowed[0] === true) return `with ${field.label}`;
		const values = allowed.map((value) => inWords({ [name]: [value] }, [field]));
		return `with ${field.label} ${values.join(' or ')}`;
	});
	return parts.join(' and ');
}

/** What the values of `charged` and `retry` mean. */
function failureTexts(): string[] {
	const rows = (words: Readonly<Record<string, string>>) =>
		Object.entries(words).map(([value, text]) => [`\`${value}\``, text]);
	return [
		'An item that has failed has `charged` and `retry`. On the error output of a node, both are in `message`.',
		table(['`charged`', 'Was the item charged?'], rows(CHARGED)),
		table(['`retry`', 'What to do'], rows(RETRY)),
	];
}

/** Whether a failed item was charged: what its field `charged` says. */
const CHARGED: Readonly<Record<Advice['charged'], string>> = {
	no: 'Nothing was charged for the item.',
	yes: 'Its job was charged when it was created. Whether the service gives credits back is not documented.',
	unknown: 'Nobody can tell: the answer of the service was lost, or its job cannot be read.',
};

/** What to do about a failed item: what its field `retry` says. */
const RETRY: Readonly<Record<Advice['retry'], string>> = {
	safe: 'Run it again: nothing was charged. If it fails in the same way, do first what the message says.',
	correctFirst:
		'Correct what the message names, its values or the credential, then run it again. Nothing was charged.',
	creditsFirst:
		'Buy credits, or change the limit that the message names, then run it again. Nothing was charged.',
	waitForJob:
		'Do not order it again: its job is paid for, or may be. Read it by `jobId` with _Job > Wait for Completion_, which costs nothing.',
	lookFirst:
		'Look in the history or on the website whether it was made after all. Run it again only if it is not there: that may pay twice.',
	paysAgain: 'Change what you order, or try again: that is a new job, and is paid for again.',
};

/** The requests that read the status of jobs, by what the jobs were started with. */
function routeTexts(): string[] {
	const lines = JOB_ROUTES.map(({ value, label, path }) => {
		const text = typeof path === 'string' ? requestText({ method: 'GET', path }) : NOT_SAID;
		return `- \`${value}\` _${label}_: ${text}`;
	});
	return [
		`The item of a job has \`details.startedWith\`, which decides this. Where an item lacks it, choose _Started With_ in the form. Where it is ${NOT_SAID}, the node reads the _Status Path_ in the credential, or [where it finds the job](credential.md#service-details).`,
		lines.join('\n'),
	];
}

function requestText({ method, path }: Pick<Operation, 'method' | 'path'>): string {
	if (path === '') return 'none';
	if (typeof path === 'string') return `\`${method} ${path}\``;
	return `\`${method}\` to _${detailNamed(path.openPoint)?.label}_`;
}

const TRIGGER_EXAMPLE = {
	events: JOB_EVENTS.map(({ value }) => value),
	mediaType: LISTED_MEDIA[0],
	pollTimes: { item: [{ mode: 'everyMinute' }] },
};

/** The events that start a workflow, and the lists in which the trigger looks for them. */
function triggerTexts(): string[] {
	const types = LISTED_MEDIA.map((type) => `\`${type}\``);
	return [
		table(
			['Event', 'In `events`', 'Remarks'],
			JOB_EVENTS.map(({ value, name, description }) => [name, `\`${value}\``, description]),
		),
		`Media types, in \`mediaType\`: \`all\`, ${types.join(', ')}. The trigger reads these lists:`,
		table(
			['List', 'Request', 'Asked for one type as', 'State of a job that it leaves open'],
			JOB_LISTS.map(({ operation, route, typeField }) => [
				operation.description,
				requestText(operation),
				shownTypes(operation, typeField),
				requestText({ ...operation, path: route.path }),
			]),
		),
		jsonBlock(TRIGGER_EXAMPLE),
	];
}

const shownTypes = ({ fields }: Operation, name?: string) =>
	fields
		.flatMap((field) =>
			field.name === name ? [`\`${name}=${String(field.property.default)}\``] : [],
		)
		.join();

/** The parameters beside the fields of an operation. */
function optionTexts(): string[] {
	const creation = NODES.flatMap(({ catalog }) => catalog.operations).find(
		({ kind }) => kind === 'create',
	);
	const options = RUN_OPTIONS.map((field) => propertyOf(field));
	return [
		'Operations that start jobs have all of these, and those that read jobs have some. The first two stand beside the other parameters, the rest in the collection `options`.',
		[...waitingProperties(creation!), ...options].map(optionLine).join('\n'),
	];
}

/** The kind of value that an option takes. */
const KINDS: Partial<Record<string, string>> = {
	boolean: '',
	string: '',
	fixedCollection: 'rows',
};

function optionLine({ name, displayName, description = '', ...property }: INodeProperties): string {
	const values = (property.options ?? []).flatMap((option) =>
		'value' in option ? [`\`${option.value}\``] : [],
	);
	const given = values.join(', ') || (KINDS[property.type] ?? property.type);
	const text = [given, description.replace(/\.$/, '')].filter(Boolean).join('. ');
	return `- \`${name}\` _${displayName}_: ${text}`;
}
