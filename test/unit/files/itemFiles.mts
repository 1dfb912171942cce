import type { IDataObject, INode } from 'n8n-workflow';

import { OPEN_PATHS } from '../../../sandbox/settings.mts';
import { joined } from '../../support/audioFiles.mts';
import { runNode } from '../../support/product.mts';
import { virtualContext } from '../../support/virtualContext.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { fakeContext, type FakeFile } from './fakeContext.mts';

/** A node that makes a video of the picture in the binary field `data`. */

export const PNG = joined(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(500));

export const NODE: INode = {
	id: '1',
	name: 'MediaGen',
	type: 'n8n-nodes-mediagen.mediaGenVideo',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

export const PARAMETERS = {
	resource: 'vidA31',
	operation: 'generate',
	model: 'modelA_fast',
	aspectRatio: '16:9',
	imageUrls: 'data',
	waitForCompletion: true,
};

type Files = Record<string, FakeFile>;

interface Given {
	kind?: 'video' | 'music';
	/** In place of those of a video of a picture. */
	parameters?: IDataObject;
	/** Given as they are, as by an expression. */
	evaluated?: IDataObject;
	credential?: IDataObject;
	/** Address of n8n. */
	address?: string;
	isInMemory?: boolean;
}

/** A job is ordered of an item with these files: what the service is sent, or the error. */
export async function orderedWith(files: Files, given: Given = {}) {
	const { kind = 'video', parameters = PARAMETERS, evaluated, credential = {}, ...world } = given;
	const n8n = new VirtualN8n(
		{ settings: { shapes: { music: { upload: uploadOf(credential) } } } },
		{ ...OPEN_PATHS, ...credential },
	);
	const { context: fake } = fakeContext(files, world);
	const context = virtualContext({
		...{ network: n8n.network, credential: n8n.credential, kind },
		items: fake.getInputData(),
		parameters: { prompt: 'a kite', ...parameters, waitForCompletion: false },
		...{ evaluated, node: NODE, memory: {}, executionId: '1', mode: 'trigger' },
		...{ hints: [], messages: [] },
	});
	const { prepareBinaryData } = fake.helpers;
	Object.assign(context.helpers, { ...fake.helpers, ...context.helpers, prepareBinaryData });
	const error = await n8n.clock.run(runNode(kind, context, n8n.clock)).then(
		() => undefined,
		(thrown: Error & { description?: string }) => thrown,
	);
	const [sent] = n8n.state.journal.ofKind('create').map(({ body }) => body as IDataObject);
	if (error) expect(n8n.state.account.charges).toEqual([]);
	return { error, message: error?.message, sent };
}

const uploadOf = ({ uploadAs = 'multipart' }: IDataObject) => uploadAs as 'multipart';
