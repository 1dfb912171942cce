import { ACCOUNT_OPERATIONS, API_KEY, CREDITS, PROFILE, SESSION } from './account';
import { GENERATE_IMAGE, GENERATE_IMAGE_UNIFIED, IMAGE_RESOURCE } from './images';
import { GET_JOB, WAIT_FOR_JOB } from './jobRoutes';
import { JOB_HISTORY, JOB_RESOURCE } from './jobs';
import { LIST_IMAGE_MODELS, LIST_VIDEO_MODELS, MODEL_RESOURCE } from './models';
import { GET_CATALOG, RUN_ANY } from './music/catalog';
import { MUSIC_OPERATIONS } from './music/operations';
import { MUSIC_RESOURCES } from './music/resources';
import { estimatePrice, PRICE } from './priceEstimate';
import { RECOVER_JOBS } from './recovery';
import type { Catalog } from './types';
import { VIDEO_FAMILIES } from './video/families';
import { operationsOf } from './video/operationsOf';

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
	operations: [...MUSIC_OPERATIONS, GET_CATALOG, RUN_ANY, GET_JOB, WAIT_FOR_JOB, RECOVER_JOBS],
};

/** Where jobs are made. */
const MEDIA_CATALOGS: readonly Catalog[] = [IMAGE_CATALOG, VIDEO_CATALOG, MUSIC_CATALOG];

/** What MediaGen Account offers. */
export const ACCOUNT_CATALOG: Catalog = {
	resources: [PROFILE, CREDITS, API_KEY, PRICE, SESSION],
	operations: [...ACCOUNT_OPERATIONS, estimatePrice(MEDIA_CATALOGS)],
};

/** Everything the package offers. */
export const CATALOGS: readonly Catalog[] = [...MEDIA_CATALOGS, ACCOUNT_CATALOG];
