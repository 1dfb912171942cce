import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { triggerProperties } from '../shared/form/trigger';
import { TRIGGER_HINT, TRIGGER_SUBTITLE } from '../shared/form/words';
import { pollTrigger } from '../shared/trigger/pollTrigger';

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
		subtitle: TRIGGER_SUBTITLE,
		description: 'Start a workflow when a generation has finished or failed',
		defaults: { name: 'MediaGen Trigger' },
		builderHint: TRIGGER_HINT,
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'mediaGenApi', required: true }],
		properties: triggerProperties(),
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollTrigger(this);
	}
}
