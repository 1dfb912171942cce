import fs from 'node:fs';
import path from 'node:path';

import type { Workflow } from './n8nClient.mts';

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

export interface Example {
	/** Of its file, without the ending. */
	name: string;
	/** Seen from the repository's root, with slashes. */
	file: string;
	workflow: Workflow;
}

export function readExamples(): Example[] {
	const names = fs
		.readdirSync(FOLDER)
		.filter((file) => file.endsWith('.json'))
		.map((file) => path.basename(file, '.json'));
	const listed = ORDER.filter((name) => names.includes(name));
	const others = names.filter((name) => !ORDER.includes(name)).sort();
	return [...listed, ...others].map(readExample);
}

export function readExample(name: string): Example {
	const file = path.posix.join(FOLDER, `${name}.json`);
	return { name, file, workflow: JSON.parse(fs.readFileSync(file, 'utf8')) };
}
