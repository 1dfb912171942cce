import type { INode } from 'n8n-workflow';

import { joined } from '../../support/audioFiles.mts';

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
