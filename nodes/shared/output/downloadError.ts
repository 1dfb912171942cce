/** Why a file was not downloaded, in words for the person who reads the item. */
export class DownloadError extends Error {
	/** @param isPassing whether another try may succeed */
	constructor(
		message: string,
		readonly isPassing: boolean,
	) {
		super(message);
		this.name = 'DownloadError';
	}
}

/** Any error in a few words. */
export function reasonOf(error: unknown): string {
	const { message, code } = Object(error) as { message?: string; code?: string };
	return message || code || 'the connection was closed';
}
