/** Identifiers that are remembered; the oldest are forgotten. */
const REMEMBERED = 20_000;

/** Jobs of an account whose order is known: none may be taken for the job of another order. */
export class Claims {
	private readonly ids = new Set<string>();

	add(id: string): void {
		this.ids.add(id);
		if (this.ids.size <= REMEMBERED) return;
		for (const oldest of this.ids) {
			this.ids.delete(oldest);
			return;
		}
	}

	has(id: string): boolean {
		return this.ids.has(id);
	}
}
