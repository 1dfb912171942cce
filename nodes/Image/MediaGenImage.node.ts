import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { executeImage, searchJobs } from '../runtime';
import { BUILDER_HINT, OUTPUTS, properties, SUBTITLE, WAITING_TOOLTIP } from './MediaGenImage.form';

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
		builderHint: BUILDER_HINT,
		usableAsTool: true,
		waitingNodeTooltip: WAITING_TOOLTIP,
		inputs: [NodeConnectionTypes.Main],
		outputs: OUTPUTS,
		credentials: [{ name: 'mediaGenApi', required: true }],
		properties: properties(),
	};

	methods = { listSearch: { searchJobs } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeImage(this);
	}
}
