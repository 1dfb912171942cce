import type { VideoFamily } from './family';
import { STANDARD_VIDEO } from './standard';
import { VID_A31 } from './vidA31';
import { VID_B26, VID_B30 } from './vidB';
import { VID_C } from './vidC';
import { VID_D } from './vidD';
import { VID_E, VID_E26 } from './vidE';
import { VIDEO_STUDIO } from './videoStudio';

/**
 * The model families, in the order of the node's dropdown. Everything else follows from this list:
 * form, checks, prices, settings of the credential, routes of the sandbox, reference.
 */
export const VIDEO_FAMILIES: readonly VideoFamily[] = [
	STANDARD_VIDEO,
	VID_A31,
	VID_B30,
	VID_B26,
	VID_C,
	VID_D,
	VID_E26,
	VIDEO_STUDIO,
	// Last, since none of it works without a path that the document does not show.
	VID_E,
];
