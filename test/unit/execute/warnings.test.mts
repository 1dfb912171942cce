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

const IGNORED =
	'Duration (duration) is used only when Model is V5_5. Here Model is V5: expect the service to ignore it.';

test('a field that the service ignores is sent, and told of once for all items', async () => {
	const { sent, hints } = await run(() => ({ model: 'V5', additionalFields: { duration: 60 } }));
	expect(sent).toHaveLength(5);
	for (const body of sent) expect(body).toMatchObject({ model: 'V5', duration: 60 });
	expect(hints).toEqual([IGNORED]);
});

test('where it is used, nothing is told', async () => {
	const { sent, hints } = await run(() => ({ model: 'V5_5', additionalFields: { duration: 60 } }));
	expect(sent).toHaveLength(5);
	expect(hints).toEqual([]);
});

const UNSAID =
	'Without a Prompt, you pay for whatever the service makes. At least one item has none.';

test('what the service does not require is not asked for: the request is sent, with a word', async () => {
	const { sent, hints } = await run((index) => ({
		model: 'V5',
		prompt: index < 2 ? '' : `song ${index}`,
	}));
	expect(sent).toHaveLength(5);
	const prompts = sent.flatMap(({ prompt }) => prompt ?? []);
	expect(prompts.sort()).toEqual(['song 2', 'song 3', 'song 4']);
	expect(hints).toEqual([UNSAID]);
});
