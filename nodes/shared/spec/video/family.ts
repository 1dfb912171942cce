import { capitalized } from '../conditions';
import {
	area,
	choice,
	type Field,
	more,
	type Option,
	payload,
	required,
	text,
	toggle,
} from '../field';
import { links } from '../file';
import type { CreateOperation, Operation, Price, Resource, StatusRoute } from '../operation';

/** A path that the document does not show: the credential has a setting for it. */
interface OpenPath {
	/** Names its row of the open points and its setting. Stored in credentials, so it never changes. */
	openPoint: string;
	/** What the path is for, in the words of the credential and the reference. */
	of: string;
}

/** Whether the document leaves a path open. */
export function isOpen(path: string | object): path is OpenPath {
	return typeof path !== 'string' && 'openPoint' in path;
}

/** One operation of a family, without what all its operations share. */
type Creation = Omit<
	CreateOperation,
	'kind' | 'resource' | 'method' | 'mediaType' | 'status' | 'path' | 'description'
> & {
	path: string | OpenPath;
	/** The action where absent. */
	description?: string;
};

/** Everything that the package has to know about a model family; see `docs/maintainers/addAFamily.md`. */
export interface VideoFamily {
	/** Its value is stored in workflows, so it never changes. */
	resource: Resource;
	/** What actions call the family, where its label is too long for the name of a node. */
	short?: string;
	/** Where the state of its jobs is read. */
	status: StatusRoute | OpenPath;
	/** In the order of the dropdown. */
	creations: readonly Creation[];
	/** What it offers besides creating jobs and reading their state. */
	others?: readonly Operation[];
}

/** All operations of a family, in the order of the dropdown. */
export function operationsOf(family: VideoFamily): readonly Operation[] {
	const { resource, short = resource.label, status, creations, others = [] } = family;
	return [
		...creations.map(
			(creation): CreateOperation => ({
				description: creation.action,
				...creation,
				kind: 'create',
				resource: resource.value,
				action: `${creation.action} (${short})`,
				method: 'POST',
				mediaType: 'video',
				status: isOpen(status) ? status : { route: status },
			}),
		),
		...others,
	];
}

/** For a family without modes: images are used if they are given. */
export const GENERATE = {
	operation: 'generate',
	label: 'Generate',
	action: 'Generate a video',
	description: 'Generate a video from text or images',
};
export const TEXT_TO_VIDEO = {
	operation: 'textToVideo',
	label: 'Text to Video',
	action: 'Generate a video from text',
};
export const IMAGE_TO_VIDEO = {
	operation: 'imageToVideo',
	label: 'Image to Video',
	action: 'Generate a video from images',
};
export const VIDEO_TO_VIDEO = {
	operation: 'videoToVideo',
	label: 'Video to Video',
	action: 'Generate a video from a video',
};

/** Fields that several model families have, some of them under different names. */

export const PROMPT = required(
	area('prompt', 'Prompt', {
		placeholder: 'A paper boat drifts down a rainy street, camera close to the water',
		description: 'What happens in the video',
	}),
);

/** The whole request, where the document shows none of its fields. */
export const REQUEST_FIELDS = required(
	payload('payload', 'Request Fields', {
		description:
			'All fields of the request, with the names that the service has for them; it does not document them',
	}),
);

/** Watermark text of standard video and family A (section "Limits"). */
export const watermark = (name: string) =>
	more(
		text(name, 'Watermark Text', {
			max: 50,
			placeholder: '© Example Studio',
			description: 'Text to show in the video',
		}),
	);

/** The models of standard video and family A. */
export const MODELS_A = [
	{ value: 'modelA_fast', label: 'Fast (modelA_fast)' },
	{ value: 'modelA', label: 'Quality (modelA)' },
];

export const LANDSCAPE = { value: '16:9', label: '16:9 (Landscape)' };
export const PORTRAIT = { value: '9:16', label: '9:16 (Portrait)' };

/** Width to height, under the name that the family has for it. */
export const ratio = (name: string, ...values: Array<Option<string>>) =>
	choice(name, 'Aspect Ratio', values, { description: 'Width to height' });

/** A choice of lengths, in seconds. */
export const lengths = (...values: string[]) =>
	choice(
		'duration',
		'Duration (Seconds)',
		values.map((value) => ({ value, label: `${value} s` })),
		{ description: 'Length of the video' },
	);

/** Options whose labels are their values, capitalized. */
export const named = (...values: string[]) =>
	values.map((value) => ({ value, label: capitalized(value) }));

/** Native audio, under the name that the family has for it. */
export const sound = (name: string, words: { byDefault?: boolean } = {}) =>
	toggle(name, 'Sound', { description: 'Whether the video has sound', ...words });

/** The size of the picture by its lines, such as `720p`. */
export const resolution = (...values: string[]) =>
	choice('resolution', 'Resolution', values, { description: 'Size of the picture' });

/** What an image is for, wherever images are given. */
export const TO_MAKE_FROM = 'to make the video from';

export const images = (name: string, words: Parameters<typeof links>[3] = {}): Field =>
	links(name, 'Images', 'image', {
		place: 'optional',
		placeholder: 'data or https://example.com/first.png',
		description: `Images ${TO_MAKE_FROM}, if any`,
		...words,
	});

const OPTIN = 'prompt_directory_optin';

/** Publishes the prompt for a discount; always sent as the form has it, and off in a new node. */
export const optin = (words: { byDefault?: boolean } = {}) =>
	toggle(OPTIN, 'Publish in Prompt Directory', {
		start: false,
		description:
			'Whether the service may share prompt and video in its public directory, for a lower price',
		...words,
	});

/** @param from the least price that it lowers */
export const optinDiscount = (credits: number, from?: number) => ({
	when: { [OPTIN]: [true] },
	credits: -credits,
	...(from !== undefined && { from }),
});

/** A price that is certain only while the prompt is not published: by how much that lowers it is not shown. */
export const UNPUBLISHED: NonNullable<Price['exactWhen']> = { [OPTIN]: [false] };
