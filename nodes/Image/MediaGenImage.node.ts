import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { executeCatalog } from '../shared/durable/execute';
import { nodeProperties } from '../shared/form/node';
import { CREATING_HINT, OUTPUTS, SUBTITLE, WAITING_TOOLTIP } from '../shared/form/words';
import { searchJobs } from '../shared/run/searchJobs';
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
		subtitle: SUBTITLE,
		description: 'Make images with the Media Generation Service and get their URLs',
		defaults: { name: 'MediaGen Image' },
		builderHint: CREATING_HINT,
		usableAsTool: true,
		waitingNodeTooltip: WAITING_TOOLTIP,
		inputs: [NodeConnectionTypes.Main],
		outputs: OUTPUTS,
		credentials: [{ name: 'mediaGenApi', required: true }],
		properties: nodeProperties(IMAGE_CATALOG),
	};

	methods = { listSearch: { searchJobs } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeCatalog(this, IMAGE_CATALOG);
	}
}
