/**
 * A value as code for an expression. It is shorter than JSON, whose quotation marks are escaped once more
 * in the description of a node.
 */
export function inCode(value: unknown): string {
	if (typeof value === 'string') return inQuotes(value);
	if (Array.isArray(value)) return `[${value.map(inCode).join()}]`;
	if (typeof value !== 'object' || value === null) return String(value);
	const entries = Object.entries(value).map(([name, one]) => `${keyInCode(name)}:${inCode(one)}`);
	return `{${entries.join()}}`;
}

const keyInCode = (name: string) => (/^[a-z]\w*$/i.test(name) ? name : inCode(name));

const inQuotes = (text: string) =>
	`'${JSON.stringify(text).slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
