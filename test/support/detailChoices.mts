import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { CREDENTIAL } from './product.mts';

/** What a row of the credential's Service Details may be. */
export function detailChoices(): INodePropertyOptions[] {
	const list = CREDENTIAL.properties.find(({ name }) => name === 'serviceDetails')!;
	const [{ values }] = list.options as [INodePropertyCollection];
	const what = values.find(({ name }) => name === 'what') as INodeProperties;
	return what.options as INodePropertyOptions[];
}
