import type { IDataObject } from 'n8n-workflow';

import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import { IMAGE } from '../../support/virtualImages.mts';
import {
	VirtualN8n,
	type Execution,
	type ExecutionOptions,
	type NodeSettings,
} from '../../support/virtualRun.mts';
import { withoutLink } from '../../support/toldBy.mts';
import type { ItemKind } from '../../support/product.mts';

/** What keeps a run from paying. Prices are those of the document: an image costs 8 credits. */

/** Family B 3.0: 27 credits a second in mode pro; the price of another mode is in doubt. */
const B30 = {
	...{ resource: 'vidB30', operation: 'generate', generationMode: 'text_to_video' },
	...{ prompt: 'a kite', durationSeconds: 5, qualityMode: 'std', aspectRatio: '16:9' },
	sound: false,
};

/** Of no documented price. */
const STUDIO = { resource: 'videoStudio', operation: 'generate', payload: '{"prompt": "a kite"}' };

function open(purchased = 1000, rules: FaultRuleInput[] = []) {
	const n8n = new VirtualN8n({ settings: { credits: { purchased, welcome: 0 } } });
	for (const rule of rules) n8n.state.faults.add(rule);
	return {
		n8n,
		created: () => n8n.state.jobs.list.length,
		sent: () => n8n.state.journal.entries.map(({ operation }) => operation),
		run: async (items: IDataObject[], more: Partial<ExecutionOptions> = {}) =>
			await n8n.run({
				items: items.map(() => ({})),
				parameters: (itemIndex) => items[itemIndex]!,
				...more,
			}),
	};
}

const images = (count: number, options: IDataObject) =>
	Array.from({ length: count }, () => ({ ...IMAGE, options }));

const CONTINUE: NodeSettings = { onError: 'continueRegularOutput' };

const textOf = ({ error }: Execution) => `${error?.message} | ${withoutLink(error?.description)}`;

describe('Max Credits per Run', () => {
	test('a run that costs just that much is created', async () => {
		const { run, created } = open();
		const { items, error } = await run(images(8, { maxCredits: 64 }));
		expect(error).toBeUndefined();
		expect({ items: items.length, created: created() }).toEqual({ items: 8, created: 8 });
	});

	test('of limits that differ between items, the lowest counts, also that of an invalid one', async () => {
		const { run, sent } = open();
		const items = images(3, {}).map((item, index) => ({
			...item,
			prompt: index === 1 ? '' : 'a kite',
			options: { maxCredits: [100, 15, 1000][index]! },
		}));
		const { items: given } = await run(items, { node: CONTINUE });
		expect(given[0]?.json.error).toContain('16 credits, more than Max Credits per Run (15)');
		expect(sent()).toEqual([]);
	});

	const REFUSED: Array<[string, IDataObject[], ItemKind, string]> = [
		[
			'one that costs more',
			images(8, { maxCredits: 63 }),
			'image',
			'These 8 items would cost 64 credits, more than Max Credits per Run (63) | ' +
				'Give the node fewer or cheaper items, or raise Options > Max Credits per Run. ',
		],
		[
			'an estimate that is not exact counts at its highest',
			[{ ...B30, options: { maxCredits: 134 } }],
			'video',
			'This item would cost at most 135 credits, more than Max Credits per Run (134) | ' +
				'Give the node fewer or cheaper items, or raise Options > Max Credits per Run. ',
		],
		[
			'without a documented price',
			[{ ...STUDIO, options: { maxCredits: 1000 } }],
			'video',
			'What row 1 would cost is not known, so Max Credits per Run (1000) cannot be kept | ' +
				'Row 1: No price is documented. To run it anyway, remove Options > Max Credits per Run. ',
		],
	];

	test.each(REFUSED)('%s: nothing is sent', async (_, items, kind, text) => {
		const { run, sent } = open();
		const execution = await run(items, { kind });
		expect(textOf(execution)).toBe(`${text}Nothing was created, nothing was charged.`);
		expect(sent()).toEqual([]);
	});

	test('Continue: each item that would cost something is an error, and nothing is created', async () => {
		const { run, sent } = open();
		const { items, error } = await run(images(3, { maxCredits: 23 }), { node: CONTINUE });
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.error)).toEqual(
			Array(3).fill('These 3 items would cost 24 credits, more than Max Credits per Run (23)'),
		);
		expect(sent()).toEqual([]);
	});

	test.each<[string, unknown, unknown]>([
		['a limit that is lost', { maxCredits: null }, { maxCredits: 8 }],
		['an estimate that is neither on nor off', { estimateOnly: 'yes' }, { estimateOnly: false }],
	])('Continue: for %s in one item, no other is paid for', async (_, one, other) => {
		const { n8n, sent } = open();
		const options = [one, other];
		await n8n.run({
			...{ items: [{}, {}], parameters: IMAGE, node: CONTINUE },
			evaluated: (i) => ({ options: options[i] }) as IDataObject,
		});
		expect(sent()).toEqual([]);
	});

	test("holds for an agent's tool", async () => {
		const { run, sent } = open();
		const node = { type: 'n8n-nodes-mediagen.mediaGenImageTool' } as NodeSettings;
		expect((await run(images(1, { maxCredits: 7 }), { node })).error).toBeDefined();
		expect(sent()).toEqual([]);
	});
});

