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

/** A name, or several, that a file is said to have. */
const NAMES_IN_FILE = /((?:`[^`\n]+`(?:,\s+)?)+)\s+\(in\s+`([\w.]+)`\)/g;
const named = [...text.matchAll(NAMES_IN_FILE)].flatMap(([, names = '', file = '']) =>
	[...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ name, file })),
);

/** A constant, its file, and its time. */
const TIME = /`(\w+)` \(in `([\w.]+)`\)\s*\| (\d+) (ms|s|min) /g;
const MS: Record<string, number> = { ms: 1, s: 1000, min: 60_000 };

test('docs/maintainers/durable.md names paths that exist', () => {
	const paths = [...text.matchAll(/\b(?:nodes|test)\/[\w./-]*\w/g)].map(([found]) => found);
	expect(paths.length).toBeGreaterThan(10);
	expect(paths.filter((found) => !fs.existsSync(found))).toEqual([]);
});

test('it names what its files have', () => {
	expect(named.length).toBeGreaterThan(50);
	const has = ({ name, file }: (typeof named)[number]) =>
		new RegExp(`(?<!\\w)${name.replace(/\W/g, '\\$&')}(?!\\w)`).test(sources.get(file) ?? '');
	expect(named.filter((one) => !has(one))).toEqual([]);
});

test('its times are those of the code', () => {
	const times = [...text.matchAll(TIME)].map(([, name, file = '', value, unit = '']) => ({
		file,
		line: `const ${name} = ${Number(value) * Number(MS[unit])};`,
	}));
	expect(times.length).toBeGreaterThan(15);
	const sourceOf = (file: string) => (sources.get(file) ?? '').replace(/(?<=\d)_(?=\d)/g, '');
	expect(times.filter(({ file, line }) => !sourceOf(file).includes(line))).toEqual([]);
});
