import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { systemClock } from '../clock/clock';
import { fetchFile, type HttpHelpers, reasonOf } from '../output/fetchFile';
import { lastSegment } from '../output/mediaFormat';
import type { FileIdentity } from '../service/request';
import { NOTHING_SENT, ServiceError } from '../service/serviceError';
import { shownAddress } from '../service/shownText';
import type { Values } from '../spec/conditions';
import type { UploadMode } from '../spec/music/fields';

/** A file that the user names, before it is read. */
export interface FileSource {
	identity: FileIdentity;
	/** What messages call it. */
	shown: string;
	/** @param signal gives up reading */
	read(signal?: AbortSignal): Promise<ReadFile>;
}

interface ReadFile {
	name: string;
	/** MIME type. */
	type: string;
	bytes: Buffer;
}

type BytesHelpers = Pick<IExecuteFunctions['helpers'], 'binaryToBuffer' | 'getBinaryStream'>;

/**
 * Reads files and makes the body that carries them: a form, or JSON with the files as texts.
 *
 * @param signal gives up reading them
 * @throws ServiceError when a file cannot be read; nothing has been sent
 */
export async function uploadBody(
	values: Values,
	as: Exclude<UploadMode, 'url'>,
	sources: Readonly<Record<string, FileSource>>,
	signal?: AbortSignal,
): Promise<object> {
	const files: Array<[field: string, file: ReadFile]> = [];
	for (const [field, source] of Object.entries(sources)) {
		files.push([field, await readSource(source, signal)]);
	}
	if (as === 'base64') {
		const texts = files.map(([field, { bytes }]) => [field, bytes.toString('base64')]);
		return { ...values, ...Object.fromEntries(texts) };
	}
	const form = new FormData();
	for (const [name, value] of Object.entries(values)) {
		form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
	}
	// Last: a service that reads a form as it arrives then knows what they are for.
	for (const [field, { name, type, bytes }] of files) {
		form.append(field, new Blob([bytes], { type }), name);
	}
	return form;
}

async function readSource(source: FileSource, signal?: AbortSignal): Promise<ReadFile> {
	return await source.read(signal).catch((error: unknown) => {
		throw new ServiceError({
			message: `The file ${source.shown} could not be uploaded: ${reasonOf(error)}`,
			description: NOTHING_SENT,
			outcome: 'notSent',
		});
	});
}

/** A file of an item, wherever n8n keeps it: as an id in its store, or in the item itself. */
export function itemSource(
	helpers: BytesHelpers,
	{ id, data }: IBinaryData,
	identity: { name: string; type: string; size: number },
): FileSource {
	return {
		// Not n8n's ID: the same file may have another one when the execution is retried.
		identity,
		shown: identity.name,
		read: async () => ({
			...identity,
			bytes: id
				? await helpers.binaryToBuffer(await helpers.getBinaryStream(id))
				: Buffer.from(data, 'base64'),
		}),
	};
}

/**
 * A file at an address.
 *
 * @param mayBePrivate whether it may be fetched from inside a private network
 */
export function urlSource(
	helpers: BytesHelpers & HttpHelpers,
	url: string,
	mayBePrivate: boolean,
): FileSource {
	return {
		identity: { url },
		shown: shownAddress(url),
		read: async (signal) => {
			const fetching = { helpers, clock: systemClock, signal, mayBePrivate };
			return await fetchFile(url, fetching, async ({ type, body }) => ({
				name: lastSegment(url) || 'audio',
				type,
				bytes: await helpers.binaryToBuffer(body),
			}));
		},
	};
}
