import { VirtualN8n } from '../../support/virtualRun.mts';

/** A retry does not read the list again: another prompt for one row is an expression, which the error advises. */

const GENERATE = { resource: 'image', operation: 'generate', size: '1:1' };
const PROMPTS = ['a fox', 'a whale', 'a loaf [fail]'];

test('the row alone is ordered and paid for again', async () => {
	const n8n = new VirtualN8n();
	const first = await n8n.clock.run(
		n8n.execute({
			items: PROMPTS.map((prompt) => ({ prompt })),
			parameters: (index) => ({ ...GENERATE, prompt: PROMPTS[index] }),
		}),
	);
	expect(first.error?.message).toMatch(/^1 of 3 failed: row 3, "a loaf \[fail\]"/);
	expect(first.error?.description).toContain(
		'To pay only for what is missing, make Prompt an expression',
	);
	const corrected = (index: number) => (index === 2 ? 'a loaf of bread' : PROMPTS[index]);
	const { error, items } = await n8n.clock.run(
		n8n.retry({
			...first,
			options: {
				...first.options,
				parameters: (index) => ({ ...GENERATE, prompt: corrected(index) }),
			},
		}),
	);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.status)).toEqual(['completed', 'completed', 'completed']);
	expect(n8n.state.jobs.list.map(({ body }) => body.prompt)).toEqual([
		...PROMPTS,
		'a loaf of bread',
	]);
});
