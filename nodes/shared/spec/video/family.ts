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

/** One operation of the node. */
export interface Mode {
	/** n8n's operation. Stored in workflows, so it never changes. */
	operation: string;
	label: string;
	/** What the user wants to do, as in "Generate a video from text". */
	from: string;
	/** Values that are sent with it, such as the mode of an endpoint that has several. */
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

/** One way to start jobs of a family. */
export type Creation = Pick<
	CreateOperation,
	'fields' | 'rules' | 'price' | 'modelField' | 'result' | 'typicalSeconds'
> & {
	path: string | OpenPath;
	/** Operations that send this request, in the order of the dropdown. */
	modes: readonly Mode[];
};

/** All that the package has to know about a model family; `docs/addAFamily.md` shows one. */
export interface VideoFamily {
	/** Its value is stored in workflows, so it never changes. */
	resource: Resource;
	/** Where the state of its jobs is read. */
	status: StatusRoute | OpenPath;
	creations: readonly Creation[];
	/** What it offers besides creating jobs and reading their state. */
	more?: readonly Operation[];
}
