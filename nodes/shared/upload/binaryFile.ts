import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { FileSource, OpenFile } from '../service/request';
import { type AudioFacts, inspectAudio, uploadName } from './inspectAudio';
import { once, unreadableFile } from './requestBody';

export type BinaryHelpers = Pick<
	IExecuteFunctions['helpers'],
	'getBinaryStream' | 'getBinaryMetadata'
>;

/**
 * Looks at a file of an item, wherever n8n keeps it: as an id in its store, or in the item itself.
 *
 * @param property name under which the item has it
 * @throws Error when n8n cannot read it
 */
export async function inspectBinary(
	helpers: BinaryHelpers,
	data: IBinaryData,
	property: string,
): Promise<{ facts: AudioFacts; name: string; source?: FileSource }> {
	const size = await sizeOf(helpers, data);
	const chunks = data.id ? await helpers.getBinaryStream(data.id) : inMemory(data);
	const facts = await inspectAudio(chunks, size);
	const name = data.fileName || property;
	if (!facts.format) return { facts, name };

	const { mime } = facts.format;
	const file = { name: uploadName(name, facts.format), type: mime, size };
	const open = async () => await openBinary(helpers, data, file);
	// Not n8n's ID: the same file may have another one when the execution is retried.
	return { facts, name, source: { identity: file, open } };
}

type Known = Pick<OpenFile, 'name' | 'type' | 'size'>;

async function openBinary(
	helpers: BinaryHelpers,
	{ id, data }: IBinaryData,
	file: Known,
): Promise<OpenFile> {
	if (!id) return { ...file, chunks: inMemory({ data }), close: () => {} };
	const stream = await helpers.getBinaryStream(id).catch((error: Error) => {
		throw unreadableFile(file.name, `n8n cannot read it (${error.message})`);
	});
	return { ...file, chunks: stream, close: () => void stream.destroy() };
}

/** The size of a file, in bytes. */
export async function sizeOf(helpers: BinaryHelpers, { id, data }: IBinaryData): Promise<number> {
	if (!id) return Buffer.from(data, 'base64').length;
	return (await helpers.getBinaryMetadata(id)).fileSize;
}

/** A file that is in the item itself. */
const inMemory = ({ data }: Pick<IBinaryData, 'data'>) => once(Buffer.from(data, 'base64'));
