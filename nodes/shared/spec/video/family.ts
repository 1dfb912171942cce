import type { CreateOperation, Operation, Resource, StatusRoute } from '../types';

/** A path that the document does not show: the credential has a setting for it. */
export interface OpenPath {
	/** Name of the setting. Stored in people's credentials, so it never changes. */
	setting: string;
	/** What it is the path of, as the credential and the reference say it. */
	of: string;
}

/** Whether the document leaves a path open. */
export function isOpen(path: string | object): path is OpenPath {
	return typeof path !== 'string' && 'setting' in path;
}

/** A setting and the row of the open points that it comes from have one name. */
export function pathOf(path: string | OpenPath): Operation['path'] {
	return typeof path === 'string' ? path : { openPoint: path.setting };
}

/** One operation of the node. */
export interface Mode {
	/** n8n's operation. Stored in workflows, so it never changes. */
	operation: string;
	label: string;
	/** The action, before the name of the family; becomes the node's name on the canvas. */
	action: string;
	/** What the video is made from. */
	from: string;
	/** Values that are sent with it, such as the mode of an endpoint that has several. */
	fixed?: CreateOperation['fixed'];
}

export const TEXT_TO_VIDEO: Mode = {
	operation: 'textToVideo',
	label: 'Text to Video',
	action: 'Text to video',
	from: 'text',
};
export const IMAGE_TO_VIDEO: Mode = {
	operation: 'imageToVideo',
	label: 'Image to Video',
	action: 'Image to video',
	from: 'images',
};
export const VIDEO_TO_VIDEO: Mode = {
	operation: 'videoToVideo',
	label: 'Video to Video',
	action: 'Video to video',
	from: 'a video',
};

/** A family without modes; whether images are used depends on whether they are given. */
export const GENERATE: Mode = {
	operation: 'generate',
	label: 'Generate',
	action: 'Generate a video',
	from: 'text or images',
};

/** One way to start jobs of a family. */
export type Creation = Pick<
	CreateOperation,
	'fields' | 'rules' | 'price' | 'modelField' | 'result' | 'typicalSeconds'
> & {
	path: string | OpenPath;
	/** Operations that send this request, in the order of the dropdown. */
	modes: readonly Mode[];
};

/** All that the package has to know about a model family; `docs/maintainers/addAFamily.md` shows one. */
export interface VideoFamily {
	/** Its value is stored in workflows, so it never changes. */
	resource: Resource;
	/** The family in the actions, where its label is too long for the name of a node. */
	short?: string;
	/** Where the state of its jobs is read. */
	status: StatusRoute | OpenPath;
	creations: readonly Creation[];
	/** What it offers besides creating jobs and reading their state. */
	more?: readonly Operation[];
}
