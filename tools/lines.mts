import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/**
 * npm run lines
 *
 * Prints how large each folder is: lines, those of them that are comments alone, characters. It counts every tracked
 * text file but locks and pictures. Bounds count lines without comment lines.
 */

const PICTURES = new Set(['.png', '.jpg', '.svg', '.gif', '.mp4', '.ico']);

/** Folders whose subfolders are listed one by one. */
const DIVIDED = ['nodes', 'nodes/shared', 'test', 'docs'];

export default function main(): void {
	const sizes: Record<string, ReturnType<typeof sizeOf>> = {};
	for (const file of trackedTexts()) {
		const size = sizeOf(fs.readFileSync(file, 'utf8'), path.extname(file));
		for (const folder of foldersOf(file)) {
			const sum = (sizes[folder] ??= sizeOf('', ''));
			for (const key of Object.keys(sum) as Array<keyof typeof sum>) sum[key] += size[key];
		}
	}
	const byFolder = Object.entries(sizes).sort(([a], [b]) => (a < b ? -1 : 1));
	console.table(Object.fromEntries(byFolder));
}

function trackedTexts(): string[] {
	const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0');
	return tracked.filter(
		(file) =>
			file !== '' &&
			fs.existsSync(file) &&
			path.basename(file) !== 'package-lock.json' &&
			!PICTURES.has(path.extname(file)),
	);
}

/** `all`, and each folder in which the file is counted. */
function foldersOf(file: string): string[] {
	const folders = path.dirname(file).split('/');
	const all = folders.map((_, index) => folders.slice(0, index + 1).join('/'));
	const listed = all.filter((_, index) => index === 0 || DIVIDED.includes(all[index - 1]!));
	return ['all', ...listed];
}

/** @param kind the ending of its name */
function sizeOf(text: string, kind: string) {
	const lines = text.split('\n');
	if (lines.at(-1) === '') lines.pop();
	const comments = commentLines(lines, kind);
	return {
		files: text === '' ? 0 : 1,
		lines: lines.length,
		comments,
		'without comments': lines.length - comments,
		characters: [...text].length,
	};
}

const WITH_HASH = ['.yml', '.yaml', '.sh', ''];
const WITH_SLASHES = ['.ts', '.mts', '.mjs', '.cjs', '.js'];

/** Lines on which nothing else stands. */
function commentLines(lines: readonly string[], kind: string): number {
	if (WITH_HASH.includes(kind)) return lines.filter((line) => /^\s*#(?!!)/.test(line)).length;
	if (!WITH_SLASHES.includes(kind)) return 0;
	let isInside = false;
	return lines.filter((line) => {
		const isComment = isInside || /^\s*\/[/*]/.test(line);
		if (isInside || /^\s*\/\*/.test(line)) isInside = !line.includes('*/');
		return isComment;
	}).length;
}
