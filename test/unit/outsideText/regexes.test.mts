import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

import { stepCounter } from '../../support/regexSteps.mts';

/**
 * Texts from outside may be megabytes of whatever makes an expression search them again and again.
 * Every regular expression of the package is therefore linear: twice the text takes twice the steps.
 */

const ROOT = path.join(__dirname, '../../..');

interface Literal {
	/** File and line. */
	place: string;
	pattern: RegExp;
}

function sourcesIn(folder: string): string[] {
	return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => path.join(folder, name));
}

function nodesIn(file: string): Array<{ place: string; node: ts.Node }> {
	const text = readFileSync(path.join(ROOT, file), 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
	const walk = (node: ts.Node): ts.Node[] => {
		const children: ts.Node[] = [];
		ts.forEachChild(node, (child) => void children.push(child));
		return [node, ...children.flatMap(walk)];
	};
	return walk(source).map((node) => {
		const at = node.kind === ts.SyntaxKind.SourceFile ? 0 : node.getStart(source);
		const { line } = source.getLineAndCharacterOfPosition(at);
		return { place: `${file}:${line + 1}`, node };
	});
}

const nodes = ['nodes', 'credentials'].flatMap(sourcesIn).flatMap(nodesIn);

const literals = nodes.flatMap(({ place, node }): Literal[] => {
	if (!ts.isRegularExpressionLiteral(node)) return [];
	const end = node.text.lastIndexOf('/');
	return [{ place, pattern: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)) }];
});

const STARTS = ['', 'https://a'];
const CHARACTERS = [...' \n.,:/_-1a{[?"\u202e'];

/** Runs of any two characters, with an end that most expressions do not expect. */
function textsOf(length: number): string[] {
	return STARTS.flatMap((start) =>
		CHARACTERS.flatMap((one) =>
			CHARACTERS.flatMap((other) => [
				`${start}${one.repeat(length)}${other}`,
				`${start}${(one + other).repeat(length / 2)}\u0001`,
			]),
		),
	);
}

const [SHORT, LONG] = [textsOf(20), textsOf(40)];

/** What is added to twice the steps: starts, ends and anchors. */
const SLACK = 40;

function slowest({ pattern }: Literal) {
	const count = stepCounter(pattern);
	return LONG.map((text, index) => ({
		text: text.slice(0, 20),
		short: count(SHORT[index] ?? ''),
		long: count(text),
	})).find(({ short, long }) => long > 2.2 * short + SLACK);
}

test('a regular expression searches a text of twice the length in twice the steps', () => {
	expect(literals.length).toBeGreaterThan(10);
	const slow = literals.flatMap((literal) => {
		const first = slowest(literal);
		return first ? [`${literal.place}: ${String(literal.pattern)} ${JSON.stringify(first)}`] : [];
	});
	expect(slow).toEqual([]);
});

test('a regular expression is made of no text', () => {
	const made = nodes.filter(
		({ node }) =>
			(ts.isNewExpression(node) || ts.isCallExpression(node)) &&
			ts.isIdentifier(node.expression) &&
			node.expression.text === 'RegExp',
	);
	expect(made.map(({ place }) => place)).toEqual([]);
});

test('the counter itself: what is quadratic is found', () => {
	const grows = (pattern: RegExp, unit: string) => {
		const count = stepCounter(pattern);
		const [short, long] = [50, 100].map((times) => count(`${unit.repeat(times)}!`));
		return Number(long) / Number(short);
	};
	expect(grows(/\s*\n/, ' ')).toBeGreaterThan(3.5);
	expect(grows(/[ .]+$/g, '.')).toBeGreaterThan(3.5);
	expect(grows(/\s+/g, ' ')).toBeLessThan(2.1);
	expect(grows(/^https?:\/\/\S+$/i, 'http://')).toBeLessThan(2.1);
});
