import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';

/** Fields that the user names: they are sent as they were typed, or not at all. */

/** The fields are as an expression gives them: the form alone cannot make all of these. */
async function run(given: object) {
	const n8n = new VirtualN8n();
	const { resource, operation, ...evaluated } = given as IDataObject;
	const parameters = { resource, operation, waitForCompletion: false };
	const { error } = await n8n.clock.run(
		n8n.execute({ items: [{}], kind: 'video', parameters, evaluated }),
	);
	const sent = n8n.state.journal.entries.map(({ body }) => body);
	return { message: error?.message, sent };
}

const STUDIO = { resource: 'videoStudio', operation: 'generate' };
const json = (payload: unknown) => ({ ...STUDIO, payload });

test.each<[object, object]>([
	[json({ prompt: 'a cat', 'my field': ' x ' }), { prompt: 'a cat', 'my field': ' x ' }],
	[
		json('{"prompt":"a","seed":9007199254740991,"w":0.1}'),
		{ prompt: 'a', seed: 9007199254740991, w: 0.1 },
	],
	[
		json('{"prompt":"a:b","x":{"prompt":1},"y":[{"z":1},{"z":2}]}'),
		{ prompt: 'a:b', x: { prompt: 1 }, y: [{ z: 1 }, { z: 2 }] },
	],
	[json('{"prompt":"a","id":"12345678901234567890"}'), { prompt: 'a', id: '12345678901234567890' }],
])('%j is sent', async (parameters, expected) => {
	expect(await run(parameters)).toEqual({ message: undefined, sent: [expected] });
});

test.each<[object, string]>([
	[json('{"prompt":'), '(payload) must be a JSON object'],
	[json('{}'), 'is empty'],
	[json({}), 'is empty'],
	[json({ prompt: null }), '(payload) must have at least one field with a value'],
])('%o is refused before anything is sent: %s', async (parameters, rule) => {
	const { message, sent } = await run(parameters);
	expect(message).toContain(`Request Fields ${rule}`);
	expect(sent).toEqual([]);
});
