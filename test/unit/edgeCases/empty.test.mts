import { isUpFront } from '../../../nodes/shared/parameters/names.ts';
import {
	IMAGE_CATALOG,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from '../../../nodes/shared/spec/catalogs.ts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { buildRequest } from '../../../nodes/shared/request/buildRequest.ts';
import { readValues } from '../../../nodes/shared/request/readValues.ts';
import { validate } from '../../../nodes/shared/request/validate.ts';
import { startValue } from '../../../nodes/shared/form/fieldProperty.ts';
import type { CreateOperation } from '../../../nodes/shared/spec/operation.ts';

const creations = [IMAGE_CATALOG, VIDEO_CATALOG, MUSIC_CATALOG].flatMap((catalog) =>
	catalog.operations.flatMap((operation) =>
		operation.kind === 'create'
			? [[`${operation.resource}.${operation.operation}`, operation] as const]
			: [],
	),
);
const TEXTS = ['text', 'textarea', 'url', 'urlList', 'source', 'upload'];
const FILL: Record<string, unknown> = {
	url: 'https://a.example/x.png',
	urlList: 'https://a.example/x.png',
};

/** All texts filled, all else as the form starts. */
const isOpen = ({ fields }: CreateOperation) => fields.some(({ type }) => type === 'fields');
const full = (operation: CreateOperation) =>
	Object.fromEntries(
		operation.fields.filter(isUpFront).flatMap((field) => {
			if (field.type === 'fields') return [[field.name, '{"x":1}']];
			const value = TEXTS.includes(field.type) ? (FILL[field.type] ?? 'text') : startValue(field);
			return [[field.name, value]];
		}),
	) as Record<string, unknown>;

const sends = (operation: CreateOperation, node: Record<string, unknown>) => {
	const values = readValues(operation, (name, fallback) => (name in node ? node[name] : fallback));
	const problems = validate(operation, values);
	return problems.length > 0 ? undefined : buildRequest(operation, '/x', values).body;
};

const meaningful = (body: Record<string, unknown> | undefined) =>
	Object.entries(body ?? {}).some(
		([name, value]) =>
			TEXT_NAMES.has(name) &&
			(typeof value === 'string' ? value.trim() !== '' : Array.isArray(value) && value.length > 0),
	);
const TEXT_NAMES = new Set([
	...creations.flatMap(([, { fields }]) =>
		fields.filter(({ type }) => TEXTS.includes(type)).map(({ name }) => name),
	),
	'x',
]);

const MAY_SAY_NOTHING = ['song.generate', 'track.stems'];

describe.each(creations)('%s', (name, operation) => {
	const toggles = operation.fields.filter((field) => isUpFront(field) && field.type === 'toggle');
	const states = toggles.reduce<Array<Record<string, unknown>>>(
		(all, { name }) =>
			all.flatMap((one) => [true, false].map((value) => ({ ...one, [name]: value }))),
		[{}],
	);
	test.each<[unknown]>([[''], ['  '], [null], [undefined]])(
		'texts that are all %p: nothing is sent',
		(nothing) => {
			const bad = states.flatMap((state) => {
				const node = { ...full(operation), ...state };
				for (const field of operation.fields.filter(isUpFront))
					if (TEXTS.includes(field.type)) node[field.name] = nothing;
				const body = sends(operation, node);
				// Left empty by a person: the document requires none, and the panel says what that means.
				const isAllowed = typeof nothing === 'string' && MAY_SAY_NOTHING.includes(name);
				return !isAllowed && !isOpen(operation) && body !== undefined && !meaningful(body)
					? [{ state, body }]
					: [];
			});
			expect(bad).toEqual([]);
		},
	);
});

describe('fields that the user names', () => {
	test.each<[string, object]>([
		['JSON with an empty prompt', { payload: '{"prompt": ""}' }],
		['JSON with null', { payload: '{"prompt": null}' }],
	])('%s', async (_, given) => {
		const n8n = new VirtualN8n();
		await n8n.clock.run(
			n8n.execute({
				items: [{}],
				parameters: {
					resource: 'videoStudio',
					operation: 'generate',
					waitForCompletion: false,
					...given,
				},
				kind: 'video',
			}),
		);
		expect(n8n.state.jobs.list.length).toBe(0);
	});
});
