import { ToolError } from './errors.mjs';

const UNRELEASED = 'Unreleased';

export function releaseInChangelog(changelog: string, version: string): string {
	if (sectionOf(changelog, version)) throw new ToolError(`CHANGELOG.md has ${version} already.`);
	if (!sectionOf(changelog, UNRELEASED)) {
		throw new ToolError(`CHANGELOG.md has nothing under "## ${UNRELEASED}" to release.`);
	}
	return changelog.replace(`## ${UNRELEASED}\n`, `## ${version}\n`);
}

/**
 * What the changelog says of a version to publish. Throws a ToolError if that is nothing, or changes are unreleased.
 */
export function changesOf(changelog: string, version: string): string {
	if (sectionOf(changelog, UNRELEASED)) {
		throw new ToolError(
			`CHANGELOG.md has changes under "## ${UNRELEASED}", which would go out with ${version}.`,
		);
	}
	const changes = sectionOf(changelog, version);
	if (changes) return changes;
	throw new ToolError(`CHANGELOG.md has no section "## ${version}", or nothing in it.`);
}

function sectionOf(changelog: string, title: string): string {
	const [, ...sections] = changelog.split(/^## /m);
	const heading = `${title}\n`;
	const section = sections.find((text) => text.startsWith(heading)) ?? heading;
	return section.slice(heading.length).trim();
}
