import { readFileSync } from 'node:fs';

import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { DOWNLOAD, OPTIONS, WAIT } from '../../../nodes/shared/form/options.ts';
import { triggerProperties } from '../../../nodes/shared/form/trigger.ts';
import type { Advice } from '../../../nodes/shared/service/serviceError.ts';
import {
	ACCOUNT_CATALOG,
	IMAGE_CATALOG,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from '../../../nodes/shared/spec/catalogs.ts';
import type { When } from '../../../nodes/shared/spec/values.ts';
import type { Field } from '../../../nodes/shared/spec/field.ts';
import { JOB_LISTS, JOB_RESOURCE, JOB_ROUTES } from '../../../nodes/shared/spec/jobs.ts';
import { detailNamed } from '../../../nodes/shared/spec/openPoints.ts';
import type {
	Catalog,
	CreateOperation,
	Operation,
	Resource,
} from '../../../nodes/shared/spec/operation.ts';
import { inWords } from '../../../nodes/shared/spec/price.ts';
import { GENERATED, jsonBlock, table } from './markdown.mts';

export const NODES: ReadonlyArray<{ label: string; type: string; catalog: Catalog }> = [
	{ label: 'MediaGen Image', type: 'mediaGenImage', catalog: IMAGE_CATALOG },
	{ label: 'MediaGen Video', type: 'mediaGenVideo', catalog: VIDEO_CATALOG },
	{ label: 'MediaGen Music', type: 'mediaGenMusic', catalog: MUSIC_CATALOG },
	{ label: 'MediaGen Account', type: 'mediaGenAccount', catalog: ACCOUNT_CATALOG },
];

const { name: PACKAGE } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string };

const NOT_SAID = 'not documented';

const INTRO = `Every operation with its request and its fields, by their names in the JSON of a workflow. The panel says what each is for, [Prices](prices.md) what it costs.

\\* required · optional: in the collection \`additionalFields\` · any other: in the form with a value, or may be left empty · no type: a text · _80 characters_: at most as many · _if_: counts only then · of what several operations of a kind have, the first one says all · _Path: …_: set in the credential.`;

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
		'Image, Video and Music have them; Music has no history.',
		resourceText(IMAGE_CATALOG, JOB_RESOURCE),
		'### Where the status of a job is read',
		...routeTexts(),
		'## What a failed item says of money',
		...failureTexts(),
		'## Options',
		'Operations that start jobs have all of these, those that read jobs some. The first two stand beside the other parameters, the rest in the collection `options`. `waitForCompletion` and `simplify` are on where they are not set, `downloadMedia` for images.',
		[WAIT, DOWNLOAD, ...OPTIONS].map(optionLine).join('\n'),
		'## MediaGen Trigger',
		...triggerTexts(),
		'',
	].join('\n\n');
}

function nodeTexts({ label, type, catalog }: (typeof NODES)[number]): string[] {
	const resources = catalog.resources.filter(({ value }) => value !== JOB_RESOURCE.value);
	const sections = resources.map((resource) => resourceText(catalog, resource));
	return [`## ${label}`, `Node type: \`${PACKAGE}.${type}\``, ...sections];
}

/** What can be said of a field: the values that it takes, or their type and bounds. */
type Facts = Record<'values' | 'type' | 'bounds' | 'byDefault', string>;

/** The operations of a resource. What has been said of one, its request or a field, is not said again of the next. */
function resourceText({ operations }: Catalog, { label, value }: Resource): string {
	const said = new Map<string, string>();
	const isNews = (name: string, text: string) => said.get(name) !== text && said.set(name, text);
	const lines = operations
		.filter(({ resource }) => resource === value)
		.map((operation) => operationLine(operation, isNews));
	return [`**${label}** (\`${value}\`)`, lines.join('\n')].join('\n\n');
}

/** Whether a text differs from what was said last of something of this name. */
type IsNews = (name: string, text: string) => unknown;

function operationLine(operation: Operation, isNews: IsNews): string {
	const request = requestText(operation);
	const facts = [
		`- **${operation.label}** \`${operation.operation}\``,
		isNews('', request) ? request : '',
		...(operation.kind === 'create' ? typicalTimes(operation) : []),
	];
	const { controls = [], fields } = operation;
	const [more, others] = [true, false].map((isMore) =>
		[...controls, ...fields]
			.filter(({ place }) => (place === 'more') === isMore)
			.map((field) => fieldText(field, isNews))
			.join('; '),
	);
	const told = [others, more && `optional: ${more}`].filter(Boolean).join(' · ');
	return [facts.filter(Boolean).join(', '), told].filter(Boolean).join(': ');
}

/** How long its jobs typically take, where the service documents that. */
const typicalTimes = ({ takes = [], fields }: CreateOperation): string[] =>
	takes.map(([when, from, to]) =>
		[`typically ${from} to ${to} s`, inWords(when, fields)].filter(Boolean).join(' for '),
	);

/** A field by its name in the JSON of a workflow, with what it takes and when it counts. */
function fieldText(field: Field, isNews: IsNews): string {
	const { name, place, when } = field;
	const facts = textOf(factsOf(field));
	const told = [isNews(name, facts) ? facts : '', when ? conditionIn(when) : ''].filter(Boolean);
	const brackets = told.length > 0 ? ` (${told.join(', ')})` : '';
	return `\`${name}\`${place === 'required' ? '\\*' : ''}${brackets}`;
}

