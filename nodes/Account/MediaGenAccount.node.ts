import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { catalogProperties } from '../shared/form/catalogProperties';
import { subtitleOf } from '../shared/form/subtitle';
import { WAITING_TOOLTIP } from '../shared/form/waitingTooltip';
import { executeCatalog } from '../shared/node/execute';
import { ACCOUNT_CATALOG } from '../shared/spec/catalogs';
import { PRICE } from '../shared/spec/priceEstimate';

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
		subtitle: subtitleOf(ACCOUNT_CATALOG),
		description:
			'Profile, credits and API keys of the Media Generation Service, and what a job would cost',
		defaults: { name: 'MediaGen Account' },
		usableAsTool: true,
		waitingNodeTooltip: WAITING_TOOLTIP,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'mediaGenApi',
				required: true,
				// An estimate sends nothing.
				displayOptions: { hide: { resource: [PRICE.value] } },
			},
		],
		properties: catalogProperties(ACCOUNT_CATALOG),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeCatalog(this, ACCOUNT_CATALOG);
	}
}
