import { NodeHelpers } from 'n8n-workflow';

import { catalogProperties } from '../../../nodes/shared/form/catalogProperties.ts';
import { isUpFront } from '../../../nodes/shared/parameters/names.ts';
import {
	IMAGE_CATALOG,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from '../../../nodes/shared/spec/catalogs.ts';
import { readValues } from '../../../nodes/shared/request/readValues.ts';
import { validate } from '../../../nodes/shared/request/validate.ts';
import { startValue } from '../../../nodes/shared/form/fieldProperty.ts';
import type { Catalog, CreateOperation, Field } from '../../../nodes/shared/spec/operation.ts';

/** What n8n leaves of what was typed, by state of the fields on which others depend. */

const creations = [
	['Image', IMAGE_CATALOG],
	['Video', VIDEO_CATALOG],
	['Music', MUSIC_CATALOG],
] as Array<[string, Catalog]>;
const all = creations.flatMap(([node, catalog]) =>
	catalog.operations.flatMap((operation) =>
		operation.kind === 'create'
			? [[`${operation.resource}.${operation.operation}`, operation, catalog, node] as const]
			: [],
	),
);
const forms = new Map(creations.map(([, catalog]) => [catalog, catalogProperties(catalog)]));

const filled = (field: Field): unknown => {
	if (field.type === 'url' || field.type === 'urlList') return 'https://a.example/x.png';
	if (field.type === 'fields') return '{"y":"1"}';
	if (['text', 'textarea', 'source', 'upload'].includes(field.type)) return 'text';
	if (field.type === 'toggle') return true;
	if (field.type === 'select') return field.options?.[0]?.value ?? 'x';
	return field.max ?? 20;
};

const formValues = ({ type, options = [], start = '' }: Field): unknown[] => {
	if (type === 'toggle') return [false, true];
	return type === 'text' ? [start, 'another'] : options.map(({ value }) => value);
};

const conditionsOf = ({ appliesWhen, requiredWhen, showWhen }: Field) =>
	[appliesWhen, requiredWhen, showWhen].flatMap((when) => Object.keys(when ?? {}));

describe.each(all)('%s', (_name, operation: CreateOperation, catalog, node) => {
	const every = [...(operation.controls ?? []), ...operation.fields];
	const names = [...new Set(every.flatMap(conditionsOf))].filter(
		(name) => !(name in (operation.fixed ?? {})),
	);
	const deciding = names
		.map((name) => every.find((field) => field.name === name))
		.filter((field): field is Field => field !== undefined);
	const states = deciding.reduce<Array<Record<string, unknown>>>(
		(list, field) =>
			list.flatMap((one) =>
				[...formValues(field), '={{ $json.x }}'].map((value) => ({ ...one, [field.name]: value })),
			),
		[{}],
	);

	function left(state: Record<string, unknown>) {
		const upFront = every.filter(isUpFront).map((field) => [field.name, filled(field)]);
		const more = operation.fields
			.filter((field) => !isUpFront(field))
			.map((field) => [field.name, filled(field)]);
		const typed = {
			resource: operation.resource,
			operation: operation.operation,
			...Object.fromEntries(upFront),
			...(more.length > 0 ? { additionalFields: { ...Object.fromEntries(more) } } : {}),
			...state,
		};
		const description = { name: `mediaGen${node}`, properties: forms.get(catalog) } as never;
		return {
			typed,
			complete: NodeHelpers.getNodeParameters(
				forms.get(catalog)!,
				typed as never,
				true,
				false,
				{ typeVersion: 1 } as never,
				description,
			) as Record<string, unknown>,
		};
	}

	test('an expression hides nothing that was typed', () => {
		const lost = states.flatMap((state) => {
			if (
				Object.values(state).filter((value) => String(value).startsWith('=')).length !==
					deciding.length ||
				deciding.length === 0
			)
				return [];
			const { typed, complete } = left(state);
			const gone = operation.fields
				.filter(isUpFront)
				.filter(({ name }) => complete[name] === undefined)
				.map(({ name }) => name);
			const goneMore = Object.keys((typed as Record<string, object>).additionalFields ?? {}).filter(
				(name) => !(name in Object(complete.additionalFields)),
			);
			return gone.length + goneMore.length > 0 ? [{ state, gone, goneMore }] : [];
		});
		expect(lost).toEqual([]);
	});

	test('one expression among fixed values', () => {
		const lost = states.flatMap((state) => {
			const expressions = Object.entries(state)
				.filter(([, value]) => String(value).startsWith('='))
				.map(([name]) => name);
			if (expressions.length !== 1 || deciding.length < 2) return [];
			const { complete } = left(state);
			// What an item may need: with the expression being any of its values.
			const [name] = expressions as [string];
			const field = deciding.find((one) => one.name === name)!;
			const needed = formValues(field).flatMap((value) => {
				const fixedState = left({ ...state, [name]: value }).complete;
				return operation.fields
					.filter(isUpFront)
					.filter((one) => fixedState[one.name] !== undefined)
					.map((one) => one.name);
			});
			const gone = [...new Set(needed)].filter((one) => complete[one] === undefined);
			return gone.length > 0 ? [{ state, gone }] : [];
		});
		expect(lost).toEqual([]);
	});

	test('what shows and is filled in is enough', () => {
		const wrong = states.flatMap((state) => {
			if (Object.values(state).some((value) => String(value).startsWith('='))) return [];
			const { complete } = left(state);
			const values = readValues(operation, (name, fallback) =>
				name in complete ? complete[name] : fallback,
			);
			const problems = validate(operation, values)
				.map(({ message }) => message)
				.filter((text) => !/multiple|steps|greater than|characters/.test(text));
			return problems.length > 0 ? [{ state, problems }] : [];
		});
		expect(wrong).toEqual([]);
	});
});
void startValue;