const textOf = (facts: Facts): string => Object.values(facts).filter(Boolean).join(', ');

const TYPES: Partial<Record<string, string>> = {
	number: 'number',
	json: 'JSON',
	boolean: 'boolean',
};

function factsOf({ file, byDefault, property }: Field): Facts {
	const { type, typeOptions = {}, description = '' } = property;
	const links = typeOptions.rows ? 'URLs' : 'URL';
	const whole = typeOptions.numberPrecision === 0 ? 'whole ' : '';
	const [bounds = ''] =
		/(?:At (?:most|least) \d+[^.]*|\d+ to \d+[^.]*(?:\.\d+)?)$/.exec(description) ?? [];
	return {
		values: choicesOf(property).map(valueText).join(', '),
		type: file ? (file.sent === 'upload' ? 'file' : links) : `${whole}${TYPES[type] ?? ''}`,
		bounds: bounds.replace(/^At most (\d+ characters)/, '$1').replace(/^A/, 'a'),
		byDefault:
			byDefault === undefined || byDefault === '' || type === 'boolean'
				? ''
				: `default \`${String(byDefault)}\``,
	};
}

const choicesOf = ({ options = [] }: Pick<INodeProperties, 'options'>) =>
	options.filter((option): option is INodePropertyOptions => 'value' in option);

const valueText = ({ value, description }: INodePropertyOptions) =>
	`\`${value}\`${description ? ` (${description})` : ''}`;

/** When a field applies: the form shows it only then. */
function conditionIn(when: When): string {
	const parts = Object.entries(when).map(([name, allowed]) => {
		if (allowed[0] === false) return `no \`${name}\``;
		if (allowed[0] === true) return `\`${name}\``;
		return `\`${name}\` is ${allowed.map((value) => `\`${String(value)}\``).join(' or ')}`;
	});
	return `_if_ ${parts.join(' and ')}`;
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
	no: 'No',
	yes: 'Yes, when its job was created; the service documents no refunds',
	unknown: 'Nobody can tell: the answer of the service was lost, or the job cannot be read',
};

/** What to do about a failed item: what its field `retry` says. */
const RETRY: Readonly<Record<Advice['retry'], string>> = {
	safe: 'Nothing was charged: run it again. If it fails in the same way, do first what the message says',
	correctFirst:
		'Nothing was charged: correct the values or the credential that the message names, then run it again',
	creditsFirst:
		'Nothing was charged: buy credits, or change the limit that the message names, then run it again',
	waitForJob:
		'Its job is paid for, or may be: read it by `jobId` with _Job > Wait for Completion_, which is free',
	lookFirst:
		'Look for its job in the history or on the website. Run it again only if it is not there: that may pay twice',
	paysAgain: 'Change what you order, or try again: that is a new job, and is paid for again',
};

/** The requests that read the status of jobs, by what the jobs were started with. */
function routeTexts(): string[] {
	const lines = JOB_ROUTES.flatMap(({ value, label, path }) =>
		typeof path === 'string' ? [`- \`${value}\` _${label}_: \`GET ${path}\``] : [],
	);
	return [
		'The item of a job has `details.startedWith`, which decides this. Where an item lacks it, choose _Started With_ in the form.',
		lines.join('\n'),
		`For all others, it is ${NOT_SAID}: the node reads the _Status Path_ in the credential, or [where it finds the job](credential.md#service-details).`,
	];
}

/** Where an operation sends its request, if it has one of its own. */
function requestText({ kind, method, path }: Operation): string {
	if (path === '' || kind === 'status') return '';
	if (typeof path === 'string') return `\`${method} ${path}\``;
	return `\`${method}\` to _${detailNamed(path.openPoint)?.label}_`;
}

/** The parameters of the trigger, and the lists in which it looks for jobs. */
function triggerTexts(): string[] {
	const [options = [], parameters = []] = [true, false].map((isCollection) =>
		triggerProperties().filter(({ type }) => (type === 'collection') === isCollection),
	);
	const inside = options.flatMap(({ options: fields = [] }) => fields as INodeProperties[]);
	const lists = JOB_LISTS.map(({ operation }) => requestText(operation));
	return [
		`Node type: \`${PACKAGE}.mediaGenTrigger\`. It reads ${lists.join(' and ')}.`,
		[
			...parameters.map((property) => parameterLine(property, '')),
			...inside.map((property) => parameterLine(property, ', in `options`')),
			'- `pollTimes`: n8n\'s own, such as `{ "item": [{ "mode": "everyMinute" }] }`',
		].join('\n'),
	];
}

/** The values of a dropdown, without what it says of them. */
const valuesIn = (property: Pick<INodeProperties, 'options'>) =>
	choicesOf(property)
		.map(({ value }) => `\`${value}\``)
		.join(', ');

function parameterLine(property: INodeProperties, where: string): string {
	const { name, displayName, type } = property;
	const values = valuesIn(property);
	const list = type === 'multiOptions' ? 'list of ' : '';
	const told = values ? `${list}${values}` : (TYPES[type] ?? 'text');
	return `- \`${name}\` _${displayName}_${where}: ${told}`;
}

function optionLine(field: Field): string {
	const facts = textOf({ ...factsOf(field), values: valuesIn(field.property) }) || 'text';
	return `- \`${field.name}\` _${field.label}_: ${facts}`;
}
