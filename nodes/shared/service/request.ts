import type { Values } from '../spec/conditions';
import type { UploadMode } from '../spec/music/fields';

/** One HTTP request to the service, without authentication. */
export interface ServiceRequest {
	method: 'GET' | 'POST' | 'PUT';
	/** Relative to the base URL. */
	path: string;
	query?: Values;
	body?: Values;
	/** Values in the body that no answer may bring back, such as a password. */
	secrets?: readonly string[];
	/** Files that travel with the body; they are opened when it is sent. */
	files?: RequestFiles;
	/** Files that the service fetches from n8n; their addresses are made when it is sent. */
	links?: RequestLinks;
}

/** What tells one request from another. It stays the same when the node runs again; n8n's file IDs would not. */
export function identityOf({ links, ...request }: ServiceRequest): object {
	if (!links) return request;
	const files = Object.entries(links.files).map(([field, named]) => [
		field,
		Object.entries(named).map(([text, { name, type, size }]) => [text, name, type, size]),
	]);
	return { ...request, links: files };
}

/** Files in n8n's store whose addresses go into the body. Plain data, since a durable run stores it. */
export interface RequestLinks {
	/** How long an address works, in s. */
	seconds: number;
	/** By field, and by the text in its value that stands for the file. */
	files: Readonly<Record<string, Readonly<Record<string, LinkedFile>>>>;
}

/** A file in n8n's store. */
export interface LinkedFile {
	/** n8n's ID of the file. */
	id: string;
	name: string;
	/** MIME type. */
	type: string;
	/** Bytes. */
	size: number;
}

/** The files of a request, by field, and how they travel. */
export interface RequestFiles {
	as: Exclude<UploadMode, 'url'>;
	sources: Readonly<Record<string, FileSource>>;
	/**
	 * Opens the files and makes the body that carries them.
	 *
	 * @param signal gives up opening and reading them
	 * @throws ServiceError when a file cannot be read; nothing has been sent
	 */
	open(body: Values, signal?: AbortSignal): Promise<RequestBody>;
}

/** The body of a request, its files open. */
export interface RequestBody {
	/** A plain object is sent as JSON. */
	content: object | undefined;
	/** Whether all of it has been handed over to be sent. */
	isRead(): boolean;
	/** Closes the files, whatever became of the request. */
	close(): void;
}

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

/** An open file; `close` lets go of it, whether it was read to its end or not. */
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
