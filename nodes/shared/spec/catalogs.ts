import { ACCOUNT_OPERATIONS, API_KEY, CREDITS, PROFILE, SESSION } from './account';
import { GENERATE_IMAGE, GENERATE_IMAGE_UNIFIED, IMAGE_RESOURCE } from './images';
import { GET_JOB, JOB_HISTORY, JOB_RESOURCE, WAIT_FOR_JOB } from './jobs';
import { LIST_IMAGE_MODELS, LIST_VIDEO_MODELS, MODEL_RESOURCE } from './models';
import { GET_CATALOG, RUN_ANY } from './music/catalog';
import { MUSIC_JOB_OPERATIONS } from './music/jobs';
import { MUSIC_OPERATIONS } from './music/operations';
import { MUSIC_RESOURCES } from './music/resources';
import { estimatePrice, PRICE } from './priceEstimate';
import { RECOVER_JOBS } from './recovery';
import type { Catalog } from './types';
import { STANDARD_VIDEO, STANDARD_VIDEO_OPERATIONS } from './video/standard';
import { VID_A31, VID_A31_OPERATIONS } from './video/vidA31';
import { VID_B26, VID_B26_OPERATIONS, VID_B30, VID_B30_OPERATIONS } from './video/vidB';
import { VID_C, VID_C_OPERATIONS } from './video/vidC';
import { VID_D, VID_D_OPERATIONS } from './video/vidD';
import { VID_E, VID_E26, VID_E26_OPERATIONS, VID_E_OPERATIONS } from './video/vidE';
import { VIDEO_STUDIO, VIDEO_STUDIO_OPERATIONS } from './video/videoStudio';

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
	resources: [
		STANDARD_VIDEO,
		VID_A31,
		VID_B30,
		VID_B26,
		VID_C,
		VID_D,
		VID_E26,
		VID_E,
		VIDEO_STUDIO,
		JOB_RESOURCE,
		MODEL_RESOURCE,
	],
	operations: [
		...STANDARD_VIDEO_OPERATIONS,
		...VID_A31_OPERATIONS,
		...VID_B30_OPERATIONS,
		...VID_B26_OPERATIONS,
		...VID_C_OPERATIONS,
		...VID_D_OPERATIONS,
		...VID_E26_OPERATIONS,
		...VID_E_OPERATIONS,
		...VIDEO_STUDIO_OPERATIONS,
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
	operations: [...MUSIC_OPERATIONS, GET_CATALOG, RUN_ANY, ...MUSIC_JOB_OPERATIONS, RECOVER_JOBS],
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
