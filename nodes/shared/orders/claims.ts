/** Keeps a value under a key; if there are more than `most`, the oldest is forgotten. */
export function keepLatest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
	map.set(key, value);
	const [oldest] = map.keys();
	if (map.size > most && oldest !== undefined) map.delete(oldest);
}

/** How many identifiers are remembered. */
const REMEMBERED = 20_000;

/** Jobs of an account whose order is known: none may be taken for the job of another order. */
export class Claims {
	private readonly ids = new Map<string, true>();

	add(id: string): void {
		keepLatest(this.ids, id, true, REMEMBERED);
	}

	has(id: string): boolean {
		return this.ids.has(id);
	}
}
