import { ACCOUNT_CATALOG } from './account';
import { IMAGE_CATALOG, LIST_VIDEO_MODELS, MODEL_RESOURCE } from './images';
import { GET_JOB, JOB_HISTORY, JOB_RESOURCE, RECOVER_JOBS, WAIT_FOR_JOB } from './jobs';
import { MUSIC_CATALOG, OTHER_OPERATION } from './music';
import type { Catalog, CreateOperation } from './operation';
import { VIDEO_FAMILIES } from './video/families';
import { operationsOf } from './video/family';

export { ACCOUNT_CATALOG, IMAGE_CATALOG, MUSIC_CATALOG };

/** What MediaGen Video offers, in the order of its dropdowns. */
export const VIDEO_CATALOG: Catalog = {
	resources: [...VIDEO_FAMILIES.map(({ resource }) => resource), JOB_RESOURCE, MODEL_RESOURCE],
	operations: [
		...VIDEO_FAMILIES.flatMap(operationsOf),
		GET_JOB,
		WAIT_FOR_JOB,
		JOB_HISTORY,
		RECOVER_JOBS,
		LIST_VIDEO_MODELS,
	],
};

/** Everything that the package offers. */
export const CATALOGS: readonly Catalog[] = [
	IMAGE_CATALOG,
	VIDEO_CATALOG,
	MUSIC_CATALOG,
	ACCOUNT_CATALOG,
];

const OPERATIONS = CATALOGS.flatMap(({ operations }) => operations);

/** The operation that creates such jobs, if there is one; `name` is its operation ID for one of *Other Operation*. */
export function creationNamed(resource: string, name: string): CreateOperation | undefined {
	const found = OPERATIONS.find((one) => one.resource === resource && one.operation === name);
	if (found?.kind === 'create') return found;
	return resource === OTHER_OPERATION.resource
		? { ...OTHER_OPERATION, operation: name }
		: undefined;
}

/** Names of all request fields. An answer may repeat such a field, with whatever the user entered. */
export const REQUEST_FIELDS: ReadonlySet<string> = new Set(
	OPERATIONS.flatMap(({ fields }) => fields).map(({ name }) => name),
);
