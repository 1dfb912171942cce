import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { getCatalogFields, getCatalogOperations } from '../shared/catalog/methods';
import { catalogProperties } from '../shared/form/catalogProperties';
import { OUTPUTS } from '../shared/form/outputs';
import { subtitleOf } from '../shared/form/subtitle';
import { WAITING_TOOLTIP } from '../shared/form/waitingTooltip';
import { executeCatalog } from '../shared/node/execute';
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
		subtitle: subtitleOf(MUSIC_CATALOG),
		description:
			'Make songs, sounds, stems and voices with the Media Generation Service and get their URLs',
		defaults: { name: 'MediaGen Music' },
		usableAsTool: true,
		waitingNodeTooltip: WAITING_TOOLTIP,
		inputs: [NodeConnectionTypes.Main],
		outputs: OUTPUTS,
		credentials: [{ name: 'mediaGenApi', required: true }],
		properties: catalogProperties(MUSIC_CATALOG),
	};

	methods = {
		loadOptions: { getCatalogOperations },
		resourceMapping: { getCatalogFields },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeCatalog(this, MUSIC_CATALOG);
	}
}
