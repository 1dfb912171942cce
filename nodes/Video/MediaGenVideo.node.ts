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
		subtitle: SUBTITLE,
		description: 'Make videos with the Media Generation Service and get their URLs',
		defaults: { name: 'MediaGen Video' },
		builderHint: CREATING_HINT,
		usableAsTool: true,
		waitingNodeTooltip: WAITING_TOOLTIP,
		inputs: [NodeConnectionTypes.Main],
		outputs: OUTPUTS,
		credentials: [{ name: 'mediaGenApi', required: true }],
		properties: nodeProperties(VIDEO_CATALOG),
	};

	methods = { listSearch: { searchJobs } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeCatalog(this, VIDEO_CATALOG);
	}
}
