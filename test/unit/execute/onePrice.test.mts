import type { IDataObject } from 'n8n-workflow';

import { formValues } from '../../../nodes/shared/form/prices.ts';
import { subtitleOf } from '../../../nodes/shared/form/expressions.ts';
import { OTHER, isUpFront, otherName } from '../../../nodes/shared/parameters/names.ts';
import {
	IMAGE_CATALOG,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from '../../../nodes/shared/spec/catalogs.ts';
import {
	decidingFields,
	operationName,
	type PriceEstimate,
} from '../../../nodes/shared/spec/price.ts';
import type { Catalog, CreateOperation, Field } from '../../../nodes/shared/spec/types.ts';
import { exampleOf } from '../../../tools/lib/docs/example.mts';
import { AN_EXPRESSION, combinations, panelOf, visible } from '../../support/formPanel.mts';
import { kindOf, musicOperation } from '../../support/operations.mts';
import { isPriceNotice, priceInNotices } from '../../support/priceNotice.mts';
import { sampled } from '../../support/sampled.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/**
 * For every form of every operation: what panel, canvas, estimates and guard say before the click is
 * one price. None is less than the service charges, and where one is called exact, it is that.
 */

/** Some operations have a hundred forms. */
jest.setTimeout(60_000);

const PRICED = [IMAGE_CATALOG, VIDEO_CATALOG, MUSIC_CATALOG].flatMap((catalog) =>
	catalog.operations.flatMap((operation) =>
		operation.kind === 'create' && operation.price.shown
			? [{ name: operationName(operation), catalog, operation }]
			: [],
	),
);

test('all operations are here whose price is documented', () => {
	// 39, without the unified image, four of the other version of family E, and Video Studio.
	expect(PRICED).toHaveLength(33);
});

const isAdded = (field: Field) => !isUpFront(field);

/** What the form can hold for a field. */
function valuesIn(field: Field): unknown[] {
	return isAdded(field) ? [...formValues(field), undefined] : formValues(field);
}

/** What the form can hold for the fields that decide the price, in every combination. */
function formsOf(operation: CreateOperation): IDataObject[] {
	const fields = decidingFields(operation);
	const lists = fields.map((field) => [field.name, valuesIn(field)] as const);
	return combinations(Object.fromEntries(lists)).map((values) => {
		const typed = fields.filter(({ name }) => values[name] === OTHER).map(otherName);
		return { ...values, ...Object.fromEntries(typed.map((name) => [name, 'std'])) } as IDataObject;
	});
}

/** The parameters of a node that are right but for the fields that decide the price. */
function parametersOf(operation: CreateOperation, given: IDataObject, values: IDataObject) {
	const example = exampleOf(operation) as IDataObject;
	const added = new Set(operation.fields.filter(isAdded).map(({ name }) => name));
	const entries = Object.entries(values).filter(([, value]) => value !== undefined);
	const files = operation.fields.filter(({ type }) => type === 'upload');
	// Which stem is asked for with some values only; with the others it does no harm.
	const texts = operation.fields.filter(
		({ type, requiredWhen }) => type === 'text' && requiredWhen,
	);
	return {
		...example,
		...Object.fromEntries(files.map(({ name }) => [name, 'https://media.example/track.mp3'])),
		...Object.fromEntries(texts.map(({ name, placeholder }) => [name, placeholder])),
		...Object.fromEntries(Object.entries(given).filter(([name]) => name in example)),
		...Object.fromEntries(entries.filter(([name]) => !added.has(name))),
		additionalFields: {
			...(example.additionalFields as IDataObject),
			...Object.fromEntries(entries.filter(([name]) => added.has(name))),
		},
	} as IDataObject;
}

/** An account that can pay for everything, and whose jobs are done at once. */
function studio() {
	const n8n = new VirtualN8n({
		settings: {
			credits: { purchased: 10_000_000, welcome: 0 },
			jobMs: { min: 0, max: 0 },
			queuedMs: 0,
			shapes: { music: { upload: 'url' } },
		},
	});
	Object.assign(n8n.credential, n8n.state.settings.openPaths, { uploadAs: 'url' });
	const run = async (catalog: Catalog, nodes: IDataObject[], options: IDataObject = {}) =>
		await n8n.clock.run(
			n8n.execute({
				items: nodes.map(() => ({})),
				kind: kindOf(catalog),
				parameters: (index) => ({ waitForCompletion: false, options, ...nodes[index]! }),
			}),
		);

	/** The earlier job that an operation works on. */
	const sourceFor = async ({ source, fields }: CreateOperation): Promise<IDataObject> => {
		const isNeeded = source || fields.some(({ type }) => type === 'source');
		if (!isNeeded) return {};
		const earlier = musicOperation(source?.operations[0] ?? 'generate');
		const parameters = parametersOf(earlier, await sourceFor(earlier), {});
		const made = await run(MUSIC_CATALOG, [{ ...parameters, waitForCompletion: true }]);
		expect(made.error?.message).toBeUndefined();
		const { jobId, audioId } = made.items[0]!.json;
		return { source: jobId, ...(audioId ? { audio_id: audioId } : {}) } as IDataObject;
	};

	/** What the service charges for each, at one end of what the document leaves open. */
	const chargesFor = async (end: 'low' | 'high', catalog: Catalog, nodes: IDataObject[]) => {
		n8n.state.settings.priceWithin = end;
		const { items, error } = await run(catalog, nodes);
		expect(error?.message).toBeUndefined();
		const charges = new Map(
			n8n.state.account.charges.map(({ jobId, credits }) => [jobId, credits]),
		);
		return items.map(({ json }) => charges.get(String(json.jobId)) ?? NaN);
	};

	const estimatesFor = async (...args: Parameters<typeof run>): Promise<PriceEstimate[]> => {
		const { items, error } = await run(...args);
		expect(error?.message).toBeUndefined();
		return items.map(({ json: { credits, exact } }) => ({ credits, exact }) as PriceEstimate);
	};

	return { run, sourceFor, chargesFor, estimatesFor };
}

/** What is less than a charge, and what is called exact and is another. */
const wrong = (said: readonly PriceEstimate[], charged: readonly number[]) =>
	charged.flatMap((charge, index) => {
		const { credits, exact } = said[index] ?? { credits: NaN, exact: false };
		const isRight = exact ? credits === charge : Number(credits) >= charge;
		return isRight ? [] : [{ index, credits, exact, charge }];
	});

/** What the canvas says: `130 credits`, `at most 80 credits`, `8–84 credits`. */
function inSubtitle(catalog: Catalog, node: IDataObject) {
	const code = subtitleOf(catalog).slice('={{'.length, -'}}'.length);
	const text = (new Function('$rawParameter', `return ${code}`) as (raw: IDataObject) => string)(
		node,
	);
	if (text.endsWith('free')) return { low: 0, credits: 0, exact: true };
	const [, most, low, high = low] = /· (at most )?(\d+)(?:–(\d+))? credits?$/.exec(text) ?? [];
	return { low: Number(low), credits: Number(high), exact: low === high && !most };
}

describe.each(PRICED)('$name', ({ catalog, operation }) => {
	const every = sampled(formsOf(operation), 24);
	const forms = sampled(every, 5);
	const { run, sourceFor, chargesFor, estimatesFor } = studio();
	const panel = panelOf(catalog, operation);
	const unit = operation.price.shown ? operation.price.perUnitOf : undefined;

	const nodesOf = async (values: readonly IDataObject[]) => {
		const source = await sourceFor(operation);
		return values.map((one) => parametersOf(operation, source, one));
	};

	test('panel, canvas, estimates and guard say one price, which is the highest charge', async () => {
		const nodes = await nodesOf(forms);
		const estimates = await estimatesFor(catalog, nodes, { estimateOnly: true });
		const shown = nodes.map((node, index) => {
			const notices = visible(panel, node).filter(isPriceNotice);
			const units = Number(forms[index]?.[unit ?? ''] ?? 1);
			return priceInNotices(
				notices.map(({ displayName }) => displayName),
				units,
			);
		});
		expect(shown).toEqual(estimates);
		const onCanvas = nodes.map((node) => inSubtitle(catalog, node));
		expect(onCanvas.map(({ credits, exact }) => ({ credits, exact }))).toEqual(estimates);

		const highest = await chargesFor('high', catalog, nodes);
		expect(highest).toEqual(estimates.map(({ credits }) => credits));
		expect(wrong(estimates, await chargesFor('low', catalog, nodes))).toEqual([]);
	});

	test('the guard counts what the estimate says, of every form', async () => {
		const nodes = await nodesOf(every);
		const estimates = await estimatesFor(catalog, nodes, { estimateOnly: true });
		const sum = estimates.reduce((all, { credits }) => all + Number(credits), 0);
		if (sum === 0) return;
		const most = estimates.every(({ exact }) => exact) ? '' : 'at most ';
		const { error } = await run(catalog, nodes, { maxCredits: sum - 1 });
		expect(error?.message).toContain(`would cost ${most}${sum} credit`);
	});

	test('what is said of expressions holds for every job', async () => {
		const nodes = await nodesOf(every);
		const charges = [
			...(await chargesFor('low', catalog, nodes)),
			...(await chargesFor('high', catalog, nodes)),
		];
		for (const field of decidingFields(operation)) {
			const values = { ...forms[0], [field.name]: AN_EXPRESSION };
			const { low, credits } = inSubtitle(catalog, parametersOf(operation, {}, values));
			expect([low, credits]).toEqual([Math.min(...charges), Math.max(...charges)]);
		}
	});
});
