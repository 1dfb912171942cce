import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';

/** Five songs, of which some ask for a length that their model does not know. */
async function run(parameters: (index: number) => IDataObject) {
	const n8n = new VirtualN8n({}, { musicSubmitPath: '/open/music/{operation}/' });
	const { error, hints } = await n8n.clock.run(
		n8n.execute({
			items: [{}, {}, {}, {}, {}],
			parameters: (index) => ({
				resource: 'song',
				operation: 'generate',
				prompt: `song ${index}`,
				waitForCompletion: false,
				...parameters(index),
			}),
			kind: 'music',
		}),
	);
	expect(error).toBeUndefined();
	const sent = n8n.state.journal.ofKind('create').map(({ body }) => body as IDataObject);
	const warnings = hints.filter(({ type }) => type === 'warning');
	return { sent, hints: warnings.map(({ message }) => message) };
}

test('a field that the service would ignore is not shown, and not sent', async () => {
	const { sent, hints } = await run(() => ({ model: 'V5', additionalFields: { duration: 60 } }));
	expect(sent).toHaveLength(5);
	for (const body of sent) expect(body).not.toHaveProperty('duration');
	expect(hints).toEqual([]);
});

test('where it is used, nothing is told', async () => {
	const { sent, hints } = await run(() => ({ model: 'V5_5', additionalFields: { duration: 60 } }));
	expect(sent).toHaveLength(5);
	expect(hints).toEqual([]);
});

test('what the service does not require is not asked for: the request is sent', async () => {
	const { sent, hints } = await run((index) => ({
		model: 'V5',
		prompt: index < 2 ? '' : `song ${index}`,
	}));
	expect(sent).toHaveLength(5);
	const prompts = sent.flatMap(({ prompt }) => prompt ?? []);
	expect(prompts.sort()).toEqual(['song 2', 'song 3', 'song 4']);
	expect(hints).toEqual([]);
});
