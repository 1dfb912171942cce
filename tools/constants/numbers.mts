import ts from 'typescript';

/** A numeric constant of a source file. */
export interface Constant {
	/** With the way to it in an object or a list: `LATE.shared`. */
	name: string;
	/** What the source says. */
	text: string;
	/** Where the text stands in the file. */
	from: number;
	to: number;
}

/** The numeric constants that are declared at the top of a file, in their order. */
export function constantsIn(source: string): Constant[] {
	const file = ts.createSourceFile('constants.ts', source, ts.ScriptTarget.Latest, true);
	return file.statements
		.filter(ts.isVariableStatement)
		.filter(({ declarationList: { flags } }) => flags & ts.NodeFlags.Const)
		.flatMap(({ declarationList }) => [...declarationList.declarations])
		.flatMap(({ name, initializer }) =>
			ts.isIdentifier(name) && initializer ? numbersOf(name.text, initializer) : [],
		);
}

function numbersOf(name: string, value: ts.Expression): Constant[] {
	if (ts.isAsExpression(value) || ts.isSatisfiesExpression(value)) {
		return numbersOf(name, value.expression);
	}
	if (ts.isObjectLiteralExpression(value)) {
		return value.properties.flatMap((property) =>
			ts.isPropertyAssignment(property)
				? numbersOf(`${name}.${property.name.getText()}`, property.initializer)
				: [],
		);
	}
	if (ts.isArrayLiteralExpression(value)) {
		return value.elements.flatMap((element, index) => numbersOf(`${name}[${index}]`, element));
	}
	if (!isNumeric(value)) return [];
	return [{ name, text: value.getText(), from: value.getStart(), to: value.getEnd() }];
}

const OPERATIONS = [ts.SyntaxKind.AsteriskToken, ts.SyntaxKind.SlashToken];

const isNumeric = (value: ts.Expression): boolean =>
	ts.isNumericLiteral(value) ||
	(ts.isBinaryExpression(value) && OPERATIONS.includes(value.operatorToken.kind));

/**
 * The text of a constant times a factor. A whole number stays one, since it may count something; where that is the
 * same number, nothing changes.
 */
export const scaled = ({ text }: Constant, factor: number): string =>
	`((n: number) => Number.isInteger(n) ? Math.round(n * ${factor}) : n * ${factor})(${text})`;

/** The source with another text for one of its constants. */
export const replaced = (source: string, { from, to }: Constant, text: string): string =>
	source.slice(0, from) + text + source.slice(to);
