import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const textOf = (file: string) => readFileSync(file, 'utf8');

const filesIn = (folder: string, ending: RegExp) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => ending.test(name))
		.map((name) => path.join(folder, name));

const PAGES = [
	'README.md',
	'CONTRIBUTING.md',
	'AGENTS.md',
	'SECURITY.md',
	...filesIn('docs', /\.md$/),
].map((page) => ({ page, text: textOf(page) }));

const found = (text: string, pattern: RegExp) =>
	[...text.matchAll(pattern)].map(([, match = '']) => match);

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsIn = (text: string) =>
	found(text, /^#+ (.+)$/gm).map((heading) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);

function isBroken(page: string, link: string): boolean {
	const [file = '', anchor] = link.split('#');
	const target = file ? path.join(path.dirname(page), file) : page;
	if (!existsSync(target)) return true;
	return anchor !== undefined && !anchorsIn(textOf(target)).includes(anchor);
}

test.each(PAGES)('the links of $page lead somewhere', ({ page, text }) => {
	const links = found(text, /\]\((?!https?:)([^)\s]+)\)/g);
	expect(links.filter((link) => isBroken(page, link))).toEqual([]);
});

test.each(PAGES)('the scripts that $page names exist', ({ text }) => {
	const { scripts } = JSON.parse(textOf('package.json'));
	const named = found(text, /\bnpm run ([\w:-]+)/g);
	expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('the files that docs/maintainers/rules.md names exist', () => {
	const named = found(textOf('docs/maintainers/rules.md'), /`([\w./-]+\/[\w.-]+\.m?ts)`/g);
	const exists = (file: string) => existsSync(file) || existsSync(`nodes/shared/${file}`);
	expect(named).not.toEqual([]);
	expect(named.filter((file) => !exists(file))).toEqual([]);
});

test('docs/maintainers/rules.md has every money rule that the code cites', () => {
	const code = ['nodes', 'test', 'sandbox'].flatMap((folder) => filesIn(folder, /\.m?ts$/));
	const cited = code
		.map(textOf)
		.flatMap((text) =>
			found(text, /money\s+(?:\*\s+)?rules?\s+(\d+(?:[\s*]+(?:and|to)[\s*]+\d+)?)/gi),
		)
		.flatMap((numbers) => numbers.match(/\d+/g) ?? []);
	const rules = found(textOf('docs/maintainers/rules.md'), /^### (\d+)\. /gm);
	expect(cited).not.toEqual([]);
	expect(cited.filter((number) => !rules.includes(number))).toEqual([]);
});
