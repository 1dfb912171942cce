import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

import { ToolError } from './errors.mjs';

/** Files that can name the package's owner. */
const TEXT = /(\.(json|md|m?ts|mjs|yml)|CODEOWNERS)$/;

/** What package.json says once of the package, and other files repeat. */
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
	/** Of the repository: a user or an organization of GitHub. */
	const owner = /^git\+https:\/\/github\.com\/([\w-]+)\/([\w.-]+)\.git$/.exec(repository.url);
	if (owner?.[2] === name) return { name, owner: owner[1] ?? '', author };
	throw new ToolError(
		`"repository" of package.json is ${repository.url}. It has to be ` +
			`git+https://github.com/<owner>/${name}.git: npm and n8n compare it with where a release comes from.`,
	);
}

/** Throws a ToolError while package.json has the address that stands for one: what is published with it stays so. */
export function requireOwner({ author: { email } }: Pick<Metadata, 'author'>) {
	if (!email.endsWith('.example')) return;
	throw new ToolError(
		`"author" of package.json: ${email} is read by nobody. See docs/maintainers/release.md.`,
	);
}

/** Where the package's owner stands: which files, what is there, and what has to be there. */
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

/** A file with the owner that package.json names, wherever it names one. */
export function withMetadata(file: string, text: string, metadata: Metadata) {
	return PLACES.filter((place) => place.file.test(file)).reduce(
		(changed, place) => changed.replace(place.found(metadata), () => place.text(metadata)),
		text,
	);
}

/** What README shows or links to in the repository: in Markdown, and in the HTML of a picture. */
const SHOWN = /(?<=!\[[^\]]*\]\(|\b(?:src|srcset)=")(?=[\w.])(?![a-z]+:)/g;
const LINKED = /(?<=(?<!!)\[(?:!\[[^\]]*\]\([^)]*\)|[^\]])*\]\()(?=[\w.])(?![a-z]+:)/g;

/**
 * README as it is packed. On npmjs.com and in n8n there is the page alone, so what it shows and links to has full
 * addresses.
 */
export function packedReadme(text: string, { name, owner }: Pick<Metadata, 'name' | 'owner'>) {
	return text
		.replace(SHOWN, `https://raw.githubusercontent.com/${owner}/${name}/HEAD/`)
		.replace(LINKED, `https://github.com/${owner}/${name}/blob/HEAD/`);
}

/** The files that name another owner than package.json, or none where one is needed. */
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
