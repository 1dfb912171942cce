import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { executeCatalog } from '../shared/durable/execute';
import { nodeProperties } from '../shared/form/node';
import { ACCOUNT_HINT, SUBTITLE } from '../shared/form/words';
import { ACCOUNT_CATALOG } from '../shared/spec/catalogs';

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
		builderHint: ACCOUNT_HINT,
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'mediaGenApi', required: true }],
		properties: nodeProperties(ACCOUNT_CATALOG),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeCatalog(this, ACCOUNT_CATALOG);
	}
}
