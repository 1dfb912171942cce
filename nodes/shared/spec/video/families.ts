import type { CreateOperation, Resource, StatusSource } from '../types';

/** What tells the operations of one family apart. */
export interface Mode {
	/** n8n's operation. */
	operation: string;
	label: string;
	/** What the user wants to do, as in "Generate a video from text". */
	from: string;
	fixed?: CreateOperation['fixed'];
}

export const TEXT_TO_VIDEO = { operation: 'textToVideo', label: 'Text to Video', from: 'text' };
export const IMAGE_TO_VIDEO = {
	operation: 'imageToVideo',
	label: 'Image to Video',
	from: 'images',
};
export const VIDEO_TO_VIDEO = {
	operation: 'videoToVideo',
	label: 'Video to Video',
	from: 'a video',
};

/** A family without modes; whether images are used depends on whether they are given. */
export const GENERATE = { operation: 'generate', label: 'Generate', from: 'text or images' };

/** What all operations of a family have in common. */
export type Family = Pick<
	CreateOperation,
	'path' | 'fields' | 'price' | 'modelField' | 'result' | 'status' | 'typicalSeconds' | 'rules'
> & { resource: Resource };

/** The creations of a family, one for each of its modes. */
export function creationsOf({ resource, ...family }: Family, modes: readonly Mode[]) {
	return modes.map(
		({ operation, label, from, fixed }): CreateOperation => ({
			kind: 'create',
			resource: resource.value,
			operation,
			label,
			action: `Generate a video from ${from} with ${resource.label}`,
			description: `Make a video from ${from}`,
			method: 'POST',
			mediaType: 'video',
			...(fixed ? { fixed } : {}),
			...family,
		}),
	);
}

/** Status of a family whose route is not shown: a path set in the credential. */
export const openStatus = (openPoint: string): StatusSource => ({ openPoint });
