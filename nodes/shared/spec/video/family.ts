import { area, choice, shownValue, text, toggle } from '../fields';
import type {
	Adjustment,
	CreateOperation,
	Field,
	Operation,
	Option,
	Resource,
	StatusRoute,
} from '../types';

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

/** One operation of the node. */
interface Mode {
	/** n8n's operation. Stored in workflows, so it never changes. */
	operation: string;
	label: string;
	/** The action, without the name of the family, which is added; becomes the node's name on the canvas. */
	action: string;
	/** The action where absent. */
	description?: string;
	/** Values that are sent with it, such as the mode of an endpoint that has several. */
	fixed?: CreateOperation['fixed'];
	/** Fields that this mode alone has. */
	fields?: readonly Field[];
}

export const TEXT_TO_VIDEO: Mode = {
	operation: 'textToVideo',
	label: 'Text to Video',
	action: 'Generate a video from text',
};
export const IMAGE_TO_VIDEO: Mode = {
	operation: 'imageToVideo',
	label: 'Image to Video',
	action: 'Generate a video from images',
};
export const VIDEO_TO_VIDEO: Mode = {
	operation: 'videoToVideo',
	label: 'Video to Video',
	action: 'Generate a video from a video',
};

/** For a family without modes: images are used if they are given. */
export const GENERATE: Mode = {
	operation: 'generate',
	label: 'Generate',
	action: 'Generate a video',
	description: 'Generate a video from text or images',
};

/** One way to start jobs of a family. */
type Creation = Pick<
	CreateOperation,
	'fields' | 'rules' | 'price' | 'modelField' | 'result' | 'typicalSeconds'
> & {
	path: string | OpenPath;
	/** Operations that send this request, in the order of the dropdown. */
	modes: readonly Mode[];
};

/** Everything that the package has to know about a model family; see `docs/maintainers/addAFamily.md`. */
export interface VideoFamily {
	/** Its value is stored in workflows, so it never changes. */
	resource: Resource;
	/** What actions call the family, where its label is too long for the name of a node. */
	short?: string;
	/** Where the state of its jobs is read. */
	status: StatusRoute | OpenPath;
	creations: readonly Creation[];
	/** What it offers besides creating jobs and reading their state. */
	more?: readonly Operation[];
}

/** All operations of a family, in the order of the dropdown. */
export function operationsOf(family: VideoFamily): readonly Operation[] {
	return [
		...family.creations.flatMap((creation) => creationsOf(family, creation)),
		...(family.more ?? []),
	];
}

/** The creations that send one request, one for each of its modes. */
function creationsOf(
	{ resource, short = resource.label, status }: VideoFamily,
	{ modes, fields, ...request }: Creation,
): CreateOperation[] {
	return modes.map(({ action, fields: own = [], ...mode }) => ({
		kind: 'create',
		resource: resource.value,
		description: action,
		...mode,
		action: `${action} (${short})`,
		method: 'POST',
		mediaType: 'video',
		...request,
		fields: [...own, ...fields],
		status: isOpen(status) ? status : { route: status },
	}));
}

/** Fields that several model families have, some of them under different names. */

export const PROMPT = area('prompt', 'Prompt', {
	presence: 'required',
	placeholder: 'A paper boat drifts down a rainy street, camera close to the water',
	description: 'What happens in the video',
});

/** The whole request, where the document shows none of its fields. */
export const REQUEST_FIELDS: Field = {
	name: 'payload',
	label: 'Request Fields',
	type: 'fields',
	presence: 'required',
	description:
		'All fields of the request, with the names that the service has for them; it does not document them',
};

/** Watermark text of standard video and family A (section "Limits"). */
export const watermark = (name: string) =>
	text(name, 'Watermark Text', {
		maxLength: 50,
		placeholder: '© Example Studio',
		description: 'Text to show in the video',
	});

/** The models of standard video and family A. */
export const MODELS_A: readonly Option[] = [
	{ value: 'modelA_fast', label: 'Fast (modelA_fast)' },
	{ value: 'modelA', label: 'Quality (modelA)' },
];

/** Ratios of width to height that several families have. */
export const RATIOS: readonly Option[] = [
	{ value: '16:9', label: '16:9 (Landscape)' },
	{ value: '9:16', label: '9:16 (Portrait)' },
];

/** Width to height, under the name that the family has for it. */
export const ratio = (
	name: string,
	values: ReadonlyArray<string | Option>,
	more: Partial<Field> = {},
): Field => choice(name, 'Aspect Ratio', values, { description: 'Width to height', ...more });

/** The same where the document shows one ratio, and there may be others. */
export const shownRatio = (name: string): Field =>
	shownValue(name, 'Aspect Ratio', '16:9', { description: 'Width to height' });

/** A choice of lengths, in seconds. */
export const lengths = (...values: string[]): Field =>
	choice(
		'duration',
		'Duration (Seconds)',
		values.map((value) => ({ value, label: `${value} s` })),
		{ description: 'Length of the video' },
	);

/** Options whose labels are their values, capitalized. */
export const named = (...values: string[]): Option[] =>
	values.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }));

/** Native audio, under the name that the family has for it. */
export const sound = (name: string, more: Partial<Field> = {}): Field =>
	toggle(name, 'Sound', {
		description: 'Whether the video has sound',
		...more,
	});

/** The size of the picture by its lines, such as `720p`. */
export const resolution = (...values: string[]): Field =>
	choice('resolution', 'Resolution', values, { description: 'Size of the picture' });

/** What an image is for, wherever images are given. */
export const TO_MAKE_FROM = 'to make the video from';

export const imageUrls = (name: string, more: Partial<Field> = {}): Field => ({
	name,
	label: 'Images',
	type: 'urlList',
	presence: 'optional',
	media: 'image',
	upFront: true,
	placeholder: 'data or https://example.com/first.png',
	description: `Images ${TO_MAKE_FROM}${more.presence === 'required' ? '' : ', if any'}`,
	...more,
});

const DIRECTORY_OPTIN = 'prompt_directory_optin';

/** Publishes the prompt for a discount; up front, so that it is always sent as the form has it. */
export const directoryOptin = (more: Partial<Field> = {}): Field =>
	toggle(DIRECTORY_OPTIN, 'Publish in Prompt Directory', {
		upFront: true,
		start: false,
		description:
			'Whether the service may share prompt and video in its public directory, for a lower price',
		...more,
	});

/** @param credits how many it saves; `null` where the document does not say */
export const optinDiscount = (credits: number | null, from?: number): Adjustment => ({
	when: { [DIRECTORY_OPTIN]: [true] },
	credits,
	...(from === undefined ? {} : { from }),
});
