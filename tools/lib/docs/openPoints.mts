import type { IDataObject } from 'n8n-workflow';

import { SETTINGS_PLACE } from '../../../nodes/shared/form/names.ts';
import { optionLabel } from '../../../nodes/shared/run/readParameters.ts';
import {
	OPEN_POINTS,
	type ServiceDetail,
	STATUS_PATH,
} from '../../../nodes/shared/spec/openPoints.ts';
import type { Catalog, CreateOperation } from '../../../nodes/shared/spec/operation.ts';
import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { VirtualN8n } from '../../../test/support/virtualRun.mts';
import { exampleOf } from './example.mts';
import { GENERATED, table } from './markdown.mts';
import { isCreation, NODES, type DocumentedNode } from './nodeTable.mts';
import { OTHER_POINTS, pathText, type OtherPoint } from './openPointTexts.mts';
import { kindOf } from '../../../test/support/operations.mts';

/** The page about what the service's documentation leaves open, and what the package does about it. */
/** @param readiness what works at once; finding that out takes some seconds */
export async function openPoints(readiness = readinessTable): Promise<string> {
	return [
		'# What the service does not document',
		"The service's documentation leaves out some paths, request fields and answers. The nodes do not guess them: they look only in documented places, and believe only what is proven. You keep the ID of every job that you have paid for: if the node cannot wait for a job, it outputs that, with the reason in `notWaited`.",
		`If you know more, for example from the service's support, enter it in ${SETTINGS_PLACE}, or in an option of the node.`,
		GENERATED,
		'## What works at once',
		'What the next node gets with only the address and the key, without any other setting, depending on where your service reports the status of jobs whose own status path it does not document:',
		await readiness(),
		'_Job ID_: the job is not waited for, and `notWaited` says what was tried. _Needs a path_: an error before any request, until you enter its path. MediaGen Trigger needs nothing: it reads the two histories.',
		'The table is printed from runs against a simulated service, for each possible name of the identifier field. The first job of a resource finds out where the service reports its status, mostly with at most three failed requests in its first ten seconds; a hint says what was found, and later jobs are read there. What has failed is tried again after five minutes, and at once by _Job > Get Status_, _Job > Wait for Completion_ and _Retry execution_. What was found is forgotten when n8n restarts, and each worker finds out for itself. Entering the path removes the guesswork.',
		'## Paths',
		`Ask the service for these paths, and enter them in ${SETTINGS_PLACE}. The node fills in what is in braces. Where one family has another path than the others, add a row for that family.`,
		table(['What is not documented', 'Without the path', 'Setting', 'Looks like'], pathRows()),
		'## Answers, requests and prices',
		...OTHER_POINTS.map(pointText),
		'',
	].join('\n\n');
}

/** Families whose status is looked for in the same way share a row. */
function pathRows(): string[][] {
	const rows = new Map<string, string[]>();
	const settings: ServiceDetail[] = Object.values(OPEN_POINTS);
	for (const setting of settings.filter(({ example }) => example.startsWith('/'))) {
		const { open, policy } = pathText(setting);
		const shared = setting.family === undefined ? setting : STATUS_PATH;
		const { label, example } = shared;
		const key = setting.family === undefined ? label : policy;
		const [told, ...rest] = rows.get(key) ?? ['', policy, `_${label}_`, `\`${example}\``];
		rows.set(key, [told ? `${told}; ${open.replace('Status path of ', '')}` : open, ...rest]);
	}
	return [...rows.values()];
}

function pointText({ open, policy, field, credential, option }: OtherPoint): string {
	const settings = [
		...(field ? [`_${field.label}_ in ${SETTINGS_PLACE}, such as \`${field.example}\``] : []),
		...(credential ? [`_${credential}_ in the credential`] : []),
		...(option ? [`_${optionLabel(option)}_ of the node`] : []),
	];
	const change = settings.length > 0 ? [`To change it: ${settings.join(', or ')}.`] : [];
	return [`**${open}.**`, `${policy}.`, ...change].join(' ');
}

type Shapes = NonNullable<SandboxSettingsInput['shapes']>;

/** Where a service may report the status of jobs whose status path it does not document. */
const SERVICES: Record<string, Shapes> = {
	'Status of any generation': { served: 'general' },
	'Only the generation history': { served: 'history' },
	'Only the Video Studio history': { served: 'studio' },
	'A link in the answer': { served: 'none', creation: { link: 'field' } },
	'None of these': { served: 'none' },
};

/** The possible names of the identifier in an answer that is not documented. */
const IDENTIFIERS = ['generation_id', 'task_id', 'job_id', 'id'];

/** What each operation does with only an address and a key, found by running it against the sandbox. */
async function readinessTable(): Promise<string> {
	const rows: string[][] = [];
	for (const node of NODES) rows.push(...(await rowsOf(node)));
	return table(['Node', 'Resource', ...Object.keys(SERVICES)], rows);
}

/** Operations of a node that behave alike share a row. */
async function rowsOf({ label: node, catalog }: DocumentedNode): Promise<string[][]> {
	const rows = new Map<string, string[]>();
	for (const { label, value } of catalog.resources) {
		const own = catalog.operations.filter(isCreation).filter(({ resource }) => resource === value);
		const kinds = new Map<string, string[]>();
		for (const creation of own) {
			const cells: string[] = [];
			for (const shapes of Object.values(SERVICES))
				cells.push(await outcomeOf(catalog, creation, shapes));
			const kind = cells.join('\n');
			kinds.set(kind, [...(kinds.get(kind) ?? []), creation.label]);
		}
		for (const [kind, labels] of kinds) {
			const which = kinds.size > 1 ? ` > ${labels.join(', ')}` : '';
			rows.set(kind, [...(rows.get(kind) ?? []), `${label}${which}`]);
		}
	}
	return [...rows].map(([kind, labels]) => [node, labels.join(', '), ...kind.split('\n')]);
}

/** An operation needs a path only if its error says this. Any other error means that the example is wrong. */
const NOT_DOCUMENTED = 'is not documented by the service';

/** @throws Error if the outcome depends on the name of the identifier, or the example cannot be run */
async function outcomeOf(
	catalog: Catalog,
	operation: CreateOperation,
	shapes: Shapes,
): Promise<string> {
	/** What the next node gets. */
	const outcomes = new Set<string>();
	for (const idField of IDENTIFIERS) {
		const creation = { ...shapes.creation, idField };
		const settings = { shapes: { ...shapes, creation }, credits: { purchased: 10_000 } };
		const n8n = new VirtualN8n({ settings });
		const parameters = exampleOf(operation) as IDataObject;
		const { items, error } = await n8n.clock.run(
			n8n.execute({ items: [{}], parameters, kind: kindOf(catalog) }),
		);
		const { mediaUrl, status } = items[0]?.json ?? {};
		if (error && !error.message.includes(NOT_DOCUMENTED)) throw error;
		const given = mediaUrl && status === 'completed' ? 'Result' : 'Job ID';
		outcomes.add(error ? 'Needs a path' : given);
	}
	if (outcomes.size !== 1) throw new Error(`${operation.action}: ${[...outcomes].join(' or ')}`);
	return [...outcomes].join('');
}
