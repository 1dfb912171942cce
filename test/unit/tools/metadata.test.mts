import { existsSync, readFileSync } from 'node:fs';

import {
	metadataOf,
	outdatedFiles,
	packedReadme,
	requireOwner,
	withMetadata,
} from '../../../tools/lib/metadata.mts';

const METADATA = {
	name: 'n8n-nodes-example',
	owner: 'someone',
	author: { name: 'Some One', email: 'some@one.org' },
};

const textOf = (file: string, text: string) => withMetadata(file, text, METADATA);

test('all files name the owner that package.json names', () => {
	expect(outdatedFiles().map(({ file }) => file)).toEqual([]);
});

test('addresses of the repository get its owner, others stay', () => {
	const text = (owner: string) =>
		`https://github.com/${owner}/n8n-nodes-example#readme git+https://github.com/${owner}/n8n-nodes-example.git`;
	expect(textOf('docs/maintainers/rules.md', text('nobody'))).toBe(text('someone'));
	const other = 'https://github.com/nobody/n8n-nodes-example-more https://github.com/n8n-io/n8n';
	expect(textOf('docs/maintainers/rules.md', other)).toBe(other);
});

test.each([
	['LICENSE.md', 'Copyright (c) 2026 nobody\n', 'Copyright (c) 2026 Some One\n'],
	['SECURITY.md', 'Write to no-body@example.com. Soon.', 'Write to some@one.org. Soon.'],
	['.github/CODEOWNERS', '* @nobody\n', '* @someone\n'],
])('%s: %s', (file, before, after) => {
	expect(textOf(file, before)).toBe(after);
	expect(textOf(file, after)).toBe(after);
});

test('package.json names a repository on GitHub that is called like the package', () => {
	const manifest = (url: string) => ({ ...METADATA, repository: { url } });
	const { owner } = metadataOf(manifest('git+https://github.com/someone/n8n-nodes-example.git'));
	expect(owner).toBe('someone');
	expect(() => metadataOf(manifest('git+https://github.com/someone/nodes.git'))).toThrow(
		'"repository" of package.json',
	);
});

test('nothing is released with the address that stands for one', () => {
	expect(() => requireOwner(METADATA)).not.toThrow();
	const author = { name: 'Some One', email: 'some@one.example' };
	expect(() => requireOwner({ author })).toThrow('some@one.example is read by nobody');
});

test('what README shows and links to has full addresses in the package, and others stay', () => {
	const before =
		'<img alt="A" src="docs/a.png"> ![A](docs/a.png) [rules](docs/rules.md#money) [below](#below) [n8n](https://n8n.io)';
	const raw = 'https://raw.githubusercontent.com/someone/n8n-nodes-example/HEAD/docs/a.png';
	const after =
		`<img alt="A" src="${raw}"> ![A](${raw}) ` +
		'[rules](https://github.com/someone/n8n-nodes-example/blob/HEAD/docs/rules.md#money) ' +
		'[below](#below) [n8n](https://n8n.io)';
	expect(packedReadme(before, METADATA)).toBe(after);
	expect(packedReadme(after, METADATA)).toBe(after);
});

test('README: relative in the repository; in the package, all addresses are full, and lead to files', () => {
	const readme = readFileSync('README.md', 'utf8');
	const metadata = metadataOf(JSON.parse(readFileSync('package.json', 'utf8')));
	const own = new RegExp(
		`https://(?:raw\\.githubusercontent|github)\\.com/${metadata.owner}/${metadata.name}/(?:blob/)?HEAD/`,
	);
	const addresses = (text: string) =>
		[...text.matchAll(/(?:\]\(|\b(?:src|srcset)=")([^)"]+)/g)].map(([, address = '']) => address);
	expect(readme).not.toMatch(own);
	const packed = addresses(packedReadme(readme, metadata));
	expect(packed.filter((one) => !/^(https:|#)/.test(one))).toEqual([]);
	const files = packed.filter((one) => own.test(one)).map((one) => one.replace(own, ''));
	expect(files).toEqual(addresses(readme).filter((one) => !/^(https:|#)/.test(one)));
	expect(files.filter((file) => !existsSync(file.split('#')[0]!))).toEqual([]);
});
