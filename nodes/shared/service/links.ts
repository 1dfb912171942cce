import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { own, type Values } from '../spec/conditions';
import type { LinkedFile, RequestLinks } from './request';
import { NOTHING_SENT, ServiceError } from './serviceError';

/** The helpers with which n8n gives a stored file an address, and tells whether it still has the file. */
export type LinkHelpers = Pick<
	IExecuteFunctions['helpers'],
	'createBinarySignedUrl' | 'getBinaryMetadata'
>;

/**
 * An address at which anybody can fetch a file of n8n's store for a while, without a login.
 *
 * @param seconds how long the address works
 * @throws Error of n8n, which has no address for a file in memory
 */
export function addressOf(
	helpers: Pick<LinkHelpers, 'createBinarySignedUrl'>,
	{ id }: Pick<LinkedFile, 'id'>,
	seconds: number,
): string {
	// n8n signs only the ID.
	return helpers.createBinarySignedUrl({ id } as IBinaryData, `${Math.ceil(seconds)}s`);
}

/**
 * The body with new addresses where it names files.
 *
 * @throws ServiceError when n8n does not have a file any more; nothing has been sent
 */
export async function withAddresses(
	helpers: LinkHelpers,
	body: Values,
	{ files, seconds }: RequestLinks,
): Promise<Values> {
	const addressed = async (text: unknown, named: Readonly<Record<string, LinkedFile>>) => {
		const file = typeof text === 'string' ? own<LinkedFile>(named, text) : undefined;
		return file ? await addressNow(helpers, file, seconds) : text;
	};
	const entries = Object.entries(files).map(async ([field, named]) => {
		const value = own(body, field);
		const sent = Array.isArray(value)
			? await Promise.all(value.map(async (part) => await addressed(part, named)))
			: await addressed(value, named);
		return [field, sent];
	});
	return { ...body, ...Object.fromEntries(await Promise.all(entries)) };
}

/** Turns n8n's errors into one that says that nothing was sent: theirs would leave open whether a job was paid for. */
async function addressNow(helpers: LinkHelpers, file: LinkedFile, seconds: number) {
	try {
		await helpers.getBinaryMetadata(file.id);
		return addressOf(helpers, file, seconds);
	} catch (error) {
		throw gone(file, (error as Error).message);
	}
}

function gone({ name }: LinkedFile, reason: string): ServiceError {
	return new ServiceError({
		message: `The file ${name} is no longer in n8n's store (${reason})`,
		description: `Run the node before this one again. ${NOTHING_SENT}`,
		outcome: 'notSent',
	});
}
