/** A failure that the person at the terminal can act on: only its message is shown, without a stack. */
export class ToolError extends Error {
	/**
	 * @param {string} message One paragraph: what happened, and what to do about it.
	 * @param {ErrorOptions} [options]
	 */
	constructor(message, options) {
		super(message, options);
		this.name = 'ToolError';
	}
}

/**
 * What to show of an error: only the message of a {@link ToolError}, but the whole stack of any other.
 *
 * @param {unknown} error
 */
export function describeError(error) {
	if (error instanceof ToolError) return error.message;
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
