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
import { IMAGE_CATALOG } from '../shared/spec/catalogs';

export class MediaGenImage implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'MediaGen Image',
		name: 'mediaGenImage',
		icon: {
			light: 'file:../../icons/mediagenImage.svg',
			dark: 'file:../../icons/mediagenImage.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(IMAGE_CATALOG),
		description: 'Make images with the Media Generation Service and get their URLs',
		defaults: { name: 'MediaGen Image' },
		usableAsTool: true,
		waitingNodeTooltip: WAITING_TOOLTIP,
		inputs: [NodeConnectionTypes.Main],
		outputs: OUTPUTS,
		credentials: [{ name: 'mediaGenApi', required: true }],
		properties: catalogProperties(IMAGE_CATALOG),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeCatalog(this, IMAGE_CATALOG);
	}
}
