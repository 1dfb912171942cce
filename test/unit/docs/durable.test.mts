import fs from 'node:fs';

const text = fs.readFileSync('docs/maintainers/durable.md', 'utf8');

const FOLDERS = ['nodes', 'test', 'tools'];

/** Every file of these folders, without the way to it. */
const names = new Set(
	FOLDERS.flatMap((folder) =>
		fs.readdirSync(folder, { recursive: true, withFileTypes: true }).map(({ name }) => name),
	),
);

test('docs/maintainers/durable.md names files that exist, and every file of the folder', () => {
	const named = [...text.matchAll(/`(\w+\.m?[jt]s)`/g)].map(([, file = '']) => file);
	expect(named.filter((file) => !names.has(file))).toEqual([]);
	const own = fs.readdirSync('nodes/shared/durable');
	expect(own.filter((file) => !named.includes(file))).toEqual([]);
});
