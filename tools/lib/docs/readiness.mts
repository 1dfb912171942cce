import { mediaTypesOf, JOB_TRIGGER } from '../../../nodes/shared/spec/catalogs.ts';
import { openPoint } from '../../../nodes/shared/spec/openPoints.ts';
import type { CreateOperation } from '../../../nodes/shared/spec/types.ts';
import { table } from './markdown.mts';
import { isCreation, NODES, TRIGGER_NODE, type DocumentedNode } from './nodeTable.mts';

/** What operations that start jobs do with an address and a key alone. */
const SITUATIONS = {
	works: 'Works at once',
	unwaited: 'Starts jobs, but may be unable to wait for them',
	path: 'Does nothing until you enter its path',
} as const;

/** What works with address and key alone, and what needs a path that the service does not document. */
export function readinessTable(): string {
	const head = ['Node', 'Resource', 'With only the address and the key', 'Settings'];
	const media = mediaTypesOf(JOB_TRIGGER).map((type) => `${type}s`);
	const watched = media.join(' and ').replace(/^./, (letter) => letter.toUpperCase());
	const trigger = [TRIGGER_NODE.label, watched, SITUATIONS.works, ''];
	return table(head, [...NODES.flatMap(rowsOf), trigger]);
}

/** One row for whatever is alike in a node. */
function rowsOf({ label: node, catalog: { resources, operations } }: DocumentedNode): string[][] {
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
