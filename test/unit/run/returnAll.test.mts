import type { IDataObject } from 'n8n-workflow';

import { runList } from '../../../nodes/shared/run/records.ts';
import type { ItemPlan, Run } from '../../../nodes/shared/run/run.ts';
import { JOB_HISTORY } from '../../../nodes/shared/spec/jobs.ts';
import { fakeService } from '../../support/fakeService.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** The history, page by page; whether `offset` and `limit` are heeded is not shown. */

interface Asked {
	limit: number;
	offset: number;
}

/** Reads the history of a service that answers each page by a function. */
async function read(
	answer: (asked: Asked) => unknown,
	parameters: IDataObject = { returnAll: true },
) {
	const asked: Asked[] = [];
	const { service } = fakeService([]);
	const run = {
		service: {
			...service,
			send: async ({ query }: { query?: Partial<Asked> }) => {
				const { limit = 0, offset = 0 } = query ?? {};
				asked.push({ limit, offset });
				return answer({ limit, offset });
			},
		},
		clock: new VirtualClock(),
	} as unknown as Run;
	const plan = {
		itemIndex: 0,
		values: parameters.returnAll ? {} : parameters,
		request: { method: 'GET', path: '/x' },
		read: (name: string, fallback: unknown) => parameters[name] ?? fallback,
	} as unknown as ItemPlan;
	const items = await runList(run, JOB_HISTORY, plan);
	return { items: items.map(({ json }) => json), asked };
}

const entries = (from: number, to: number) =>
	Array.from({ length: Math.max(0, to - from) }, (_, index) => ({ id: `g${from + index}` }));

test('a history of 250 entries is read whole', async () => {
	const all = entries(0, 250);
	const { items, asked } = await read(({ limit, offset }) => all.slice(offset, offset + limit));
	expect(items).toEqual(all);
	expect(asked.map(({ offset }) => offset)).toEqual([0, 100, 200, 250]);
});

test('a service that ignores offset is asked twice; each record is there once', async () => {
	const { items, asked } = await read(() => entries(0, 30));
	expect(items).toEqual(entries(0, 30));
	expect(asked).toHaveLength(2);
});

test('one that ignores offset and changes its records or their order ends, too', async () => {
	let reads = 0;
	const { items, asked } = await read(() => {
		reads += 1;
		const page = entries(0, 30).map((entry) => ({ ...entry, seen: reads }));
		return { results: reads % 2 ? page : page.reverse() };
	});
	expect(items).toEqual(entries(0, 30).map((entry) => ({ ...entry, seen: 1 })));
	expect(asked).toHaveLength(2);
});

test('records that move to the next page while it is read are given once', async () => {
	const all = entries(0, 150);
	const { items } = await read(({ offset }) =>
		offset === 0 ? all.slice(0, 100) : offset < 150 ? all.slice(95, 150) : [],
	);
	expect(items).toEqual(all);
});

test('records of one job, told apart by an id of their own, are all there', async () => {
	const page = [
		{ job_id: 'j', id: 1, credits: -8 },
		{ job_id: 'j', id: 2, credits: 8 },
	];
	expect((await read(({ offset }) => (offset === 0 ? page : []))).items).toEqual(page);
});

test('records without an identifier are compared by what they say, page with page', async () => {
	const page = [{ credits: 8 }, { credits: 8 }, 'text'];
	const { items, asked } = await read(() => page);
	expect(items).toEqual([{ credits: 8 }, { credits: 8 }, { value: 'text' }]);
	expect(asked).toHaveLength(2);
});

test('a limit counts what is given out', async () => {
	const { items, asked } = await read(() => entries(0, 30), { limit: 50 });
	expect(items).toHaveLength(30);
	expect(asked).toHaveLength(2);
	expect((await read(() => entries(0, 30), { limit: 7 })).items).toHaveLength(7);
});
