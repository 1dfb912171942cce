import { capitalized } from '../values';
import { area, choice, type Field, payload, required, text, toggle } from '../field';
import { links } from '../file';
import type { CreateOperation, JobRoute, Operation, Resource } from '../operation';

/** One operation of a family, without what all its operations share. */
type Creation = Omit<CreateOperation, 'kind' | 'resource' | 'method' | 'mediaType' | 'status'>;

/** Everything that the package has to know about a model family; see `docs/maintainers/addAFamily.md`. */
export interface VideoFamily {
	/** Its value is stored in workflows, so it never changes. */
	resource: Resource;
	/** What actions call the family, where its label is too long for the name of a node. */
	short?: string;
	/** How the state of its jobs is read; absent where that is not shown: the credential then has a setting for it. */
	status?: Partial<JobRoute>;
	/** In the order of the dropdown. */
	creations: readonly Creation[];
	/** What it offers besides creating jobs and reading their state. */
	others?: readonly Operation[];
}

/** How the state of a family's jobs is read. */
export const routeOf = ({ resource: { value, label }, status }: VideoFamily): JobRoute => ({
	value,
	label,
	path: { openPoint: `${value}StatusPath` },
	mediaTypes: ['video'],
	...status,
});

/** All operations of a family, in the order of the dropdown. */
export function operationsOf(family: VideoFamily): readonly Operation[] {
	const { resource, short = resource.label, creations, others = [] } = family;
	const created = creations.map(
		(creation): CreateOperation => ({
			...creation,
			kind: 'create',
			resource: resource.value,
			action: `${creation.action} (${short})`,
			method: 'POST',
			mediaType: 'video',
			status: routeOf(family),
		}),
	);
	return [...created, ...others];
}

/** An operation of a family: its name in workflows, its label, and what it does, as the name of a node and in a sentence. */
export const mode = (operation: string, label: string, action: string, description = action) => ({
	operation,
	label,
	action,
	description,
});

/** Operations that several families have; in the first, images are used if they are given. */
export const GENERATE = mode(
	'generate',
	'Generate',
	'Generate a video',
	'Generate a video from text or images',
);
export const TEXT_TO_VIDEO = mode('textToVideo', 'Text to Video', 'Generate a video from text');
export const IMAGE_TO_VIDEO = mode(
	'imageToVideo',
	'Image to Video',
	'Generate a video from images',
);
export const VIDEO_TO_VIDEO = mode(
	'videoToVideo',
	'Video to Video',
	'Generate a video from a video',
);

/** Fields that several model families have, some of them under different names. */

export const PROMPT = required(
	area('prompt', 'Prompt', 'What happens in the video', {
		placeholder: 'A paper boat drifts down a rainy street, camera close to the water',
	}),
);

/** The whole request, where the document shows none of its fields. */
export const WHOLE_REQUEST = required(
	payload(
		'payload',
		'Request Fields',
		'All fields of the request, with the names that the service has for them; it does not document them',
	),
);

/** Watermark text of standard video and family A (section "Limits"). */
export const watermark = (name: string) =>
	text(name, 'Watermark Text', 'Text to show in the video', {
		max: 50,
		placeholder: '© Example Studio',
	});

/** The models of standard video and family A. */
export const MODELS_A = { modelA_fast: 'Fast (modelA_fast)', modelA: 'Quality (modelA)' };

const SHAPES: Readonly<Record<string, string>> = {
	'16:9': '16:9 (Landscape)',
	'9:16': '9:16 (Portrait)',
	'1:1': '1:1 (Square)',
};

/** Width to height, under the name that the family has for it. */
export const ratio = (name: string, ...values: string[]) =>
	choice(name, 'Aspect Ratio', 'Width to height', named(values));

/** Choices whose labels are their values, capitalized; those of a ratio name its shape. */
export const named = (values: readonly string[]) =>
	Object.fromEntries(values.map((value) => [value, SHAPES[value] ?? capitalized(value)]));

/** A choice of lengths, in seconds. */
export const lengths = (...values: string[]) =>
	choice(
		'duration',
		'Duration (Seconds)',
		'Length of the video',
		Object.fromEntries(values.map((value) => [value, `${value} s`])),
	);

/** Native audio, under the name that the family has for it. */
export const sound = (name: string, words: { byDefault?: boolean } = {}) =>
	toggle(name, 'Sound', 'Whether the video has sound', words);

/** The size of the picture by its lines, such as `720p`. */
export const resolution = (...values: string[]) =>
	choice('resolution', 'Resolution', 'Size of the picture', values);

export const images = (
	name: string,
	description = 'Images to make the video from, if any',
	words: Parameters<typeof links>[4] = {},
): Field =>
	links(name, 'Images', description, 'image', {
		placeholder: 'data or https://example.com/first.png',
		...words,
	});

/** Publishes the prompt for a discount; always sent as the form has it, and off in a new node. */
export const optin = (words: { byDefault?: boolean } = {}) =>
	toggle(
		'prompt_directory_optin',
		'Publish in Prompt Directory',
		'Whether the service may share prompt and video in its public directory, for a lower price',
		{ start: false, ...words },
	);

export const OPTIN_DISCOUNT = { when: { prompt_directory_optin: [true] }, credits: -10 };
