import type { IDataObject } from 'n8n-workflow';

import type { Catalog, CreateOperation } from '../../../nodes/shared/spec/types.ts';
import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { VirtualN8n } from '../../../test/support/virtualRun.mts';
import { exampleOf } from './example.mts';
import { table } from './markdown.mts';
import { isCreation, NODES, type DocumentedNode } from './nodeTable.mts';

type Shapes = NonNullable<SandboxSettingsInput['shapes']>;

/** Where a service may tell the status of the jobs whose status path it does not document. */
const SERVICES: Record<string, Shapes> = {
	'Status of any generation': { served: 'general' },
	'Only the generation history': { served: 'history' },
	'Only the Video Studio history': { served: 'studio' },
	'A link in the answer': { served: 'none', creation: { link: 'field' } },
	'None of these': { served: 'none' },
};

/** Names under which an answer that is not documented may have the identifier. */
const IDENTIFIERS = ['generation_id', 'task_id', 'job_id', 'id'];

/** What the next node gets. */
const OUTCOMES = {
	result: 'Result',
	unwaited: 'Job ID',
	nothing: 'Needs a path',
} as const;

/** What each operation does with an address and a key alone, as a run of it against the sandbox shows. */
export async function readinessTable(): Promise<string> {
	return await (made ??= makeTable());
}

let made: Promise<string> | undefined;

async function makeTable(): Promise<string> {
	const rows: string[][] = [];
	for (const node of NODES) rows.push(...(await rowsOf(node)));
	return table(['Node', 'Resource', ...Object.keys(SERVICES)], rows);
}

/** One row for whatever is alike in a node. */
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

/** Only then is an operation one that needs a path: of other errors, the example is at fault. */
const NOT_DOCUMENTED = 'is not documented by the service';

/** @throws Error where it differs by the name of the identifier, or the example cannot be run */
async function outcomeOf(
	catalog: Catalog,
	operation: CreateOperation,
	shapes: Shapes,
): Promise<string> {
	const outcomes = new Set<string>();
	for (const idField of IDENTIFIERS) {
		const creation = { ...shapes.creation, idField };
		const settings = { shapes: { ...shapes, creation }, credits: { purchased: 10_000 } };
		const n8n = new VirtualN8n({ settings });
		const parameters = exampleOf(operation) as IDataObject;
		const { items, error } = await n8n.clock.run(n8n.execute({ items: [{}], parameters, catalog }));
		const { mediaUrl, status } = items[0]?.json ?? {};
		if (error && !error.message.includes(NOT_DOCUMENTED)) throw error;
		outcomes.add(
			error
				? OUTCOMES.nothing
				: mediaUrl && status === 'completed'
					? OUTCOMES.result
					: OUTCOMES.unwaited,
		);
	}
	if (outcomes.size !== 1) throw new Error(`${operation.action}: ${[...outcomes].join(' or ')}`);
	return [...outcomes].join('');
}
