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

/** @param name of its file, without the ending */
export function readExample(name: string) {
	/** Seen from the repository's root, with slashes. */
	const file = path.posix.join(FOLDER, `${name}.json`);
	const workflow: Workflow = JSON.parse(fs.readFileSync(file, 'utf8'));
	return { name, file, workflow };
}
