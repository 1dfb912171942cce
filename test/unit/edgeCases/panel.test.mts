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
import { priceOf, decidingFields } from '../../../nodes/shared/spec/price.ts';
import { subtitleOf } from '../../../nodes/shared/form/expressions.ts';
import { startValue } from '../../../nodes/shared/form/fieldProperty.ts';
import type { CreateOperation } from '../../../nodes/shared/spec/types.ts';

const all = [IMAGE_CATALOG, VIDEO_CATALOG, MUSIC_CATALOG].flatMap((catalog) => {
	const form = catalogProperties(catalog);
	return catalog.operations.flatMap((operation) =>
		operation.kind === 'create' && decidingFields(operation).length > 0
			? [[`${operation.resource}.${operation.operation}`, operation, form, catalog] as const]
			: [],
	);
});

/** What a workflow may have that was imported, or written by a program. */
const ODD: unknown[] = ['true', 'false', 5, 10, 12, '5', null, 'other', '', [], '={{ 1 }}'];

describe.each(all)('%s', (_name, operation: CreateOperation, form, catalog) => {
	test('of the price notices one shows, and it is not below the charge', () => {
		const base = Object.fromEntries(
			operation.fields.filter(isUpFront).map((field) => [field.name, startValue(field)]),
		);
		const wrong = decidingFields(operation).flatMap((field) => {
			const starts = [
				{},
				...(field.type === 'select'
					? (field.options ?? []).map(({ value }) => ({ like: value }))
					: []),
			];
			void starts;
			return ODD.flatMap((odd) => {
				const typed = {
					resource: operation.resource,
					operation: operation.operation,
					...base,
					...(isUpFront(field)
						? { [field.name]: odd }
						: { additionalFields: { [field.name]: odd } }),
				};
				const complete = NodeHelpers.getNodeParameters(
					form,
					typed as never,
					true,
					false,
					null,
					null,
				);
				const shown = form
					.filter(
						(property) =>
							/^priceNotice/.test(property.name) &&
							NodeHelpers.displayParameter(complete as never, property, null, null),
					)
					.map(({ displayName }) => displayName);
				const node = typed as Record<string, unknown>;
				const values = readValues(operation, (name, fallback) =>
					name in node ? node[name] : fallback,
				);
				const isValid = !validate(operation, values).some(({ field: at }) => at === field.name);
				const { credits } = priceOf(operation, values);
				const told = shown.map((text) =>
					/free/.test(text)
						? 0
						: Math.max(...[...text.replace(/\d+ s\b/g, '').matchAll(/\d+/g)].map(Number)),
				);
				const isLow =
					isValid &&
					credits !== null &&
					told.some((one) => one < credits && !/a second/.test(shown.join()));
				const lies =
					isValid &&
					typeof odd !== 'object' &&
					shown.some((text) => /expression/.test(text)) &&
					!String(odd).startsWith('=');
				const expression = subtitleOf(catalog)
					.replace(/^=\{\{/, '')
					.replace(/\}\}$/, '');
				const subtitle = String(new Function('$rawParameter', `return (${expression})`)(typed));
				return isLow || lies
					? [{ field: field.name, odd, isLow, isValid, credits, shown, subtitle }]
					: [];
			});
		});
		expect(wrong.filter((one) => one.isLow)).toEqual([]);
	});
});
