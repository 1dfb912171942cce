import fs from 'node:fs';
import path from 'node:path';

const text = fs.readFileSync('docs/maintainers/durable.md', 'utf8');

/** Sources, by the names of their files. */
const sources = new Map<string, string>();
for (const folder of ['nodes', 'test', 'tools']) {
	for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile() || !/\.[cm]?[jt]s$/.test(entry.name)) continue;
		const source = fs.readFileSync(path.join(entry.parentPath, entry.name), 'utf8');
		sources.set(entry.name, `${sources.get(entry.name) ?? ''}\n${source}`);
	}
}

/** A name, or several, that a file is said to have: after them, or before them in a list. */
const NAMES_IN_FILE = /((?:`[^`\n]+`(?:,\s+)?)+)\s+\(in\s+`(?:\w+\/)?([\w.]+)`\)/g;
const FILE_WITH_NAMES = /^- `([\w.]+\.ts)`(.*)$/gm;
const namesIn = (names: string, file: string) =>
	[...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ name, file }));
const named = [
	...[...text.matchAll(NAMES_IN_FILE)].flatMap(([, names = '', file = '']) => namesIn(names, file)),
	...[...text.matchAll(FILE_WITH_NAMES)].flatMap(([, file = '', names = '']) =>
		namesIn(names, file).filter(({ name }) => !sources.has(name)),
	),
];
/** Every file that it names. */
const files = [...text.matchAll(/`(\w+\.m?[jt]s)`/g)].map(([, file = '']) => file);

test('docs/maintainers/durable.md names paths that exist', () => {
	const paths = [...text.matchAll(/\b(?:nodes|test)\/[\w./-]*\w/g)].map(([found]) => found);
	expect(paths.length).toBeGreaterThan(3);
	expect(paths.filter((found) => !fs.existsSync(found))).toEqual([]);
});

test('it names what its files have', () => {
	expect(named.length).toBeGreaterThan(20);
	const has = ({ name, file }: (typeof named)[number]) =>
		new RegExp(`(?<!\\w)${name.replace(/\W/g, '\\$&')}(?!\\w)`).test(sources.get(file) ?? '');
	expect(named.filter((one) => !has(one))).toEqual([]);
});

test('it names files that exist, and every file of the folder', () => {
	expect(files.filter((file) => !sources.has(file))).toEqual([]);
	const own = fs.readdirSync('nodes/shared/durable');
	expect(own.filter((file) => !files.includes(file))).toEqual([]);
});

test('it names constants, and repeats no times of theirs', () => {
	expect(text.match(/\b\d+ ?(?:ms|s|min|seconds?|minutes?)\b/g) ?? []).toEqual([]);
});

test('it can be read in six minutes', () => {
	expect(text.split(/\s+/).length).toBeLessThanOrEqual(1200);
});
