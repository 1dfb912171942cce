import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { FileIdentity, LinkedFile, RequestLinks } from '../service/request';
import { NOTHING_SENT, ServiceError } from '../service/serviceError';
import { shownAddress } from '../service/shownText';
import { own, type Values } from '../spec/conditions';
import type { UploadMode } from '../spec/music/fields';
import { reasonOf } from './download';

/** A file that travels with a request: not known by n8n's ID, which is another one when the execution is retried. */
export interface Upload {
	identity: FileIdentity;
	/** @param signal gives up reading */
	read(signal?: AbortSignal): Promise<File>;
}

/**
 * Reads files and makes the body that carries them: a form, or JSON with the files as texts.
 *
 * @throws ServiceError when a file cannot be read; nothing has been sent
 */
export async function uploadBody(
	values: Values,
	mode: UploadMode,
	uploads: Readonly<Record<string, Upload>>,
	signal?: AbortSignal,
): Promise<object> {
	const form = new FormData();
	const texts: Record<string, unknown> = { ...values };
	for (const [name, value] of Object.entries(values))
		form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
	// Last: a service that reads a form as it arrives then knows what they are for.
	for (const [field, { identity, read }] of Object.entries(uploads)) {
		const file = await read(signal).catch((error: unknown) => {
			const { url, name } = identity;
			const shown = shownAddress(String(url ?? name));
			throw unsent(`The file ${shown} could not be uploaded: ${reasonOf(error)}`);
		});
		if (mode === 'base64') texts[field] = Buffer.from(await file.arrayBuffer()).toString('base64');
		else form.append(field, file);
	}
	return mode === 'base64' ? texts : form;
}

type Helpers = Pick<IExecuteFunctions['helpers'], 'createBinarySignedUrl' | 'getBinaryMetadata'>;

/**
 * An address at which anybody can fetch a file of n8n's store for a while, without a login.
 *
 * @throws Error of n8n, which has no address for a file in memory
 */
export const addressOf = (helpers: Helpers, id: string, seconds: number): string =>
	// n8n signs only the ID.
	helpers.createBinarySignedUrl({ id } as IBinaryData, `${Math.ceil(seconds)}s`);

/**
 * The body with new addresses where it names files that the service fetches.
 *
 * @throws ServiceError when n8n does not have a file any more; nothing has been sent
 */
export async function withAddresses(
	helpers: Helpers,
	body: Values,
	{ files, seconds }: RequestLinks,
): Promise<Values> {
	const sent: Record<string, unknown> = { ...body };
	for (const [field, named] of Object.entries(files)) {
		const addressed = async (text: unknown) => {
			const file = own<LinkedFile>(named, String(text));
			return file ? await addressNow(helpers, file, seconds) : text;
		};
		const value = own(body, field);
		const isList = Array.isArray(value);
		sent[field] = isList ? await Promise.all(value.map(addressed)) : await addressed(value);
	}
	return sent;
}

/** Turns n8n's errors into one that says that nothing was sent: theirs would leave open whether a job was paid for. */
async function addressNow(helpers: Helpers, { id, name }: LinkedFile, seconds: number) {
	try {
		await helpers.getBinaryMetadata(id);
		return addressOf(helpers, id, seconds);
	} catch (error) {
		const message = `The file ${name} is no longer in n8n's store (${reasonOf(error)})`;
		throw unsent(message, `Run the node before this one again. ${NOTHING_SENT}`);
	}
}

const unsent = (message: string, description = NOTHING_SENT) =>
	new ServiceError({ message, description, outcome: 'notSent' });
