import { NodeHelpers, type INodeProperties } from 'n8n-workflow';

import { catalogProperties } from '../../nodes/shared/form/catalogProperties.ts';
import { formValues } from '../../nodes/shared/form/prices.ts';
import { isUpFront } from '../../nodes/shared/parameters/names.ts';
import { IMAGE_CATALOG, MUSIC_CATALOG, VIDEO_CATALOG } from '../../nodes/shared/spec/catalogs.ts';
import { decidingFields, operationName } from '../../nodes/shared/spec/price.ts';
import type { Catalog, CreateOperation, Field, Value } from '../../nodes/shared/spec/types.ts';
import { runInEngine } from '../support/engine.mts';
import { isPriceNotice, priceInNotices } from '../support/priceNotice.mts';
import { useSandbox } from '../support/useSandbox.mts';

/**
 * One price: what the panel shows before the click, what Estimate Only says and what the service
 * charges, for every combination of the fields that decide it.
 */

const sandbox = useSandbox();

/** What a request cannot do without besides, by field. */
const FILLED: Record<string, unknown> = {
	prompt: 'a kite',
	content: 'shanty',
	imageUrls: 'https://cdn.example/first.png',
	image_url: 'https://cdn.example/first.png',
	video_url: 'https://cdn.example/clip.mp4',
	payloadMode: 'json',
	payload: '{"images": ["https://cdn.example/first.png"]}',
};

/** Needs no earlier job and no file. */
const isAlone = ({ fields, source }: CreateOperation) =>
	!source && !fields.some(({ type }) => type === 'upload' || type === 'source');

const creations = ([node, catalog]: [string, Catalog]) =>
	catalog.operations.flatMap((operation) =>
		operation.kind === 'create' && operation.price.shown && isAlone(operation)
			? [[operationName(operation), node, catalog, operation] as const]
			: [],
	);

const PRICED = [
	...creations(['Image', IMAGE_CATALOG]),
	...creations(['Video', VIDEO_CATALOG]),
	...creations(['Music', MUSIC_CATALOG]),
];

test('are there for all that has a documented price and stands alone', () => {
	expect(PRICED.map(([name]) => name)).toEqual([
		'image.generate',
		'standardVideo.generate',
		'vidA31.generate',
		'vidB30.generate',
		'vidB26.textToVideo',
		'vidB26.imageToVideo',
		'vidC.textToVideo',
		'vidC.imageToVideo',
		'vidD.generate',
		'vidE26.textToVideo',
		'vidE26.imageToVideo',
		'vidE26.videoToVideo',
		'song.generate',
		'song.sounds',
		'lyrics.lyrics',
		'lyrics.style_boost',
	]);
});

type Combination = Record<string, Value>;

/** Every combination of what the form offers for the fields; of a number both ends. */
function combinations(fields: readonly Field[]): Combination[] {
	return fields.reduce<Combination[]>(
		(all, field) => {
			const values =
				field.type === 'integer' ? [field.min ?? 0, field.max ?? 0] : formValues(field);
			return all.flatMap((one) => values.map((value) => ({ ...one, [field.name]: value })));
		},
		[{}],
	);
}

/** The parameters of a panel that holds these values; `value` says how each is written. */
function panel(
	operation: CreateOperation,
	{ fixed }: { fixed: boolean },
	combination: Combination,
): Record<string, unknown> {
	const deciding = decidingFields(operation);
	const written = (field: Field) =>
		fixed ? combination[field.name] : `={{ $json[${JSON.stringify(field.name)}] }}`;
	const parameters = (place: readonly Field[]) =>
		Object.fromEntries(place.map((field) => [field.name, written(field)]));
	const optional = deciding.filter((field) => !isUpFront(field));
	return {
		resource: operation.resource,
		operation: operation.operation,
		...parameters(deciding.filter(isUpFront)),
		...(optional.length > 0 ? { additionalFields: parameters(optional) } : {}),
		...Object.fromEntries(
			deciding.flatMap(({ name, openValues }) =>
				openValues ? [[`${name}Other`, 'standard'] as const] : [],
			),
		),
	};
}

/** Credits that the notice of the panel names. */
function shownPrice(form: INodeProperties[], values: Record<string, unknown>, units: number) {
	const complete = NodeHelpers.getNodeParameters(form, values as never, true, false, null, null);
	const shown = form.filter(
		(property) =>
			isPriceNotice(property) &&
			NodeHelpers.displayParameter(complete as never, property, null, null),
	);
	expect(shown.filter(({ name }) => name === 'price')).toHaveLength(1);
	return priceInNotices(
		shown.map(({ displayName }) => displayName),
		units,
	).credits;
}

const credential = () => ({
	baseUrl: sandbox.url,
	apiKey: sandbox.key,
	headerForm: 'bearer',
	...sandbox.settings.openPaths,
});

test.each(PRICED)(
	'%s: the panel, the estimate and the charge',
	async (_name, node, catalog, operation) => {
		sandbox.reset();
		sandbox.settings.jobMs = { min: 0, max: 0 };
		sandbox.account.credits.purchased = 100_000;
		const form = catalogProperties(catalog);
		const all = combinations(decidingFields(operation));
		const units = (combination: Combination) =>
			Number(combination[operation.price.shown ? (operation.price.perUnitOf ?? '') : ''] ?? 1);
		const shown = all.map((combination) =>
			shownPrice(form, panel(operation, { fixed: true }, combination), units(combination)),
		);

		const created = await runInEngine({
			items: all,
			node: { type: `n8n-nodes-mediagen.mediaGen${node}` },
			parameters: {
				...FILLED,
				...panel(operation, { fixed: false }, {}),
				waitForCompletion: false,
			},
			credential: credential(),
		});
		expect(created.error?.message).toBeUndefined();
		// In the order of the items, whatever the order of the charges.
		const charged = (created.outputs[0] ?? []).map(({ json }) => json.creditsUsed ?? null);
		const charges = sandbox.account.charges.map(({ credits }) => credits);
		expect([...charges].sort((a, b) => a - b)).toEqual([...shown].sort((a, b) => a - b));
		if (charged.every((credits) => credits !== null)) expect(charged).toEqual(shown);

		const estimated = await runInEngine({
			items: all,
			node: { type: `n8n-nodes-mediagen.mediaGen${node}` },
			parameters: {
				...FILLED,
				...panel(operation, { fixed: false }, {}),
				options: { estimateOnly: true },
			},
			credential: credential(),
		});
		expect((estimated.outputs[0] ?? []).map(({ json }) => json.credits)).toEqual(shown);
	},
);
