import { ACCOUNT_OPERATIONS, API_KEY, CREDITS, PROFILE, SESSION } from './account';
import {
	GENERATE_IMAGE,
	GENERATE_IMAGE_UNIFIED,
	IMAGE_RESOURCE,
	LIST_IMAGE_MODELS,
	LIST_VIDEO_MODELS,
	MODEL_RESOURCE,
} from './images';
import { GET_JOB, JOB_HISTORY, JOB_RESOURCE, RECOVER_JOBS, WAIT_FOR_JOB } from './jobs';
import { GET_CATALOG, MUSIC_RESOURCES } from './music/catalog';
import { MUSIC_OPERATIONS, OTHER_OPERATION } from './music/operations';
import type { Catalog, CreateOperation } from './operation';
import { VIDEO_FAMILIES } from './video/families';
import { operationsOf } from './video/family';

/** What MediaGen Image offers, in the order of its dropdowns. */
export const IMAGE_CATALOG: Catalog = {
	resources: [IMAGE_RESOURCE, JOB_RESOURCE, MODEL_RESOURCE],
	operations: [
		GENERATE_IMAGE,
		GENERATE_IMAGE_UNIFIED,
		GET_JOB,
		WAIT_FOR_JOB,
		JOB_HISTORY,
		RECOVER_JOBS,
		LIST_IMAGE_MODELS,
	],
};

/** What MediaGen Video offers. */
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

/** What MediaGen Music offers. */
export const MUSIC_CATALOG: Catalog = {
	resources: MUSIC_RESOURCES,
	operations: [
		...MUSIC_OPERATIONS,
		GET_CATALOG,
		OTHER_OPERATION,
		GET_JOB,
		WAIT_FOR_JOB,
		RECOVER_JOBS,
	],
};

/** The catalogs of the nodes that create jobs. */
const MEDIA_CATALOGS: readonly Catalog[] = [IMAGE_CATALOG, VIDEO_CATALOG, MUSIC_CATALOG];

/** What MediaGen Account offers. */
export const ACCOUNT_CATALOG: Catalog = {
	resources: [PROFILE, CREDITS, API_KEY, SESSION],
	operations: ACCOUNT_OPERATIONS,
};

/** Everything the package offers. */
export const CATALOGS: readonly Catalog[] = [...MEDIA_CATALOGS, ACCOUNT_CATALOG];

/**
 * The operation that creates such jobs, if there is one; `name` is its operation ID for one of *Other Operation*.
 */
export function creationNamed(resource: string, name: string): CreateOperation | undefined {
	const found = CATALOGS.flatMap(({ operations }) => operations).find(
		(one) => one.resource === resource && one.operation === name,
	);
	if (found?.kind === 'create') return found;
	return resource === OTHER_OPERATION.resource
		? { ...OTHER_OPERATION, operation: name }
		: undefined;
}

/** Names of all request fields. An answer may repeat such a field, with whatever the user entered. */
export const REQUEST_FIELDS: ReadonlySet<string> = new Set(
	CATALOGS.flatMap(({ operations }) => operations)
		.flatMap(({ fields }) => fields)
		.map(({ name }) => name),
);
