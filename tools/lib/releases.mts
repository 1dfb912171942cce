import { ToolError } from './errors.mjs';

/** What goes out with a version. */

const UNRELEASED = 'Unreleased';

/**
 * What the changelog says of a version to publish.
 *
 * @throws ToolError if that is nothing, or changes are unreleased
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
	const heading = `## ${title}\n`;
	const section = changelog.split(/^(?=## )/m).find((text) => text.startsWith(heading));
	return (section ?? '').slice(heading.length).trim();
}

/** @throws ToolError while package.json has the placeholder address: what is published with it stays so */
export function requireOwner({ email }: { email: string }): void {
	if (!email.endsWith('.example')) return;
	throw new ToolError(
		`"author" of package.json: ${email} is read by nobody. See docs/maintainers/release.md.`,
	);
}
