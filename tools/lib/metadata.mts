import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

import { ToolError } from './errors.mjs';

/** Files that can name the package's owner. */
const TEXT = /(\.(json|md|m?ts|mjs|yml)|CODEOWNERS)$/;

/** Facts about the package that package.json states and other files repeat. */
type Metadata = ReturnType<typeof metadataOf>;

export function metadataOf({
	name,
	repository,
	author,
}: {
	name: string;
	repository: { url: string };
	author: { name: string; email: string };
}) {
	/** The owner of the repository: a user or an organization on GitHub. */
	const owner = /^git\+https:\/\/github\.com\/([\w-]+)\/([\w.-]+)\.git$/.exec(repository.url);
	if (owner?.[2] === name) return { name, owner: owner[1] ?? '', author };
	throw new ToolError(
		`"repository" of package.json is ${repository.url}. It has to be ` +
			`git+https://github.com/<owner>/${name}.git: npm and n8n compare it with where a release comes from.`,
	);
}

/** @throws ToolError while package.json has the placeholder address: what is published with it stays so */
export function requireOwner({ author: { email } }: Pick<Metadata, 'author'>) {
	if (!email.endsWith('.example')) return;
	throw new ToolError(
		`"author" of package.json: ${email} is read by nobody. See docs/maintainers/release.md.`,
	);
}

/** Where the package's owner is named: in which files, the text to replace, and the new text. */
const PLACES: Array<{
	file: RegExp;
	found: (metadata: Metadata) => RegExp;
	text: (metadata: Metadata) => string;
}> = [
	{
		file: /./,
		found: ({ name }) =>
			new RegExp(`(?<=github(usercontent)?\\.com/)[\\w-]+/${name}(?![\\w-])`, 'g'),
		text: ({ owner, name }) => `${owner}/${name}`,
	},
	{
		file: /CODEOWNERS$/,
		found: () => /(?<=^\* @)[\w-]+$/gm,
		text: ({ owner }) => owner,
	},
	{
		file: /^LICENSE\.md$/,
		found: () => /(?<=^Copyright \(c\) \d{4} ).+$/gm,
		text: ({ author }) => author.name,
	},
	{
		file: /^SECURITY\.md$/,
		found: () => /[\w.+-]+@[\w-]+(\.[\w-]+)+/g,
		text: ({ author }) => author.email,
	},
];

/** The text of a file, with the owner from package.json wherever it names one. */
export function withMetadata(file: string, text: string, metadata: Metadata) {
	return PLACES.filter((place) => place.file.test(file)).reduce(
		(changed, place) => changed.replace(place.found(metadata), () => place.text(metadata)),
		text,
	);
}

/** The start of each relative address that README shows or links to, in Markdown and in a picture's HTML. */
const SHOWN = /(?<=!\[[^\]]*\]\(|\b(?:src|srcset)=")(?=[\w.])(?![a-z]+:)/g;
const LINKED = /(?<=(?<!!)\[(?:!\[[^\]]*\]\([^)]*\)|[^\]])*\]\()(?=[\w.])(?![a-z]+:)/g;

/** README as it is packed. npmjs.com and n8n show only the page, so its pictures and links need full addresses. */
export function packedReadme(text: string, { name, owner }: Pick<Metadata, 'name' | 'owner'>) {
	return text
		.replace(SHOWN, `https://raw.githubusercontent.com/${owner}/${name}/HEAD/`)
		.replace(LINKED, `https://github.com/${owner}/${name}/blob/HEAD/`);
}

/** The files that name an owner other than package.json does, with their corrected texts. */
export function outdatedFiles(): Array<{ file: string; text: string }> {
	const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
	const metadata = metadataOf(manifest);
	const ours = ['ls-files', '--cached', '--others', '--exclude-standard'];
	const files = execFileSync('git', ours, { encoding: 'utf8' }).split('\n');
	const texts = files
		.filter((file) => TEXT.test(file) && existsSync(file))
		.map((file) => {
			const before = readFileSync(file, 'utf8');
			return { file, before, text: withMetadata(file, before, metadata) };
		});
	return texts.filter(({ before, text }) => text !== before);
}
