import { GEN_SET } from '../../nodes/shared/spec/music/operations.ts';
import type { OperationEntryInput } from './entry.mts';

/** Made up: an operation that the document does not list, with a field of every type. */
export const REMIX: OperationEntryInput = {
	id: 'remix',
	label: { en: 'Remix', de: 'Neu mischen' },
	description: {
		en: 'Mix a track anew in another genre',
		de: 'Einen Titel in einem anderen Genre neu mischen',
	},
	source_required: true,
	source_operations: [...GEN_SET],
	credits: 7,
	credits_by_option: { quality: { draft: 7, studio: 14 } },
	fields: [
		{
			name: 'source',
			label: { en: 'Track', de: 'Titel' },
			type: 'source',
			required: true,
			help: { en: 'The track to mix anew', de: 'Der Titel, der neu gemischt wird' },
		},
		{
			name: 'genre',
			label: { en: 'Genre', de: 'Genre' },
			type: 'text',
			required: true,
			max_length: 40,
		},
		{
			name: 'instructions',
			label: { en: 'Instructions', de: 'Anweisungen' },
			type: 'textarea',
			max_length: 200,
		},
		{
			name: 'keep_vocals',
			label: { en: 'Keep Vocals', de: 'Gesang behalten' },
			type: 'toggle',
			default: true,
		},
		{
			name: 'quality',
			label: { en: 'Quality', de: 'Qualität' },
			type: 'select',
			required: true,
			default: 'draft',
			options: [
				{ value: 'draft', label: { en: 'Draft', de: 'Entwurf' } },
				{
					value: 'studio',
					label: { en: 'Studio', de: 'Studio' },
					help: { en: 'Takes longer', de: 'Dauert länger' },
				},
			],
		},
		{
			name: 'intensity',
			label: { en: 'Intensity', de: 'Stärke' },
			type: 'number',
			min: 0,
			max: 10,
			step: 0.5,
			default: 5,
		},
		{
			name: 'reference',
			label: { en: 'Reference', de: 'Vorlage' },
			type: 'upload',
			help: { en: 'A track to sound like', de: 'Ein Titel, nach dem es klingen soll' },
		},
	],
};
