import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { isPrivateUrl } from '../output/privateNetworks';
import { addressOf, type LinkHelpers } from '../service/links';
import { parseUrl, withoutSecrets } from '../service/shownText';
import type { LinkedFile } from '../service/request';

export interface Linking {
	/** How long the service can fetch the files, in s. */
	seconds: number;
	/** Whether the service is inside a private network: it may reach n8n there, and n8n fetches files from there. */
	mayBePrivate: boolean;
}

export type StoreHelpers = LinkHelpers &
	Pick<IExecuteFunctions['helpers'], 'prepareBinaryData' | 'getBinaryStream'>;

/**
 * Stores a file of an item where n8n can give it an address.
 *
 * @returns the file, or the rule that it breaks, in words that go after the field's name
 * @throws Error when n8n cannot read it
 */
export async function linkBinary(
	helpers: StoreHelpers,
	data: IBinaryData,
	{ name, type, size }: Omit<LinkedFile, 'id'>,
	{ seconds, mayBePrivate }: Linking,
): Promise<{ file: LinkedFile } | { rule: string }> {
	const { id } = await inStore(helpers, data);
	const file = { id: id ?? '', name, type, size };
	const reason = id ? addressProblem(addressOf(helpers, file, seconds), mayBePrivate) : IN_MEMORY;
	return reason === undefined ? { file } : { rule: `cannot be the file "${name}": ${reason}` };
}

/** Why the service cannot fetch a file at its address; `undefined` where it may be able to. */
function addressProblem(address: string, mayBePrivate: boolean): string | undefined {
	const url = parseUrl(address);
	// A login in the address would go to the service; without it, a proxy that asks for one lets nobody in.
	const isOpen = url && WEB.includes(url.protocol) && url.username === '';
	if (isOpen && (mayBePrivate || !isPrivateUrl(address))) return undefined;
	return unreachable(url?.host ? `${url.protocol}//${url.host}` : withoutSecrets(address, []));
}

const WEB = ['http:', 'https:'];

/** Part of the IDs of files that came by a webhook or a form, which exist only until the execution ends. */
const TEMPORARY = '/temp/';

/** Stores a copy with the execution if the file is in the item itself, or in a place where it does not stay. */
async function inStore(helpers: StoreHelpers, data: IBinaryData): Promise<IBinaryData> {
	const { id, fileName, mimeType } = data;
	if (id && !id.includes(TEMPORARY)) return data;
	const content = id ? await helpers.getBinaryStream(id) : Buffer.from(data.data, 'base64');
	return await helpers.prepareBinaryData(content, fileName, mimeType);
}

const INSTEAD = 'Or upload the file to a public host before this node, and enter its URL';

const IN_MEMORY = `this n8n keeps files in memory, where they have no address. Set N8N_DEFAULT_BINARY_DATA_MODE=filesystem and start n8n again. ${INSTEAD}`;

const unreachable = (origin: string) =>
	`the service would fetch it from this n8n, whose address is ${origin}, and cannot reach that. Set WEBHOOK_URL to the address that n8n has on the internet, and start n8n again. ${INSTEAD}`;
