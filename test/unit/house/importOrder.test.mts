import fs from 'node:fs';
import path from 'node:path';

/** The folders of the package: each imports from itself and from those before it alone. */
const ORDER = [
	'spec',
	'form',
	'clock',
	'account',
	'service',
	'request',
	'orders',
	'files',
	'output',
	'run',
	'durable',
	'trigger',
];

const ROOT = path.resolve('nodes/shared');

const filesIn = (folder: string): string[] =>
	fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.ts'));

const FILES = filesIn(ROOT);

/** What a file imports, types too. */
function importsOf(file: string): string[] {
	const text = fs.readFileSync(path.join(ROOT, file), 'utf8');
	return [...text.matchAll(/\b(?:from|import|require\()\s*'([^']+)'/g)].map(([, name]) => name!);
}

const folderOf = (file: string) => file.split(path.sep)[0]!;

const inPackage = (file: string) =>
	importsOf(file)
		.filter((name) => name.startsWith('.'))
		.map((name) => path.relative(ROOT, path.resolve(ROOT, path.dirname(file), name)));

test('every folder has its place in the order', () => {
	expect([...new Set(FILES.map(folderOf))].sort()).toEqual([...ORDER].sort());
});

test.each(ORDER)('%s imports from no folder that comes after it', (folder) => {
	const place = (file: string) => ORDER.indexOf(folderOf(file));
	const own = FILES.filter((file) => folderOf(file) === folder);
	expect(own.length).toBeGreaterThan(0);
	const against = own.flatMap((file) =>
		inPackage(file).flatMap((other) => (place(other) > place(file) ? [`${file} -> ${other}`] : [])),
	);
	expect(against).toEqual([]);
});

test('the spec tables know the types of n8n alone', () => {
	const spec = FILES.filter((file) => folderOf(file) === 'spec');
	const runs = spec.filter((file) =>
		/^import (?!type)[^;]*'n8n-workflow'/m.test(fs.readFileSync(path.join(ROOT, file), 'utf8')),
	);
	expect(runs).toEqual([]);
});

test('no file imports, by way of others, itself', () => {
	const cycles: string[] = [];
	const done = new Set<string>();
	const visit = (file: string, way: readonly string[]) => {
		if (way.includes(file))
			return void cycles.push([...way.slice(way.indexOf(file)), file].join(' -> '));
		if (done.has(file)) return;
		const next = inPackage(file).map((other) => `${other}.ts`);
		for (const other of next) visit(other, [...way, file]);
		done.add(file);
	};
	for (const file of FILES) visit(file, []);
	expect(cycles).toEqual([]);
});
