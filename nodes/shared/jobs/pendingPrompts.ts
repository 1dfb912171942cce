import { perAccount } from '../service/perAccount';
import { plainPrompt } from './plainPrompt';

/**
 * Prompts of creations whose answer is still to come: a job of such a prompt that the history shows
 * may be the one that is just being made.
 */
export class PendingPrompts {
	private readonly counts = new Map<string, number>();

	/** @returns to be called when the answer is there, or will not come */
	add(prompt: unknown): () => void {
		const plain = plainPrompt(prompt);
		this.count(plain, 1);
		return () => this.count(plain, -1);
	}

	has(prompt: unknown): boolean {
		return this.counts.has(plainPrompt(prompt));
	}

	private count(plain: string, change: number): void {
		const count = (this.counts.get(plain) ?? 0) + change;
		if (count > 0) this.counts.set(plain, count);
		else this.counts.delete(plain);
	}
}

export const pendingOf = perAccount(() => new PendingPrompts());
