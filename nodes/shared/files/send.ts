import type { IBinaryData } from 'n8n-workflow';

import { NOTHING_SENT, ServiceError } from '../service/serviceError';
import type { NamedFile, ServiceRequest, Readable, Service } from '../service/service';
import { shownAddress } from '../service/shownText';
import type { Values } from '../spec/values';
import { fetchFile, type Fetching, reasonOf } from './download';

type Helpers = Fetching['helpers'];

/** How long the service can fetch a file from n8n, in s: the job may be queued, or nobody may wait for it. */
const FETCHED_S = 86_400;

/**
 * An address at which anybody can fetch a file of n8n's store for a while, without a login.
 *
 * @throws Error of n8n, which has no address for a file in memory
 */
export const addressOf = (helpers: Helpers, file: IBinaryData): string =>
	helpers.createBinarySignedUrl(file, `${FETCHED_S}s`);

/** Where the files of a request are, and where they go. */
interface Sending extends Fetching {
	service: Pick<Service, 'baseUrl' | 'uploadMode'>;
}

/**
 * The body of a request as it is sent, with its files in place of their names: an object that is sent as JSON, or a form.
 *
 * @throws ServiceError when a file cannot be read; nothing has been sent
 */
export async function bodyWithFiles(
	{ body = {}, files = [] }: ServiceRequest,
	sending: Sending,
): Promise<object> {
	const { uploadMode } = sending.service;
	let values = body;
	let isForm = false;
	for (const named of files) {
		const { field, text, data, isCarried } = named;
		const { [field]: given, ...others } = values;
		if (isCarried) {
			const content = await readFile(named, sending);
			isForm = uploadMode === 'multipart';
			// Last: a service that reads a form as it arrives then knows what the file is for.
			values = { ...others, [field]: isForm ? content : await base64Of(content) };
		} else {
			const address = addressOf(sending.helpers, data!);
			const sent = [given].flat().map((one) => (one === text ? address : one));
			values = { ...values, [field]: Array.isArray(given) ? sent : sent[0] };
		}
	}
	return isForm ? formOf(values) : values;
}

function formOf(values: Values): FormData {
	const form = new FormData();
	for (const [name, value] of Object.entries(values)) {
		if (value instanceof File) form.append(name, value);
		else form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
	}
	return form;
}

const base64Of = async (file: File) => Buffer.from(await file.arrayBuffer()).toString('base64');

/** @throws ServiceError when it cannot be read */
async function readFile({ data, name, text }: NamedFile, sending: Sending): Promise<File> {
	const { helpers } = sending;
	const read = async (content: Buffer | Readable, type: string) =>
		new File([await helpers.binaryToBuffer(content)], name, { type });
	const reading = data
		? contentOf(helpers, data).then(async (content) => await read(content, data.mimeType))
		: fetchFile(text, sending, read);
	return await reading.catch((error: unknown) => {
		const shown = data ? name : shownAddress(text);
		const message = `The file ${shown} could not be uploaded: ${reasonOf(error)}`;
		throw new ServiceError({ message, description: NOTHING_SENT, outcome: 'notSent' });
	});
}

/** The content of a file, wherever n8n keeps it. */
export const contentOf = async (helpers: Helpers, { id, data }: IBinaryData) =>
	id ? await helpers.getBinaryStream(id) : Buffer.from(data, 'base64');
