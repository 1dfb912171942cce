import { priceCases } from './cases.mts';
import { CREATIONS, freeOf } from './operations.mts';
import { ordered, Studio, textOf, type Outcome } from './studio.mts';

/** What is charged, estimated and guarded is the document's price. */

let studio: Studio;
beforeAll(() => void (studio = new Studio()));

const priced = CREATIONS.flatMap((creation) =>
	priceCases(creation).map((price) => ({ creation, name: creation.name, ...price })),
);
const charged = (sent: Outcome['sent']) =>
	ordered(sent).map(
		({ operation }) => studio.n8n.state.account.charges.at(-1)?.operation === operation,
	);

test.each(priced)('$name: $high for $values', async ({ creation, values, low, high, exact }) => {
	const all = await studio.requests.of(creation, values);
	const free = freeOf(creation);
	const { settings, account } = studio.n8n.state;
	const within = { high, ...(low < high && { low }) };
	for (const [priceWithin, credits] of Object.entries(within)) {
		settings.priceWithin = priceWithin as keyof typeof within;
		const { sent, items, error } = await studio.create(creation, all, {
			free,
			options: { maxCredits: high },
		});
		expect(error?.message).toBeUndefined();
		expect(charged(sent)).toEqual([true]);
		expect(account.charges.at(-1)?.credits).toBe(credits);
		expect(items[0]!.json.creditsUsed).toBe(credits);
	}
	settings.priceWithin = 'high';
	const estimate = await studio.create(creation, all, { free, options: { estimateOnly: true } });
	expect(estimate.sent).toEqual([]);
	expect(estimate.items[0]!.json).toMatchObject({ credits: high, exact });
	if (high === 0) return;
	const guarded = await studio.create(creation, all, { free, options: { maxCredits: high - 1 } });
	expect(guarded.sent).toEqual([]);
	expect(textOf(guarded)).toContain(`${high} credit`);
});
