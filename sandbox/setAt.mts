type Container = Record<string, unknown>;

/**
 * Puts a value at a path of a record, and adds what is missing on the way. `a.b` is a field of a
 * field, `a[]` a list to which the value is added, `a[].b` a field of the list's first entry.
 */
export function setAt(record: Container, path: string, value: unknown): void {
	const [step = '', ...rest] = path.split('.');
	const name = step.replace(/\[\]$/, '');
	const isLast = rest.length === 0;
	if (!step.endsWith('[]')) {
		record[name] = isLast ? value : inside(record[name], rest, value);
		return;
	}
	const list = (record[name] ??= []) as unknown[];
	if (isLast) list.push(value);
	else list[0] = inside(list[0], rest, value);
}

function inside(container: unknown, path: readonly string[], value: unknown): Container {
	const record = (container ?? {}) as Container;
	setAt(record, path.join('.'), value);
	return record;
}
