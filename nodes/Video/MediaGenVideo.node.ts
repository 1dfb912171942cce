import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { catalogProperties } from '../shared/form/catalogProperties';
import { OUTPUTS } from '../shared/form/outputs';
import { subtitleOf } from '../shared/form/subtitle';
import { WAITING_TOOLTIP } from '../shared/form/waitingTooltip';
import { executeCatalog } from '../shared/node/execute';
import { VIDEO_CATALOG } from '../shared/spec/catalogs';

export class MediaGenVideo implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'MediaGen Video',
		name: 'mediaGenVideo',
		icon: {
			light: 'file:../../icons/mediagenVideo.svg',
			dark: 'file:../../icons/mediagenVideo.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(VIDEO_CATALOG),
		description: 'Make videos with the Media Generation Service and get their URLs',
		defaults: { name: 'MediaGen Video' },
		usableAsTool: true,
		waitingNodeTooltip: WAITING_TOOLTIP,
		inputs: [NodeConnectionTypes.Main],
		outputs: OUTPUTS,
		credentials: [{ name: 'mediaGenApi', required: true }],
		properties: catalogProperties(VIDEO_CATALOG),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeCatalog(this, VIDEO_CATALOG);
	}
}
