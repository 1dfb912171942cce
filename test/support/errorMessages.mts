import { readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Stands in a message for what is filled in. */
export const HOLE = '\u0001';

/** A message that the code can show, and where it is. */
export interface FoundMessage {
	/** File and line. */
	place: string;
	/** With {@link HOLE} for whatever is filled in. */
	text: string;
}

/** Properties that hold the message of an error, or the reason that goes into one. */
const PROPERTIES = [
	'message',
	'error',
	'unknown',
	'notWaited',
	'required_error',
	'rule',
	'unknownOutcome',
	'invalid_type_error',
	'tooLittle',
	'tooMuch',
];

/** Errors of n8n, by the argument that has the message. */
const ERRORS_OF_N8N: Readonly<Record<string, number>> = { NodeOperationError: 1, NodeApiError: 1 };

/** Rules of zod that take a message as their last argument. */
const ZOD_RULES = ['refine', 'min', 'max', 'int', 'positive', 'finite'];

/** Methods that give a text or a list with the texts of the one that they are called on. */
const KEEPING = ['trim', 'replace', 'replaceAll', 'slice', 'join', 'filter', 'flat'];

type Called = ts.CallExpression | ts.NewExpression;
type Given = ReadonlyMap<ts.Declaration, { value: ts.Expression; given: Given }>;

const NOTHING: Given = new Map();

/**
 * All messages of errors in sources: what is given to the constructor of an error, what stands in an
 * object as its message, and the rules of schemas. A text is followed to where it is written: through
 * constants, what functions return, and the parameters by which they take it.
 *
 * @param folders seen from the repository's root
 */
export function errorMessagesIn(root: string, folders: readonly string[]): FoundMessage[] {
	const files = folders.flatMap((folder) =>
		readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts'))
			.map((name) => path.join(root, folder, name)),
	);
	return new Finder(programOf(files), root).find();
}

/** Knows the files alone, without the types of packages: those take long to read and tell nothing here. */
function programOf(files: readonly string[]): ts.Program {
	const options: ts.CompilerOptions = { noLib: true, types: [], target: ts.ScriptTarget.ES2022 };
	const host = ts.createCompilerHost(options);
	host.resolveModuleNameLiterals = (names, from) =>
		names.map(({ text }) => {
			const file = path.resolve(path.dirname(from), `${text}.ts`);
			const isOurs = text.startsWith('.') && ts.sys.fileExists(file);
			return {
				resolvedModule: isOurs ? { resolvedFileName: file, extension: ts.Extension.Ts } : undefined,
			};
		});
	return ts.createProgram({ rootNames: files, options, host });
}

class Finder {
	private readonly found = new Map<string, FoundMessage>();
	private readonly checker: ts.TypeChecker;
	private readonly sources: ts.SourceFile[];
	private readonly calls = new Map<ts.Declaration, Called[]>();
	private readonly followed = new Set<ts.Declaration>();

	constructor(
		program: ts.Program,
		private readonly root: string,
	) {
		this.checker = program.getTypeChecker();
		this.sources = program.getSourceFiles().filter(({ isDeclarationFile }) => !isDeclarationFile);
	}

	find(): FoundMessage[] {
		const nodes = this.sources.flatMap(nodesIn);
		for (const node of nodes) this.noteCall(node);
		for (const node of nodes) {
			for (const message of this.messagesAt(node)) this.follow(message, NOTHING);
		}
		return [...this.found.values()];
	}

	private noteCall(node: ts.Node): void {
		if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return;
		const called = this.declarationOf(node.expression);
		if (called) this.calls.set(called, [...(this.calls.get(called) ?? []), node]);
	}

	/** Expressions that are messages, whoever makes them. */
	private messagesAt(node: ts.Node): ts.Expression[] {
		if (ts.isPropertyAssignment(node) && PROPERTIES.includes(node.name.getText())) {
			return [node.initializer];
		}
		if (ts.isShorthandPropertyAssignment(node) && PROPERTIES.includes(node.name.text)) {
			return [node.name];
		}
		if (ts.isNewExpression(node)) return this.givenToError(node);
		if (!ts.isCallExpression(node)) return [];
		if (node.expression.kind === ts.SyntaxKind.SuperKeyword) {
			return this.isInError(node) ? node.arguments.slice(0, 1) : [];
		}
		const isRule =
			ts.isPropertyAccessExpression(node.expression) &&
			ZOD_RULES.includes(node.expression.name.text);
		return isRule ? node.arguments.slice(-1) : [];
	}

	private givenToError(node: ts.NewExpression): ts.Expression[] {
		const name = node.expression.getText();
		const declared = this.declarationOf(node.expression);
		// With a constructor of its own, the arguments are followed from there.
		const isOwn = declared && ts.isClassDeclaration(declared);
		if (isOwn && (!extendsError(declared) || declared.members.some(ts.isConstructorDeclaration)))
			return [];
		if (!isOwn && !name.endsWith('Error')) return [];
		const index = ERRORS_OF_N8N[name] ?? 0;
		return node.arguments?.slice(index, index + 1) ?? [];
	}

	private isInError(node: ts.Node): boolean {
		const owner = ts.findAncestor(node, ts.isClassDeclaration);
		return owner !== undefined && extendsError(owner);
	}

	/** Notes the texts that an expression may come to. */
	private follow(node: ts.Expression, given: Given): void {
		if (isWrapped(node)) return this.follow(node.expression, given);
		if (ts.isStringLiteralLike(node)) return this.note(node, node.text);
		if (ts.isTemplateExpression(node)) return this.followTemplate(node, given);
		if (ts.isConditionalExpression(node)) {
			this.follow(node.whenTrue, given);
			return this.follow(node.whenFalse, given);
		}
		if (ts.isBinaryExpression(node)) {
			this.follow(node.left, given);
			return this.follow(node.right, given);
		}
		if (ts.isArrayLiteralExpression(node)) {
			for (const element of node.elements) this.follow(element, given);
			return;
		}
		if (ts.isIdentifier(node)) return this.followName(node, given);
		if (ts.isCallExpression(node)) return this.followCall(node, given);
		if (ts.isElementAccessExpression(node)) return this.followTable(node, given);
	}

	/** A text with little of its own is what is filled into it, and what comes last may be a reason. */
	private followTemplate(node: ts.TemplateExpression, given: Given): void {
		const parts = node.templateSpans.map(({ expression, literal }) => ({
			expression,
			text: this.constantIn(expression) ?? HOLE,
			after: literal.text,
		}));
		const text = node.head.text + parts.map((part) => part.text + part.after).join('');
		this.note(node, text);
		let before = node.head.text;
		for (const part of parts) {
			const isLast = before.endsWith(' ') && part.after === '';
			const isReason = before.endsWith(': ') || this.isParameter(part.expression);
			if (isShort(text) || (isLast && isReason)) this.follow(part.expression, given);
			before = part.after;
		}
	}

	private isParameter(node: ts.Expression): boolean {
		const declared = ts.isIdentifier(node) ? this.declarationOf(node) : undefined;
		return declared !== undefined && ts.isParameter(declared);
	}

	private constantIn(node: ts.Expression): string | undefined {
		if (!ts.isIdentifier(node)) return undefined;
		const declared = this.declarationOf(node);
		const value = declared && ts.isVariableDeclaration(declared) ? declared.initializer : undefined;
		return value && ts.isStringLiteralLike(value) ? value.text : undefined;
	}

	private followName(node: ts.Identifier, given: Given): void {
		const declared = this.declarationOf(node);
		if (!declared) return;
		const own = given.get(declared);
		if (own) return this.follow(own.value, own.given);
		if (ts.isParameter(declared)) return this.followParameter(declared);
		const value = ts.isVariableDeclaration(declared) ? declared.initializer : undefined;
		if (value) this.follow(value, given);
	}

	/** Whatever a function is called with is a message, where it makes one of that parameter. */
	private followParameter(declared: ts.ParameterDeclaration): void {
		if (this.followed.has(declared)) return;
		this.followed.add(declared);
		const owner = ownerOf(declared);
		const index = declared.parent.parameters.indexOf(declared);
		for (const { arguments: values } of this.calls.get(owner) ?? []) {
			const value = values?.[index];
			if (value) this.follow(value, NOTHING);
		}
	}

	private followCall(node: ts.CallExpression, given: Given): void {
		const called = this.declarationOf(node.expression);
		const made = called && functionOf(called);
		if (made) {
			const values = made.parameters.flatMap((parameter, index) => {
				const value = node.arguments[index];
				return value ? [[parameter, { value, given }] as const] : [];
			});
			const inside: Given = new Map(values);
			for (const value of returnedBy(made)) this.follow(value, inside);
			return;
		}
		const method = ts.isPropertyAccessExpression(node.expression) ? node.expression : undefined;
		if (method && KEEPING.includes(method.name.text)) this.follow(method.expression, given);
	}

	/** Of a table that is asked for one of its texts, all of them. */
	private followTable(node: ts.ElementAccessExpression, given: Given): void {
		const declared = ts.isIdentifier(node.expression)
			? this.declarationOf(node.expression)
			: undefined;
		const table = declared && ts.isVariableDeclaration(declared) ? declared.initializer : undefined;
		if (!table || !ts.isObjectLiteralExpression(table)) return;
		for (const entry of table.properties) {
			if (ts.isPropertyAssignment(entry)) this.follow(entry.initializer, given);
		}
	}

	private declarationOf(node: ts.Expression): ts.Declaration | undefined {
		const name = ts.isPropertyAccessExpression(node) ? node.name : node;
		const isShorthand = ts.isShorthandPropertyAssignment(name.parent);
		const symbol = isShorthand
			? this.checker.getShorthandAssignmentValueSymbol(name.parent)
			: this.checker.getSymbolAtLocation(name);
		const isAlias = symbol && symbol.flags & ts.SymbolFlags.Alias;
		return (isAlias ? this.checker.getAliasedSymbol(symbol) : symbol)?.declarations?.[0];
	}

	private note(node: ts.Node, text: string): void {
		if (!hasWords(text)) return;
		const source = node.getSourceFile();
		const { line } = source.getLineAndCharacterOfPosition(node.getStart());
		const place = `${path.relative(this.root, source.fileName)}:${line + 1}`;
		this.found.set(`${place} ${text}`, { place, text });
	}
}

function nodesIn(node: ts.Node): ts.Node[] {
	const children: ts.Node[] = [];
	ts.forEachChild(node, (child) => void children.push(child));
	return [node, ...children.flatMap(nodesIn)];
}

type Wrapped =
	| ts.ParenthesizedExpression
	| ts.AsExpression
	| ts.NonNullExpression
	| ts.AwaitExpression
	| ts.SatisfiesExpression;

const isWrapped = (node: ts.Node): node is Wrapped =>
	ts.isParenthesizedExpression(node) ||
	ts.isAsExpression(node) ||
	ts.isNonNullExpression(node) ||
	ts.isAwaitExpression(node) ||
	ts.isSatisfiesExpression(node);

/** A message has two words at least, or what is filled in beside one. */
const hasWords = (text: string) => /[a-z]{2}/i.test(text) && /\S \S/.test(text);

/** What joins other texts, or names what they are about. */
const isShort = (text: string) => text.replace(/[^a-z]/gi, '').length < 10;

const extendsError = ({ heritageClauses }: ts.ClassDeclaration) =>
	(heritageClauses ?? [])
		.flatMap(({ types }) => [...types])
		.some(({ expression }) => /Error$/.test(expression.getText()));

/** What is called where a function with the parameter is: the class of a constructor, the name of an arrow function. */
function ownerOf({ parent }: ts.ParameterDeclaration): ts.Declaration {
	if (ts.isConstructorDeclaration(parent)) return parent.parent as ts.ClassDeclaration;
	return ts.isVariableDeclaration(parent.parent) ? parent.parent : parent;
}

type Making = ts.FunctionDeclaration | ts.MethodDeclaration | ts.ArrowFunction;

function functionOf(declared: ts.Declaration): Making | undefined {
	if (ts.isFunctionDeclaration(declared) || ts.isMethodDeclaration(declared)) return declared;
	const value = ts.isVariableDeclaration(declared) ? declared.initializer : undefined;
	return value && ts.isArrowFunction(value) ? value : undefined;
}

function returnedBy({ body }: Making): ts.Expression[] {
	if (!body) return [];
	if (!ts.isBlock(body)) return [body];
	const own = (node: ts.Node): ts.Node[] => {
		const children: ts.Node[] = [];
		ts.forEachChild(node, (child) => void (ts.isFunctionLike(child) || children.push(child)));
		return [node, ...children.flatMap(own)];
	};
	return own(body).flatMap((node) =>
		ts.isReturnStatement(node) && node.expression ? [node.expression] : [],
	);
}
