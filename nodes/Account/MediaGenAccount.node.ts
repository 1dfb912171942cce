import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { executeAccount } from '../runtime';
import { BUILDER_HINT, properties, SUBTITLE, WAITING_TOOLTIP } from './MediaGenAccount.form';

export class MediaGenAccount implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'MediaGen Account',
		name: 'mediaGenAccount',
		icon: {
			light: 'file:../../icons/mediagenAccount.svg',
			dark: 'file:../../icons/mediagenAccount.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: SUBTITLE,
		description: 'Profile, credits and API keys of the Media Generation Service',
		defaults: { name: 'MediaGen Account' },
		builderHint: BUILDER_HINT,
		usableAsTool: true,
		waitingNodeTooltip: WAITING_TOOLTIP,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'mediaGenApi', required: true }],
		properties: properties(),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeAccount(this);
	}
}
