import fs from 'node:fs';
import path from 'node:path';

/** Where the workflows are that users import, seen from the repository's root. */
export const FOLDER = 'examples';

/** In the order in which they are shown: what a person tries first comes first. The rest follows by name. */
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
	'collectVideos',
	'visibleLoop',
	'errorsByKind',
	'tellWhenFailed',
	'watchBalance',
];

/**
 * A workflow that users import.
 *
 * @typedef {object} Example
 * @property {string} name Of its file, without the ending.
 * @property {string} file Seen from the repository's root, with slashes.
 * @property {import('./n8nClient.mjs').Workflow} workflow
 */

/** @returns {Example[]} All of them, in order. */
export function readExamples() {
	const names = fs
		.readdirSync(FOLDER)
		.filter((file) => file.endsWith('.json'))
		.map((file) => path.basename(file, '.json'));
	const listed = ORDER.filter((name) => names.includes(name));
	const others = names.filter((name) => !ORDER.includes(name)).sort();
	return [...listed, ...others].map(readExample);
}

/**
 * @param {string} name
 * @returns {Example}
 */
export function readExample(name) {
	const file = path.posix.join(FOLDER, `${name}.json`);
	return { name, file, workflow: JSON.parse(fs.readFileSync(file, 'utf8')) };
}
