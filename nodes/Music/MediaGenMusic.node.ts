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
import { MUSIC_CATALOG } from '../shared/spec/catalogs';

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
		builderHint: CREATING_HINT,
		usableAsTool: true,
		waitingNodeTooltip: WAITING_TOOLTIP,
		inputs: [NodeConnectionTypes.Main],
		outputs: OUTPUTS,
		credentials: [{ name: 'mediaGenApi', required: true }],
		properties: nodeProperties(MUSIC_CATALOG),
	};

	methods = { listSearch: { searchJobs } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeCatalog(this, MUSIC_CATALOG);
	}
}
