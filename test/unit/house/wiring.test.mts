import fs from 'node:fs';
import path from 'node:path';

import ts from 'typescript';

/**
 * Whoever hangs a function into an object that another part has made lets that part call back into it: a cycle
 * that no import shows. What an object needs, it gets when it is constructed.
 */

const ROOT = path.resolve('nodes/shared');

/** What assigns a function, or an object that has one, to a property of something else than `this`. */
function wiresIn(name: string, text: string): string[] {
	const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
	const wires: string[] = [];
	const visit = (node: ts.Node) => {
		if (ts.isBinaryExpression(node) && isAssignment(node) && isElsewhere(node.left)) {
			if (hasFunction(node.right)) wires.push(`${name}: ${node.left.getText()}`);
		}
		ts.forEachChild(node, visit);
	};
	visit(file);
	return wires;
}

const isAssignment = ({ operatorToken: { kind } }: ts.BinaryExpression) =>
	kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

const isElsewhere = (left: ts.Expression) =>
	ts.isPropertyAccessExpression(left) && left.expression.kind !== ts.SyntaxKind.ThisKeyword;

const hasFunction = (value: ts.Expression): boolean => {
	if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) return true;
	if (!ts.isObjectLiteralExpression(value)) return false;
	return value.properties.some(
		(property) =>
			ts.isMethodDeclaration(property) ||
			(ts.isPropertyAssignment(property) && hasFunction(property.initializer)),
	);
};

test.each([
	['limiter.share = () => 1;', 1],
	['poller.around = { isBusy: () => true };', 1],
	['poller.around = { isBusy() { return true; } };', 1],
	['this.share = () => 1;', 0],
	['token.isRefused = true;', 0],
	['const share = () => 1;', 0],
])('of %s, %i are wires', (text, wires) => {
	expect(wiresIn('made.ts', text)).toHaveLength(wires);
});

test('no object is completed by another after its construction', () => {
	const files = fs.readdirSync(ROOT, { recursive: true, encoding: 'utf8' });
	const wires = files
		.filter((file) => file.endsWith('.ts'))
		.flatMap((file) => wiresIn(file, fs.readFileSync(path.join(ROOT, file), 'utf8')));
	expect(wires).toEqual([]);
});
