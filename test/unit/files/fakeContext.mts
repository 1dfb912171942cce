import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { bytesOf, joined, type MadeFile } from '../../support/audioFiles.mts';

export interface FakeFile {
	file: MadeFile;
	/** As the item says. */
	fileName?: string;
	mimeType?: string;
	/** In the item itself, not in n8n's store. */
	inItem?: boolean;
	/** In n8n's store, in the place of an execution that has no id yet. */
	isTemporary?: boolean;
	/** Gone from n8n's store. */
	isGone?: boolean;
}

/** A node's context with one item that has these files. */
export function fakeContext(
	files: Record<string, FakeFile>,
	{ address = 'https://n8n.example', isInMemory = false } = {},
) {
	const binary = Object.fromEntries(
		Object.entries(files).map(([name, file]) => [name, binaryData(name, file)]),
	);
	const stored = (id: string) => {
		const found = files[id.slice(id.lastIndexOf('/') + 1).replace('store:', '')];
		if (!found || found.isGone) throw new Error('The file is gone');
		return found.file;
	};
	let copies = 0;
	const context = {
		getInputData: () => [{ json: {}, binary }],
		helpers: {
			// One that is handed over is taken as it is.
			assertBinaryData: (_: number, given: string | IBinaryData) => {
				if (typeof given !== 'string') return given;
				if (!binary[given]) throw new Error(`no ${given}`);
				return binary[given];
			},
			getBinaryMetadata: async (id: string) => ({ fileSize: stored(id).size }),
			createBinarySignedUrl: ({ id }: IBinaryData, expiresIn?: string) => {
				if (!id) throw new Error('URL signing is not available in memory mode');
				return `${address}/rest/binary-data/signed?token=${id}.${expiresIn}`;
			},
			prepareBinaryData: async (
				content: Buffer | Readable,
				fileName?: string,
				mimeType: string = '',
			) => {
				const bytes = await buffer(Readable.from(content));
				if (isInMemory) return { data: bytes.toString('base64'), mimeType, fileName };
				const name = `copy${(copies += 1)}`;
				files[name] = { file: joined(bytes) };
				return { data: 'filesystem-v2', id: `store:${name}`, mimeType, fileName };
			},
			binaryToBuffer: async (body: Buffer | Readable) => await buffer(Readable.from(body)),
			getBinaryStream: async (id: string) => Readable.from(stored(id).chunks()),
		},
	};
	return { context: context as unknown as IExecuteFunctions };
}

function binaryData(
	name: string,
	{ file, inItem, isTemporary, fileName, mimeType = '' }: FakeFile,
): IBinaryData {
	const place = inItem
		? { data: bytesOf(file).toString('base64') }
		: { data: 'filesystem-v2', id: `store:${isTemporary ? '/executions/temp/' : ''}${name}` };
	return { ...place, mimeType, ...(fileName === undefined ? {} : { fileName }) };
}
