import { GEN_SET, MUSIC_CREATION } from '../../nodes/shared/spec/music/operations.ts';
import type { CreateOperation } from '../../nodes/shared/spec/operation.ts';

type Facts = Pick<CreateOperation, 'operation' | 'label' | 'fields' | 'price'>;

/** An operation that is in no table: only the live catalog has it. */
export const liveOperation = (facts: Facts & Partial<CreateOperation>): CreateOperation => ({
	...MUSIC_CREATION,
	resource: 'music',
	action: facts.label,
	description: '',
	mediaType: 'audio',
	source: { required: false, operations: [] },
	...facts,
});

/** Made up: an operation that the document does not list, with a field of every type. */
export const REMIX = liveOperation({
	operation: 'remix',
	label: 'Remix',
	description: 'Mix a track anew in another genre',
	source: { required: true, operations: [...GEN_SET] },
	price: {
		shown: true,
		rates: [
			{ when: { quality: ['draft'] }, credits: 7 },
			{ when: { quality: ['studio'] }, credits: 14 },
		],
	},
	fields: [
		{
			...{ name: 'source', label: 'Track', type: 'source', presence: 'required' },
			description: 'The track to mix anew',
		},
		{ name: 'genre', label: 'Genre', type: 'text', presence: 'required', maxLength: 40 },
		{
			...{ name: 'instructions', label: 'Instructions', type: 'textarea' },
			...{ presence: 'optional', maxLength: 200 },
		},
		{
			...{ name: 'keep_vocals', label: 'Keep Vocals', type: 'toggle' },
			...{ presence: 'optional', default: true },
		},
		{
			...{ name: 'quality', label: 'Quality', type: 'select', presence: 'required' },
			default: 'draft',
			options: [
				{ value: 'draft', label: 'Draft' },
				{ value: 'studio', label: 'Studio', help: 'Takes longer' },
			],
		},
		{
			...{ name: 'intensity', label: 'Intensity', type: 'number', presence: 'optional' },
			...{ min: 0, max: 10, step: 0.5, default: 5 },
		},
		{
			...{ name: 'reference', label: 'Reference', type: 'upload', presence: 'optional' },
			description: 'A track to sound like',
		},
	],
});
