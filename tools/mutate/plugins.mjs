import { createHash } from 'node:crypto';
import path from 'node:path';

import { placeOf, testedBefore } from './results.mjs';

/** Properties of the tables whose texts are shown to people and mean nothing to the code. */
const SHOWN = new Set(
	'label description placeholder help action warning doubt message policy open of'.split(' '),
);

/**
 * Leaves out mutants of texts that people read: a test of them would repeat them.
 *
 * @typedef {{ node: any, parent: any }} NodePath
 */
const words = {
	/** @param {NodePath} at */
	shouldIgnore({ node, parent }) {
		const text = textOf(node);
		if (text === undefined) return undefined;
		const isShown = parent.type === 'ObjectProperty' && SHOWN.has(parent.key.name);
		return isShown || text.includes(' ') ? 'Text for people' : undefined;
	},
};

/** @param {any} node */
function textOf(node) {
	if (node.type === 'StringLiteral') return node.value;
	if (node.type !== 'TemplateLiteral') return undefined;
	return node.quasis.map((/** @type {any} */ { value }) => value.raw).join('');
}

/**
 * Lets through the share of the mutants that MUTATE_SHARE names, "2/5" are two of five, always the same; and those
 * that were tested before: a survivor outside of the share would vanish from the results.
 */
class Share {
	/** @type {Set<string>} */
	tested = new Set();

	async init() {
		this.tested = await testedBefore(process.env.MUTATE_FOLDER ?? '');
	}

	/** @param {Mutant[]} mutants */
	async check(mutants) {
		return Object.fromEntries(mutants.map((mutant) => [mutant.id, this.verdictOn(mutant)]));
	}

	/** @param {Mutant[]} mutants */
	group(mutants) {
		return [mutants.map(({ id }) => id)];
	}

	/** @param {Mutant} mutant */
	verdictOn(mutant) {
		const { line, column } = mutant.location.start;
		// Stryker counts from 0 here, and from 1 in its report.
		const place = placeOf(mutant.fileName, mutant, { line: line + 1, column: column + 1 });
		if (this.tested.has(place) || isInShare(mutant)) return { status: 'passed' };
		// Stryker has no other way to leave out a mutant; such ones are not in its score.
		return { status: 'compileError', reason: 'Not in the share of this run' };
	}
}

/**
 * @typedef {import('./results.mjs').Place} Place
 * @typedef {{ id: string, fileName: string, location: { start: Place }, mutatorName: string, replacement: string }} Mutant
 */

/** @param {Mutant} mutant */
function isInShare({ fileName, location, mutatorName, replacement }) {
	const [part, parts] = (process.env.MUTATE_SHARE ?? '1/1').split('/').map(Number);
	const key = JSON.stringify([path.basename(fileName), location, mutatorName, replacement]);
	const chance = createHash('sha256').update(key).digest().readUInt32BE() / 2 ** 32;
	return chance * Number(parts) < Number(part);
}

export const strykerPlugins = [
	{ kind: 'Ignore', name: 'words', value: words },
	{ kind: 'Checker', name: 'share', injectableClass: Share },
];
