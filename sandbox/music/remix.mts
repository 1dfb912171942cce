import {
	area,
	choice,
	more,
	number,
	required,
	text,
	toggle,
} from '../../nodes/shared/spec/field.ts';
import { upload } from '../../nodes/shared/spec/file.ts';
import { source } from '../../nodes/shared/spec/music/fields.ts';
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
	...facts,
});

/** Made up: an operation that the document does not list, with a field of every type. */
export const REMIX = liveOperation({
	operation: 'remix',
	label: 'Remix',
	description: 'Mix a track anew in another genre',
	sources: GEN_SET,
	price: {
		rows: [
			[{ quality: ['draft'] }, 7],
			[{ quality: ['studio'] }, 14],
		],
	},
	fields: [
		required(source('The track to mix anew')),
		required(text('genre', 'Genre', '', { max: 40 })),
		more(area('instructions', 'Instructions', '', { max: 200 })),
		more(toggle('keep_vocals', 'Keep Vocals', '', { byDefault: true })),
		required(
			choice(
				'quality',
				'Quality',
				'',
				{ draft: 'Draft', studio: ['Studio', 'Takes longer'] },
				{ byDefault: 'draft' },
			),
		),
		more(number('intensity', 'Intensity', '', { min: 0, max: 10, step: 0.5, byDefault: 5 })),
		more(upload('reference', 'Reference', 'A track to sound like')),
	],
});
