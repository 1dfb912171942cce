/** A failure the person at the terminal can act on: shown as its message alone, without a stack. */
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

/** Stops with a plain message when the running Node cannot run these tools at all. */
export function requireNode20() {
	const version = process.versions.node;
	if (Number(version.split('.')[0]) >= 20) return;
	throw new ToolError(
		`This is Node ${version}, and the tools of this repository need Node 20 or newer. ` +
			'Install a current Node (https://nodejs.org) and run the command again.',
	);
}

/**
 * What is shown of an error: the message of a {@link ToolError}, all of anything else.
 *
 * @param {unknown} error
 */
export function describeError(error) {
	if (error instanceof ToolError) return error.message;
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
