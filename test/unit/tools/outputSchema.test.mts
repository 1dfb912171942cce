import type { IDataObject } from 'n8n-workflow';

import { outputSchema, type OutputSchema } from '../../../tools/lib/outputSchema.mts';
import { operationNamed } from '../../support/operations.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** What n8n's editor is told of an operation before it has run is what it gives out. */

const PATHS = {
	musicSubmitPath: '/open/music/{operation}/',
	musicStatusPath: '/open/music/status/{job_id}/',
};

test.each([
	['image', 'image.generate', { prompt: 'a cat', size: '1:1' }],
	['video', 'vidD.generate', { prompt: 'a cat' }],
	['music', 'song.generate', { prompt: 'a song', model: 'V5' }],
	['music', 'lyrics.lyrics', { prompt: 'rain' }],
	['account', 'credits.get', {}],
	['account', 'profile.get', {}],
] as const)(
	'%s %s: whatever it names is in the item, and is of that kind',
	async (kind, name, given) => {
		const n8n = new VirtualN8n({}, PATHS);
		const [resource, operation] = name.split('.');
		const parameters: IDataObject = { resource, operation, ...given };
		const { items, error } = await n8n.run({ items: [{}], kind, parameters });
		expect(error).toBeUndefined();
		expect(missing(outputSchema(operationNamed(name))!, items[0]!.json)).toEqual([]);
	},
);

/** What a schema names and a value lacks, or has as another kind. */
function missing(schema: OutputSchema, value: unknown, path = ''): string[] {
	const kind = Array.isArray(value) ? 'array' : typeof value;
	if (schema.type !== kind) return [`${path} is ${kind}, not ${schema.type}`];
	if (schema.type === 'array') return missing(schema.items, (value as unknown[])[0], `${path}[]`);
	if (schema.type !== 'object') return [];
	return Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
		missing(one, (value as IDataObject)[name], `${path}.${name}`),
	);
}
