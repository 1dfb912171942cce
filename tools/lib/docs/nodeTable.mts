import { readFileSync } from 'node:fs';

import {
	ACCOUNT_CATALOG,
	IMAGE_CATALOG,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from '../../../nodes/shared/spec/catalogs.ts';
import type { Catalog, CreateOperation, Operation } from '../../../nodes/shared/spec/operation.ts';

/** A node, with the names that people and workflows use. */
export interface DocumentedNode {
	label: string;
	/** The part of a node's `type` after the name of the package. */
	name: string;
	catalog: Catalog;
}

export const NODES: readonly DocumentedNode[] = [
	{ label: 'MediaGen Image', name: 'mediaGenImage', catalog: IMAGE_CATALOG },
	{ label: 'MediaGen Video', name: 'mediaGenVideo', catalog: VIDEO_CATALOG },
	{ label: 'MediaGen Music', name: 'mediaGenMusic', catalog: MUSIC_CATALOG },
	{ label: 'MediaGen Account', name: 'mediaGenAccount', catalog: ACCOUNT_CATALOG },
];

export const TRIGGER_NODE = { label: 'MediaGen Trigger', name: 'mediaGenTrigger' };

const PACKAGE = (JSON.parse(readFileSync('package.json', 'utf8')) as { name: string }).name;

/** The `type` of a node in the JSON of a workflow. */
export const typeOf = ({ name }: Pick<DocumentedNode, 'name'>) => `${PACKAGE}.${name}`;

export const isCreation = (operation: Operation): operation is CreateOperation =>
	operation.kind === 'create';

/** What the form calls a resource. */
export const resourceLabel = ({ resources }: Catalog, { resource }: Operation): string =>
	resources.find(({ value }) => value === resource)?.label ?? resource;
