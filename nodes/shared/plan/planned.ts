/** When something is due, and why then. */
export interface Planned {
	/** elapsed ms; Infinity where nothing but news changes that. */
	at: number;
	/** In words, for whoever follows what is sent (`npm run trace`, n8n's debug log). */
	because: string;
}

/** The one that is due first; of equals the first. */
export const soonest = (...planned: readonly Planned[]): Planned =>
	planned.reduce((one, other) => (other.at < one.at ? other : one));

/** The one that is due last; of equals the first. */
export const latest = (...planned: readonly Planned[]): Planned =>
	planned.reduce((one, other) => (other.at > one.at ? other : one));
