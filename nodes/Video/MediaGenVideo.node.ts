import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { executeVideo, searchJobs } from '../runtime';
import { BUILDER_HINT, OUTPUTS, properties, SUBTITLE, WAITING_TOOLTIP } from './MediaGenVideo.form';

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
		return await executeVideo(this);
	}
}
