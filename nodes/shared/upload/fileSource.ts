import type { UploadMode } from '../spec/music/uploads';

/** A file that the user names, before it is opened. `JSON.stringify` gives what identifies it. */
export interface FileSource {
	/** Tells this file from another; the same whenever the node runs again. */
	readonly identity: Readonly<Record<string, string | number | undefined>>;
	/**
	 * @param signal gives up opening and reading
	 * @throws ServiceError when it cannot be read
	 */
	open(signal?: AbortSignal): Promise<OpenFile>;
}

/** A file that is being read; `close` ends that, whether it was read or not. */
export interface OpenFile {
	name: string;
	/** MIME type. */
	type: string;
	/** Bytes, where that is known before it is read. */
	size?: number;
	/** Can be read once. */
	chunks: AsyncIterable<Buffer>;
	close(): void;
}

/** The files of a request, by field, and how they travel. */
export interface RequestFiles {
	as: Exclude<UploadMode, 'url'>;
	sources: Readonly<Record<string, FileSource>>;
}
