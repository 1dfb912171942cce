import type { Values } from '../spec/conditions';

/** One HTTP request to the service, without authentication. */
export interface ServiceRequest {
	method: 'GET' | 'POST' | 'PUT';
	/** Relative to the base URL. */
	path: string;
	query?: Values;
	body?: Values;
	/** Values in the body that no answer may bring back, such as a password. */
	secrets?: readonly string[];
	/** Files that travel with the body; they are read when it is sent. */
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

/** The files of a request. `JSON.stringify` gives what tells them from others. */
interface RequestFiles {
	/** By field. */
	identities: Readonly<Record<string, FileIdentity>>;
	/**
	 * Reads the files and makes the body that carries them; a plain object is sent as JSON.
	 *
	 * @param signal gives up reading them
	 * @throws ServiceError when a file cannot be read; nothing has been sent
	 */
	body(values: Values, signal?: AbortSignal): Promise<object>;
}

/** What tells a file from another: the same whenever the node runs again. */
export type FileIdentity = Readonly<Record<string, string | number>>;
