import type { Body } from '../service/bodies';
import { own } from '../spec/conditions';
import { GENERATION_STATUS, GENERATION_TYPE_FIELD, VIDEO_MODEL_FIELD } from '../spec/answers';
import type { MediaType } from '../spec/types';
import { textIn } from './readRecord';

/**
 * The type that a record tells: `video` is shown, that of images is not, and may be more than a word
 * (`text_to_image`, `image_to_video`): the last one counts. Without one, fields of videos tell.
 */
export function typeIn(record: Body): string | undefined {
	const told = textIn(record, [GENERATION_TYPE_FIELD])?.toLowerCase().slice(0, MAX_TYPE);
	if (told === undefined)
		return VIDEO_FIELDS.some((name) => own(record, name)) ? 'video' : undefined;
	const at = MEDIA_TYPES.map((type) => told.lastIndexOf(type));
	const last = Math.max(...at);
	return last < 0 ? told : MEDIA_TYPES[at.indexOf(last)];
}

/** Whether it is a type that we know by name. */
export const isMediaType = (type: string | undefined) =>
	(MEDIA_TYPES as ReadonlyArray<string | undefined>).includes(type);

/** Characters that are looked at. */
const MAX_TYPE = 100;

const MEDIA_TYPES = ['image', 'video', 'audio', 'text'] as const satisfies readonly MediaType[];

/** Of a completed video, and of any (section "Generation record"). */
const VIDEO_FIELDS = [...Object.values(GENERATION_STATUS.urlFields), VIDEO_MODEL_FIELD];
