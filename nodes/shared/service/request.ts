import type { IBinaryData } from 'n8n-workflow';

import type { Values } from '../spec/conditions';

/** One HTTP request to the service, without authentication. Plain data, since a durable run stores it. */
export interface ServiceRequest {
	method: 'GET' | 'POST' | 'PUT';
	/** Relative to the base URL. */
	path: string;
	query?: Values;
	body?: Values;
	/** Values in the body that no answer may bring back, such as a password. */
	secrets?: readonly string[];
	/** Files that the body names; when it is sent, they take the place of their names. */
	files?: readonly NamedFile[];
}

/** A file that a field of the body names. */
export interface NamedFile {
	field: string;
	/** What stands for it in the field's value: a name in the item, or the URL at which n8n fetches it. */
	text: string;
	/** Whether it travels with the request; otherwise, the service fetches it from n8n. */
	isCarried: boolean;
	/** What the file itself is called. */
	name: string;
	/** The file of the item; none where n8n fetches it. */
	data?: IBinaryData;
	/** Its size in bytes. */
	size?: number;
}

/** Whether files travel with a request. */
export const carriesFiles = ({ files = [] }: ServiceRequest): boolean =>
	files.some(({ isCarried }) => isCarried);

/** What tells one request from another. It stays the same when the node runs again; n8n's file IDs would not. */
export const identityOf = ({ files, ...request }: ServiceRequest): object => ({
	...request,
	files: files?.map(({ data, ...file }) => ({ ...file, type: data?.mimeType })),
});
