import type { IDataObject } from 'n8n-workflow';

import type { JobSnapshot } from '../../../nodes/shared/orders/job.ts';
import { jobOutput, originOf } from '../../../nodes/shared/output/jobOutput.ts';
import { CATALOGS } from '../../../nodes/shared/spec/catalogs.ts';
import { outputSchema, type OutputSchema } from '../../../tools/lib/outputSchema.mts';
import { operationNamed } from '../../support/operations.mts';

/** What n8n's editor is told of an operation before it has run is what it gives out. */

const OPERATIONS = CATALOGS.flatMap(({ operations }) => operations);

/** As the document has a finished job of each kind of media (sections "Generation record", "Music"). */
const FINISHED = {
	status: 'completed',
	credits_used: 12,
	credits_remaining: 88,
	created_at: '2026-01-01T00:00:00Z',
	completed_at: '2026-01-01T00:00:09Z',
};

const MEDIA: Record<string, object> = {
	image: { image_url: 'https://cdn.example/a.png' },
	video: { video_url: 'https://cdn.example/a.mp4' },
	audio: {
		tracks: ['a', 'b'].map((id) => ({ audio_id: id, audio_url: `https://cdn.example/${id}.mp3` })),
	},
	text: { lyrics: 'La la' },
};

const CREATIONS = OPERATIONS.flatMap((operation) =>
	operation.kind === 'create' && operation.mediaType !== undefined ? [operation] : [],
);

/** The kinds of values, by path; of a list, those of its first entry. */
function kindsIn(value: unknown, path = ''): string[] {
	if (Array.isArray(value)) return [`${path}: array`, ...kindsIn(value[0], `${path}[]`)];
	if (typeof value !== 'object' || value === null) return [`${path}: ${typeof value}`];
	return [
		`${path}: object`,
		...Object.entries(value).flatMap(([name, one]) => kindsIn(one, `${path}.${name}`)),
	];
}

function kindsOf(schema: OutputSchema, path = ''): string[] {
	const own = `${path}: ${schema.type}`;
	if (schema.type === 'array') return [own, ...kindsOf(schema.items, `${path}[]`)];
	if (schema.type !== 'object') return [own];
	const { properties = {} } = schema;
	return [
		own,
		...Object.entries(properties).flatMap(([name, one]) => kindsOf(one, `${path}.${name}`)),
	];
}

test.each(CREATIONS.map((one) => [`${one.resource}.${one.operation}`, one] as const))(
	'%s: whatever it names is in the item of a finished job, and is of that kind',
	(_, operation) => {
		const names = operation.fields.map(({ name }) => name);
		const asks = names.some((name) => ['model', 'video_model'].includes(name));
		const model = asks ? { model: 'modelA' } : {};
		const record = { id: 'j', ...FINISHED, ...model, ...MEDIA[operation.mediaType ?? ''] };
		const job: JobSnapshot = { id: 'j', state: 'completed', record, waitedMs: 9000 };
		const texts = operation.fields.filter(({ property }) => property.typeOptions?.rows === 4);
		const asked = Object.fromEntries(texts.map((field) => [field.name, 'a cat']));
		const origin = originOf(operation, { source: 's', audio_id: 't', ...asked });
		const item = jobOutput(job, origin, { simplify: true, resultField: '' });
		const kinds = kindsIn(item);
		const schema = outputSchema(operation)!;
		expect(kindsOf(schema).filter((kind) => !kinds.includes(kind))).toEqual([]);
		expect(Object.keys((schema as { properties: object }).properties).length).toBeLessThan(11);
		expect(Object.keys(item as IDataObject)).toEqual(
			expect.arrayContaining(['status', 'jobId', 'creditsUsed']),
		);
	},
);

test('an image, field by field', () => {
	const text = { type: 'string' };
	const number = { type: 'number' };
	expect(outputSchema(operationNamed('image.generate'))).toEqual({
		type: 'object',
		properties: {
			mediaUrl: text,
			status: text,
			jobId: text,
			mediaType: text,
			creditsUsed: number,
			mediaUrls: { type: 'array', items: text },
			prompt: text,
			details: {
				type: 'object',
				properties: {
					creditsRemaining: number,
					startedWith: text,
					createdAt: text,
					completedAt: text,
					waitedMs: number,
					operation: text,
				},
			},
		},
	});
});

test.each([
	[
		'profile.get',
		'id username email credits_balance total_images_generated enable_watermark watermark_text created_at',
	],
	['credits.get', 'credits_balance total_spent total_credits_purchased'],
	['apiKey.create', 'id name key key_preview created_at'],
	['session.logIn', 'token user'],
])('%s has the fields that the document has', (name, fields) => {
	const schema = outputSchema(operationNamed(name)) as { properties: object };
	expect(Object.keys(schema.properties).join(' ')).toBe(fields);
});

test('what the document does not show has none', () => {
	const without = OPERATIONS.filter((operation) => outputSchema(operation) === undefined);
	expect([...new Set(without.map(({ kind }) => kind))].sort()).toEqual(['list', 'record']);
	expect(without.filter(({ kind }) => kind === 'record').map(({ action }) => action)).toEqual([
		'Update the profile',
	]);
});
