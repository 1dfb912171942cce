import { updateProduct } from '../../support/product.mts';
import { creationsOf, endOf, MINUTE, started, TEN } from './batches.mts';

// Its modules are loaded at every step.
jest.setTimeout(60_000);

test('updated between any two rounds of a worker: the run goes on, and nothing is in doubt', async () => {
	const engine = await started(
		{
			prompts: TEN.slice(0, 7),
			settings: { jobMs: { min: 5000, max: 5000 } },
			onInstant: (instant) => {
				if (instant === 'save') updateProduct();
			},
		},
		3 * MINUTE,
	);
	const { items, status } = endOf(engine);
	expect(status).toBe('success');
	expect(items.map(({ json }) => json.status)).toEqual(Array(7).fill('completed'));
	expect(creationsOf(engine)).toBe(7);
});
