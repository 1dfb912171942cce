import { changesOf, releaseInChangelog } from '../../../tools/lib/changelog.mts';

const FIRST = `## 0.1.0

- First.
`;

const CHANGELOG = `# Changelog

## Unreleased

- New.

### Details

- With more.

${FIRST}`;

test('what was unreleased becomes the changes of the version', () => {
	const released = releaseInChangelog(CHANGELOG, '0.2.0');
	expect(released).toBe(CHANGELOG.replace('## Unreleased', '## 0.2.0'));
	expect(changesOf(released, '0.2.0')).toBe('- New.\n\n### Details\n\n- With more.');
	expect(changesOf(released, '0.1.0')).toBe('- First.');
});

test.each(['0.2.0', '0.1', '1.0'])('has no changes of %s', (version) => {
	expect(() => changesOf(FIRST, version)).toThrow(`no section "## ${version}"`);
});

test('a section without a word has none', () => {
	expect(() => changesOf(`## 0.2.0\n\n${FIRST}`, '0.2.0')).toThrow('nothing in it');
});

test('a version does not go out with changes that its section does not have', () => {
	expect(() => changesOf(CHANGELOG, '0.1.0')).toThrow('changes under "## Unreleased"');
	expect(changesOf(`## Unreleased\n\n${FIRST}`, '0.1.0')).toBe('- First.');
});

test.each([
	['no section', FIRST],
	['an empty one', `## Unreleased\n\n${FIRST}`],
])('of %s, nothing can be released', (_, changelog) => {
	expect(() => releaseInChangelog(changelog, '0.2.0')).toThrow('nothing under "## Unreleased"');
});

test('a version is released once', () => {
	expect(() => releaseInChangelog(CHANGELOG, '0.1.0')).toThrow('has 0.1.0 already');
});
