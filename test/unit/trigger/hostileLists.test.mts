import { ended, watching, type Entry } from './watching.mts';

/** A trigger that begins with an empty history. */
async function begun() {
	const trigger = watching();
	trigger.list();
	await trigger.activate();
	return trigger;
}

describe('bodies from hell', () => {
	const nested = (depth: number) =>
		JSON.parse('{"a":'.repeat(depth) + '1' + '}'.repeat(depth)) as Entry;

	it.each([
		['names of Object.prototype', JSON.parse('{"__proto__": {"x": 1}, "toString": 1, "id": "p"}')],
		['objects within objects', { id: 'p', deep: nested(90) }],
		['a text of a million characters', { id: 'p', prompt: 'x'.repeat(1_000_000) }],
		['URLs that are none', { id: 'p', image_url: 'https://x:99999/a.png', url: 'https://[' }],
	])('%s: the job is told of once, and others are', async (_, entry: Entry) => {
		const { list, poll, ids, workflow } = await begun();
		list(ended('x'), { ...ended('p'), ...entry }, ended('y'));
		await poll(5);
		expect(ids()).toHaveLength(3);
		expect(ids()).toEqual(expect.arrayContaining(['x', 'y']));
		expect(workflow.failures).toEqual([]);
		expect(workflow.stored.length).toBeLessThan(150_000);
		expect(({} as Entry).x).toBeUndefined();
	});

	it('a text of 12 million characters: what ends later is told of', async () => {
		const { list, poll, ids, workflow } = await begun();
		list('x'.repeat(12_000_000));
		await poll(2);
		list(ended('later'));
		await poll(2);
		expect(ids()).toEqual(['later']);
		expect(workflow.stored.length).toBeLessThan(150_000);
	});
});

describe('an entry that is no job', () => {
	const STATE = { status: 'completed' };

	it.each<[string, unknown, string]>([
		['null', null, 'identifier'],
		['without an identifier', { ...STATE, image_url: 'https://cdn.example/a.png' }, 'identifier'],
		['with one of 501 characters', { id: 'x'.repeat(501), ...STATE }, 'identifier'],
		['without a state', { id: 'x' }, 'state'],
	])("%s: it is left alone, and n8n's log says so once", async (_, entry, lack) => {
		const { list, poll, ids, workflow } = await begun();
		list(entry, ended('y'));
		await poll(5);
		expect(ids()).toEqual(['y']);
		expect(workflow.messages).toEqual([
			`MediaGen Trigger (workflow w1): An entry of the Image or Standard Video history has no ${lack}: it is left alone`,
		]);
	});
});
