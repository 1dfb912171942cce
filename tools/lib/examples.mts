import fs from 'node:fs';
import path from 'node:path';

import type { Workflow } from './n8nClient.mts';

/** The folder of the workflows for users to import, relative to the repository's root. */
export const FOLDER = 'examples';

/** The order in which they are shown: what a person should try first comes first. Others follow by name. */
export const ORDER = [
	'imageFromPrompt',
	'formToPicture',
	'variationsAndChoice',
	'approveInSlack',
	'telegramToVideo',
	'blogToWordpress',
	'blogToVideo',
	'productVideo',
	'driveToVideos',
	'adInThreeRatios',
	'joinClips',
	'songToVideo',
	'songToYoutube',
	'stemsToMidi',
	'customVoice',
	'agentWithTools',
	'agentAsksFirst',
	'rssToLinkedin',
	'scheduledBatch',
	'overnightBatch',
	'queueInATable',
	'collectVideos',
	'visibleLoop',
	'errorsByKind',
	'tellWhenFailed',
	'watchBalance',
];

export type Example = ReturnType<typeof readExample>;

export function readExamples(): Example[] {
	const names = fs
		.readdirSync(FOLDER)
		.filter((file) => file.endsWith('.json'))
		.map((file) => path.basename(file, '.json'));
	const listed = ORDER.filter((name) => names.includes(name));
	const others = names.filter((name) => !ORDER.includes(name)).sort();
	return [...listed, ...others].map(readExample);
}

/** @param name of its file, without the extension */
export function readExample(name: string) {
	/** Relative to the repository's root, with slashes. */
	const file = path.posix.join(FOLDER, `${name}.json`);
	const workflow: Workflow = JSON.parse(fs.readFileSync(file, 'utf8'));
	return { name, file, workflow };
}

/** The folder of the documentation's pictures, relative to the repository's root. */
export const IMAGES = 'docs/images';

/** Each picture exists in both themes. */
export const THEMES = ['light', 'dark'] as const;

/** The file of a picture, relative to the repository's root, with slashes. */
export function fileOf(name: string, theme: (typeof THEMES)[number]) {
	return `${IMAGES}/${name}${theme === 'dark' ? '-dark' : ''}.png`;
}

export function pictureOf(example: string) {
	return `examples/${example}`;
}
