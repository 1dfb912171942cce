import { choice, more, number, required, text } from '../../nodes/shared/spec/field.ts';
import { MUSIC_CREATION, source } from '../../nodes/shared/spec/music.ts';
import type { CreateOperation, Operation } from '../../nodes/shared/spec/operation.ts';
import type { Served } from '../documented.mts';
import type { SandboxSettings } from '../settings.mts';

/** Row of the open points: where music operations are submitted. */
const SUBMIT_PATH = 'musicSubmitPath';

export const isMusic = ({ kind, path }: Pick<Operation, 'kind' | 'path'>): boolean =>
	kind === 'create' && typeof path !== 'string' && path.openPoint === SUBMIT_PATH;

/**
 * A music operation with the field names of its requests. The document does not show which field names the
 * operation, where the path does not, or the earlier job: the settings say.
 */
export function inOpenNames(
	operation: Served,
	path: string,
	{ operationField, sourceField }: SandboxSettings['shapes']['music'],
): Served {
	if (!isMusic(operation)) return operation;
	const fields = operation.fields.map((field) =>
		field.isOpen ? { ...field, name: sourceField } : field,
	);
	return path.includes('{operation}')
		? { ...operation, fields }
		: { ...operation, fields, fixed: { [operationField]: operation.operation } };
}

/** Made up: an operation that is in no table, and that the catalog alone has. */
export const REMIX: CreateOperation = {
	...MUSIC_CREATION,
	resource: 'music',
	operation: 'remix',
	label: 'Remix',
	action: 'Remix',
	description: 'Mix a track anew in another genre',
	mediaType: 'audio',
	price: {
		rows: [
			[{ quality: ['draft'] }, 7],
			[{ quality: ['studio'] }, 14],
		],
	},
	fields: [
		required(source('The track to mix anew')),
		required(text('genre', 'Genre', '', { max: 40 })),
		required(choice('quality', 'Quality', '', { draft: 'Draft', studio: 'Studio' })),
		...more(number('intensity', 'Intensity', '', { min: 0, max: 10, step: 0.5, byDefault: 5 })),
	],
};
