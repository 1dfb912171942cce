import type { INodeProperties } from 'n8n-workflow';

import { propertyOf, waitingProperties } from '../../../nodes/shared/form/operation.ts';
import { OPTIONS as RUN_OPTIONS } from '../../../nodes/shared/form/options.ts';
import type { Advice } from '../../../nodes/shared/service/serviceError.ts';
import { JOB_ROUTES } from '../../../nodes/shared/spec/jobs.ts';
import { openPoint } from '../../../nodes/shared/spec/openPoints.ts';
import { JOB_TRIGGER, mediaTypesOf } from '../../../nodes/shared/spec/catalogs.ts';
import type { CreateOperation, Operation } from '../../../nodes/shared/spec/operation.ts';
import { inWords, priceInWords } from '../../../nodes/shared/spec/price.ts';
import { exampleOf } from './example.mts';
import { fieldList, sharedFields } from './fieldList.mts';
import { anchorOf, GENERATED, jsonBlock, table } from './markdown.mts';
import {
	isCreation,
	NODES,
	resourceLabel,
	TRIGGER_NODE,
	typeOf,
	type DocumentedNode,
} from './nodeTable.mts';

interface Documented {
	operation: Operation;
	resource: string;
	/** The unique title of its heading. */
	title: string;
	nodes: DocumentedNode[];
}

const SHARED = 'Jobs of any kind';
const ROUTES = 'Where the status of a job is read';
const OPTIONS = 'Options';
const NOT_SAID = 'not documented';
const FAILED_ITEMS = 'What a failed item says of money';

/** The reference of all operations as Markdown, from the spec tables. */
export function reference(): string {
	const all = documented();
	const shared = all.filter(({ nodes }) => nodes.length > 1);
	const sections = [
		...NODES.map((node) => ({
			title: node.label,
			type: [node],
			operations: all.filter(({ nodes }) => nodes.length === 1 && nodes[0] === node),
		})),
		{ title: SHARED, type: [...new Set(shared.flatMap(({ nodes }) => nodes))], operations: shared },
	];
	return [
		'# Reference',
		'Every operation with its request, its price and its parameters: their names in the JSON of a workflow, and in the form, where those differ. A request to a path such as _Path: Music Operation_ goes to the path that the credential has as that setting.',
		'_Always sent_: the form has a value for the field and sends it. _Optional_: sent only if you fill it in. _Additional_: optional, and in the collection `additionalFields`. _At times_: the remarks say when it is needed. What begins with _Whether_ is true or false; what has no other type is a text.',
		contents(sections.map(({ title }) => title)),
		GENERATED,
		...sections.flatMap(({ title, type, operations }) => [
			`## ${title}`,
			`Node type: ${type.map((node) => `\`${typeOf(node)}\``).join(', ')}`,
			...remarkTables(operations),
			...operationsTexts(operations),
		]),
		`### ${ROUTES}`,
		...routeTexts(),
		`## ${FAILED_ITEMS}`,
		...failureTexts(),
		`## ${OPTIONS}`,
		...optionTexts(),
		`## ${TRIGGER_NODE.label}`,
		`Node type: \`${typeOf(TRIGGER_NODE)}\``,
		...triggerTexts(),
		'',
	].join('\n\n');
}

const contents = (sections: readonly string[]): string =>
	[...sections, FAILED_ITEMS, OPTIONS, TRIGGER_NODE.label]
		.map((title) => `- ${linkTo(title)}`)
		.join('\n');

const linkTo = (title: string, text = title) => `[${text}](#${anchorOf(title)})`;

/** Each operation once, however many nodes have it. */
function documented(): Documented[] {
	const found = new Map<Operation, Documented>();
	for (const node of NODES) {
		for (const operation of node.catalog.operations) {
			const known = found.get(operation);
			const resource = resourceLabel(node.catalog, operation);
			const title = `${resource} > ${operation.label}`;
			if (known) known.nodes.push(node);
			else found.set(operation, { operation, resource, title, nodes: [node] });
		}
	}
	const all = [...found.values()];
	return all.map((one) => {
		const isOnly = all.filter(({ title }) => title === one.title).length === 1;
		return isOnly ? one : { ...one, title: `${one.title} (${one.nodes[0]!.label})` };
	});
}

/** Remarks on the values of dropdowns, once for all operations that have them. */
function remarkTables(operations: readonly Documented[]): string[] {
	const fields = operations.flatMap(({ operation: { controls = [], fields } }) => [
		...controls,
		...fields,
	]);
	const byOptions = new Map(fields.map((field) => [JSON.stringify(field.property.options), field]));
	return [...byOptions.values()].flatMap(({ name, label, property: { options = [] } }) => {
		const rows = options.flatMap((option) =>
			'value' in option && option.description ? [[`\`${option.value}\``, option.description]] : [],
		);
		return rows.length > 0 ? [table([`_${label}_, in \`${name}\``, 'Remarks'], rows)] : [];
	});
}

/** The operations of a section, preceded by the fields that several have in common, and followed by one example. */
function operationsTexts(documented: readonly Documented[]): string[] {
	const operations = documented.map(({ operation }) => operation);
	const shared = sharedFields(operations);
	const [first] = operations;
	return [
		...(shared.size > 0
			? [`Fields that several operations have:`, [...shared].map((text) => `- ${text}`).join('\n')]
			: []),
		...documented.flatMap((one) => operationTexts(one, shared)),
		`The parameters of a node with the first of these operations:`,
		jsonBlock(exampleOf(first!)),
	];
}

function operationTexts({ operation, title, nodes }: Documented, shared: Set<string>): string[] {
	const { description, resource, operation: name } = operation;
	const facts = [
		`\`${resource}\`, \`${name}\``,
		...(nodes.length > 1 ? [nodes.map(({ label }) => label).join(', ')] : []),
		operation.kind === 'status' ? `as ${linkTo(ROUTES)} says` : requestText(operation),
		...(isCreation(operation)
			? [priceInWords(operation) ?? `the price is ${NOT_SAID}`, ...typicalTimes(operation)]
			: []),
	];
	return [
		`### ${title}`,
		`${description}.`,
		[`- ${facts.join('; ')}`, ...fieldList(operation, shared)].join('\n'),
	];
}

/** How long its jobs typically take, where the service documents that. */
const typicalTimes = ({ takes = [], fields }: CreateOperation): string[] =>
	takes.map(([when, from, to]) =>
		[`Typical time: ${from} to ${to} s`, inWords(when, fields)].filter(Boolean).join(' for '),
	);

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
	return `\`${method}\` to _${openPoint(path.openPoint)?.label}_`;
}

export const TRIGGER_EXAMPLE = {
	events: JOB_TRIGGER.events.map(({ state }) => state),
	mediaType: mediaTypesOf(JOB_TRIGGER)[0],
	pollTimes: { item: [{ mode: 'everyMinute' }] },
};

/** The events that start a workflow, and the lists in which the trigger looks for them. */
function triggerTexts(): string[] {
	const { events, sources } = JOB_TRIGGER;
	const types = mediaTypesOf(JOB_TRIGGER).map((type) => `\`${type}\``);
	return [
		table(
			['Event', 'In `events`', 'Remarks'],
			events.map(({ state, label, description }) => [label, `\`${state}\``, description]),
		),
		`Media types, in \`mediaType\`: \`all\`, ${types.join(', ')}. The trigger reads these lists:`,
		table(
			['List', 'Request', 'Asked for one type as', 'State of a job that it leaves open'],
			sources.map(({ operation, route, typeField }) => [
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
	const [creation] = NODES.flatMap(({ catalog }) => catalog.operations).filter(isCreation);
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
