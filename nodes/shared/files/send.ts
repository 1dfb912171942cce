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
			const message = `The file ${shown} could not be uploaded: ${reasonOf(error)}`;
			throw new ServiceError({ message, description: NOTHING_SENT, outcome: 'notSent' });
		});
		if (mode === 'base64') texts[field] = Buffer.from(await file.arrayBuffer()).toString('base64');
		else form.append(field, file);
	}
	return mode === 'base64' ? texts : form;
}

type Helpers = Pick<IExecuteFunctions['helpers'], 'createBinarySignedUrl'>;

/**
 * An address at which anybody can fetch a file of n8n's store for a while, without a login.
 *
 * @throws Error of n8n, which has no address for a file in memory
 */
export const addressOf = (helpers: Helpers, id: string, seconds: number): string =>
	// n8n signs only the ID.
	helpers.createBinarySignedUrl({ id } as IBinaryData, `${Math.ceil(seconds)}s`);

/** The body with new addresses where it names files that the service fetches. */
export function withAddresses(
	helpers: Helpers,
	body: Values,
	{ files, seconds }: RequestLinks,
): Values {
	const sent: Record<string, unknown> = { ...body };
	for (const [field, named] of Object.entries(files)) {
		const addressed = (text: unknown) => {
			const file = own<LinkedFile>(named, String(text));
			return file ? addressOf(helpers, file.id, seconds) : text;
		};
		const value = own(body, field);
		sent[field] = Array.isArray(value) ? value.map(addressed) : addressed(value);
	}
	return sent;
}
