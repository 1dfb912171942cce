/** Stands for what hooks start before the tests of a file. Some properties change, so all are read when asked for. */
export function standIn<T extends object>(started: () => T | undefined, name: string): T {
	const theStarted = () => {
		const it = started();
		if (!it) throw new Error(`${name} is there in tests and hooks only, once it has started.`);
		return it;
	};
	return new Proxy({} as T, {
		get: (_, property) => Reflect.get(theStarted(), property),
		set: (_, property, value) => Reflect.set(theStarted(), property, value),
	});
}
