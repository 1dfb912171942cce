import { GEN_SET } from '../../nodes/shared/spec/music/operations.ts';
import type { OperationEntryInput } from './entry.mts';

/** Made up: an operation that the document does not list, with a field of every type. */
export const REMIX: OperationEntryInput = {
	id: 'remix',
	label: 'Remix',
	description: 'Mix a track anew in another genre',
	source_required: true,
	source_operations: [...GEN_SET],
	credits: 7,
	credits_by_option: { quality: { draft: 7, studio: 14 } },
	fields: [
		{
			name: 'source',
			label: 'Track',
			type: 'source',
			required: true,
			help: 'The track to mix anew',
		},
		{
			name: 'genre',
			label: 'Genre',
			type: 'text',
			required: true,
			max_length: 40,
		},
		{
			name: 'instructions',
			label: 'Instructions',
			type: 'textarea',
			max_length: 200,
		},
		{
			name: 'keep_vocals',
			label: 'Keep Vocals',
			type: 'toggle',
			default: true,
		},
		{
			name: 'quality',
			label: 'Quality',
			type: 'select',
			required: true,
			default: 'draft',
			options: [
				{ value: 'draft', label: 'Draft' },
				{
					value: 'studio',
					label: 'Studio',
					help: 'Takes longer',
				},
			],
		},
		{
			name: 'intensity',
			label: 'Intensity',
			type: 'number',
			min: 0,
			max: 10,
			step: 0.5,
			default: 5,
		},
		{
			name: 'reference',
			label: 'Reference',
			type: 'upload',
			help: 'A track to sound like',
		},
	],
};
