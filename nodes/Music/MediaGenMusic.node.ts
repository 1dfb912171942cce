import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { executeMusic, searchJobs } from '../runtime';
import { BUILDER_HINT, OUTPUTS, properties, SUBTITLE, WAITING_TOOLTIP } from './MediaGenMusic.form';

export class MediaGenMusic implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'MediaGen Music',
		name: 'mediaGenMusic',
		icon: {
			light: 'file:../../icons/mediagenMusic.svg',
			dark: 'file:../../icons/mediagenMusic.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: SUBTITLE,
		description:
			'Make songs, sounds, stems and voices with the Media Generation Service and get their URLs',
		defaults: { name: 'MediaGen Music' },
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
		return await executeMusic(this);
	}
}
