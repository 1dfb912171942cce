/** When something is due, and why then. */
export interface Planned {
	/** Elapsed ms; Infinity if only news can make it due. */
	at: number;
	/** In words, for people who follow what is sent (`npm run trace`, n8n's debug log). */
	because: string;
}

/** The one that is due first; of equals the first. */
export const soonest = (...planned: readonly Planned[]): Planned =>
	planned.reduce((one, other) => (other.at < one.at ? other : one));

/** The one that is due last; of equals the first. */
export const latest = (...planned: readonly Planned[]): Planned =>
	planned.reduce((one, other) => (other.at > one.at ? other : one));
