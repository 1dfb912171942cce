import {
	metadataOf,
	outdatedFiles,
	requireOwner,
	withMetadata,
} from '../../../tools/lib/metadata.mjs';

const METADATA = {
	name: 'n8n-nodes-example',
	owner: 'someone',
	author: { name: 'Some One', email: 'some@one.org' },
};

const textOf = (file: string, text: string) => withMetadata(file, text, METADATA);

test('all files name the owner that package.json names (npm run metadata writes it)', async () => {
	expect((await outdatedFiles()).map(({ file }) => file)).toEqual([]);
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
	[
		'README.md',
		'![A node](docs/a.png) and [rules](docs/maintainers/rules.md#money), [below](#below), [n8n](https://n8n.io)',
		'![A node](https://raw.githubusercontent.com/someone/n8n-nodes-example/HEAD/docs/a.png) and ' +
			'[rules](https://github.com/someone/n8n-nodes-example/blob/HEAD/docs/maintainers/rules.md#money), ' +
			'[below](#below), [n8n](https://n8n.io)',
	],
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
