import ts from 'typescript';

/** A numeric constant of a source file. */
export interface Constant {
	/** With the way to it in an object or a list: `LATE.shared`. */
	name: string;
	/** What the source says. */
	text: string;
	/** `undefined` where it is computed from something else. */
	value?: number;
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
	const number = valueOf(value);
	const [from, to] = [value.getStart(), value.getEnd()];
	return [
		{ name, text: value.getText(), ...(number !== undefined && { value: number }), from, to },
	];
}

const OPERATIONS = new Map<ts.SyntaxKind, (one: number, other: number) => number>([
	[ts.SyntaxKind.AsteriskToken, (one, other) => one * other],
	[ts.SyntaxKind.SlashToken, (one, other) => one / other],
]);

const isNumeric = (value: ts.Expression): boolean =>
	ts.isNumericLiteral(value) ||
	(ts.isBinaryExpression(value) && OPERATIONS.has(value.operatorToken.kind));

function valueOf(value: ts.Expression): number | undefined {
	if (ts.isNumericLiteral(value)) return Number(value.text);
	if (!ts.isBinaryExpression(value)) return undefined;
	const [one, other] = [valueOf(value.left), valueOf(value.right)];
	if (one === undefined || other === undefined) return undefined;
	return OPERATIONS.get(value.operatorToken.kind)?.(one, other);
}

/**
 * The text of a constant times a factor; `undefined` where that is the same number. A whole number stays one, since
 * it may count something.
 */
export function scaled({ text, value }: Constant, factor: number): string | undefined {
	if (value === undefined) return `(${text}) * ${factor}`;
	const number = Number.isInteger(value) ? Math.round(value * factor) : value * factor;
	return number === value ? undefined : String(number);
}

/** The source with another text for one of its constants. */
export const replaced = (source: string, { from, to }: Constant, text: string): string =>
	source.slice(0, from) + text + source.slice(to);
