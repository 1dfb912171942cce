import fs from 'node:fs';
import path from 'node:path';

/** The picture of CONTRIBUTING.md. */

const text = fs.readFileSync('CONTRIBUTING.md', 'utf8');
const ROOT = path.resolve('nodes/shared');

/** The folders that an arrow leads to, by the folder that it comes from. */
const arrows = new Map<string, string[]>();
const [, picture = ''] = /```mermaid\n([^]*?)```/.exec(text) ?? [];
for (const [, from = '', to = ''] of picture.matchAll(/^\s+(\w.*?) --> (.+)$/gm)) {
	const names = (list: string) => list.split(' & ').map((name) => name.replace(/\[.*/, ''));
	for (const name of names(from)) arrows.set(name, [...(arrows.get(name) ?? []), ...names(to)]);
}

/** All folders that arrows lead to from one, by way of others, too. */
function reachedFrom(folder: string, reached = new Set<string>()): Set<string> {
	for (const next of arrows.get(folder) ?? []) {
		if (!reached.has(next)) reachedFrom(next, reached.add(next));
	}
	return reached;
}

/** The imports of one folder from another, each once. */
const imports = fs
	.readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.flatMap((file) => {
		const source = fs.readFileSync(path.join(ROOT, file), 'utf8');
		const folderOf = (name: string) => name.split(path.sep)[0]!;
		return [...source.matchAll(/\b(?:from|import|require\()\s*'(\.[^']+)'/g)].map(
			([, name = '']) => {
				const target = path.join(path.dirname(file), name);
				return `${folderOf(file)} -> ${folderOf(target)}`;
			},
		);
	})
	.filter((one, index, all) => all.indexOf(one) === index)
	.map((one) => one.split(' -> ') as [string, string])
	.filter(([from, to]) => from !== to);

test('the picture has every folder', () => {
	const drawn = [...arrows.keys(), ...[...arrows.values()].flat()];
	expect(fs.readdirSync(ROOT).filter((folder) => !drawn.includes(folder))).toEqual([]);
});

test('the imports go along its arrows', () => {
	expect(imports.length).toBeGreaterThan(40);
	expect(imports.filter(([from, to]) => !reachedFrom(from).has(to))).toEqual([]);
});
