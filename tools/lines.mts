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

interface Size {
	files: number;
	lines: number;
	comments: number;
	characters: number;
}

export default function main(): void {
	const sizes = new Map<string, Size>();
	for (const file of trackedTexts()) {
		const size = sizeOf(fs.readFileSync(file, 'utf8'), path.extname(file));
		for (const folder of foldersOf(file)) sizes.set(folder, sum(sizes.get(folder), size));
	}
	const rows = [...sizes].sort(([a], [b]) => (a < b ? -1 : 1));
	console.table(
		Object.fromEntries(
			rows.map(([folder, { files, lines, comments, characters }]) => [
				folder,
				{ files, lines, comments, 'without comments': lines - comments, characters },
			]),
		),
	);
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

const sum = (a: Size | undefined, b: Size): Size => ({
	files: (a?.files ?? 0) + b.files,
	lines: (a?.lines ?? 0) + b.lines,
	comments: (a?.comments ?? 0) + b.comments,
	characters: (a?.characters ?? 0) + b.characters,
});

/** @param kind the ending of its name */
export function sizeOf(text: string, kind: string): Size {
	const lines = text.split('\n');
	if (lines.at(-1) === '') lines.pop();
	return {
		files: 1,
		lines: lines.length,
		comments: commentLines(lines, kind),
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
