import type { AnyOperation, CatalogOperation, Field } from '../types';
import { CATALOG } from './resources';

/** Fields of a catalog answer `{ success, data: { models, operations } }` (section "Music catalog"). */
export const MODELS_FIELD = 'models';
export const OPERATIONS_FIELD = 'operations';

/** Row of the open points whose setting carries the path of the catalog. */
export const CATALOG_PATH = 'musicCatalogPath';

/** Field that names the operation to run; not the service's, which has it in the path. */
export const OPERATION_ID = 'operationId';

export const DEFAULT_LANGUAGE = 'en';

const language: Field = {
	name: 'language',
	label: 'Language',
	type: 'text',
	presence: 'expected',
	default: DEFAULT_LANGUAGE,
	placeholder: DEFAULT_LANGUAGE,
	description: 'Language of labels and help, where the path in the credential has {language}',
};

export const GET_CATALOG: CatalogOperation = {
	kind: 'catalog',
	resource: CATALOG.value,
	operation: 'get',
	label: 'Get',
	action: 'Get the music catalog',
	description: 'Read the models and operations of the music studio, as one item',
	method: 'GET',
	path: { openPoint: CATALOG_PATH },
	fields: [language],
};

export const RUN_ANY: AnyOperation = {
	kind: 'any',
	resource: CATALOG.value,
	operation: 'run',
	label: 'Run Any Operation',
	action: 'Run any music operation',
	description: 'Run an operation of the live catalog, also one that this node does not list',
	method: 'POST',
	path: { openPoint: 'musicSubmitPath' },
	fields: [language],
};