describe('the credit balance', () => {
	test('is read once, before the first creation of several', async () => {
		const { run, sent } = open(16);
		const { error, hints } = await run(images(2, {}));
		expect(error).toBeUndefined();
		expect(sent()[0]).toBe('credits.get');
		expect(sent().filter((name) => name === 'credits.get')).toHaveLength(1);
		expect(hints.filter(({ type }) => type === 'warning')).toEqual([]);
	});

	test('is not read for a single job: the service says it sooner', async () => {
		const { run, sent } = open(7);
		const { error } = await run(images(1, {}));
		expect(sent()).toEqual(['image.generate']);
		expect(String(error?.message)).toMatch(/credits/);
	});

	test('too little: the error says so, and nothing is created', async () => {
		const { run, sent } = open(40);
		const execution = await run(images(8, {}));
		expect(textOf(execution)).toBe(
			'These 8 items would cost 64 credits, and the balance is 40 credits | ' +
				'Buy credits, or give the node fewer or cheaper items. ' +
				'Nothing was created, nothing was charged.',
		);
		expect(sent()).toEqual(['credits.get']);
	});

	test('is asked for again after a 429', async () => {
		const fault = { kind: 'status', status: 429 } as const;
		const { run, sent } = open(8, [{ match: { operation: 'credits.get' }, fault, times: 1 }]);
		expect((await run(images(2, {}))).error?.message).toContain('the balance is 8 credits');
		expect(sent()).toEqual(['credits.get', 'credits.get']);
	});

	test('where only the highest price would exceed it, the service decides', async () => {
		const video = { ...B30, waitForCompletion: false };
		const { run, created } = open(269);
		const { error } = await run([video, video], { kind: 'video' });
		expect(created()).toBe(1);
		expect(error?.message).toContain('1 of 2 failed: row 2');
	});

	test.each<[string, FaultRuleInput['fault'], string]>([
		['is refused', { kind: 'status', status: 403 }, ''],
		['is lost', { kind: 'reset' }, ''],
		['has no balance', { kind: 'status', status: 200, body: { ok: 1 } }, 'has no credits_balance'],
	])('a summary that %s: a hint says so, and the jobs are created', async (_what, fault, text) => {
		const { run, created } = open(1000, [{ match: { operation: 'credits.get' }, fault }]);
		const { hints } = await run(images(2, {}));
		expect(created()).toBe(2);
		const told = hints.find(({ message }) => message.includes('could not be read'));
		expect(told?.message).toContain(text);
		expect(told?.message).toContain('Credits may not last for all items.');
	});
});

describe('Estimate Only', () => {
	test('one item for each, paired, with its price; nothing is sent', async () => {
		const { run, sent } = open();
		const { items, hints } = await run(images(3, { estimateOnly: true, maxCredits: 1 }));
		expect(items).toEqual(
			[0, 1, 2].map((item) => ({
				json: { operation: 'image.generate', credits: 8, exact: true, estimateOnly: true },
				pairedItem: { item },
			})),
		);
		expect(hints).toEqual([
			{
				message: 'Estimate only, no job was created: 3 items, 24 credits',
				type: 'info',
				location: 'outputPane',
			},
		]);
		expect(sent()).toEqual([]);
	});

	test('names the items whose price is not known', async () => {
		const { run } = open();
		const { items, hints } = await run([{ ...STUDIO, options: { estimateOnly: true } }], {
			kind: 'video',
		});
		expect(items[0]?.json).toMatchObject({ credits: null, reason: 'No price is documented' });
		expect(hints[0]?.message).toBe(
			'Estimate only, no job was created: 0 items, 0 credits; not known: what row 1 would cost',
		);
	});

	test('an item that asks for it holds for the run: nothing is created', async () => {
		const { run, sent } = open();
		const items = images(2, {}).map((item, index) => ({
			...item,
			options: { estimateOnly: index === 1 },
		}));
		expect((await run(items)).items).toHaveLength(2);
		expect(sent()).toEqual([]);
	});
});
