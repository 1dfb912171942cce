import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { pollJobs } from '../runtime';
import { BUILDER_HINT, properties, SUBTITLE } from './MediaGenTrigger.form';

export class MediaGenTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'MediaGen Trigger',
		name: 'mediaGenTrigger',
		icon: {
			light: 'file:../../icons/mediagenTrigger.svg',
			dark: 'file:../../icons/mediagenTrigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: SUBTITLE,
		description: 'Start a workflow when a generation has finished or failed',
		defaults: { name: 'MediaGen Trigger' },
		builderHint: BUILDER_HINT,
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'mediaGenApi', required: true }],
		properties: properties(),
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollJobs(this);
	}
}
