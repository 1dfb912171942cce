import type { IDataObject } from 'n8n-workflow';

import { doubtIn, jobOf, type Order } from '../../../nodes/shared/orders/order.ts';
import {
	Orders,
	paidIdsIn,
	type Pool,
	type RunOfNode,
} from '../../../nodes/shared/orders/orders.ts';
import { seededRandom } from '../../../sandbox/random.mts';

/** Drawn histories of executions, each of which goes on with what those before it have ordered. */

const SEEDS = Array.from({ length: 1000 }, (_, seed) => seed);

interface Row {
	source?: string;
	asks: string;
}

/** What became of all creations, by number: a bad one may have been paid for, and has no result. */
interface Made {
	row: Row;
	isPaid: boolean;
	isBad: boolean;
	/** A person has retried, and knew that it is bad. */
	isAskedAnew?: true;
}

/** A service that answers by chance, and a person who counts. */
function draw(seed: number) {
	const random = seededRandom(seed, 'histories');
	const chance = (of: number) => random() < of;
	const upTo = (count: number) => Math.floor(random() * count);
	const pick = <T,>(list: readonly T[]) => list[upTo(list.length)] as T;
	const made: Made[] = [];
	const faults = new Set<string>();
	const check = (isRight: boolean, promise: string) => void (isRight || faults.add(promise));
	const numberOf = (order: Order) => Number(jobOf(order)?.id ?? doubtIn(order)?.why);

	/** @returns the order, if the service has not refused it */
	const create = (orders: Orders, row: number, asked: Row): Order | undefined => {
		const { asks } = asked;
		const started = { resource: 'image', operation: 'generate', prompt: asks };
		const order = orders.begin(row, { asks, started, sentAt: 0 });
		if (chance(0.1)) return void orders.drop(order);
		const number = String(made.length);
		const isPaid = chance(0.9);
		made.push({ row: asked, isPaid, isBad: !isPaid });
		const job = { id: number, creation: {}, startedAt: 0, status: { unknown: '' } };
		orders.settle(order, isPaid ? { state: 'running', job } : { state: 'unknown', why: number });
		return order;
	};

	/** Waits for the job, for a time. @returns whether the order has its result */
	const follow = (orders: Orders, order: Order): boolean => {
		const job = jobOf(order);
		if (order.outcome.state !== 'running' || !job) return order.outcome.state === 'completed';
		if (chance(0.2)) return false;
		const state = chance(0.2) ? 'failed' : 'completed';
		made[Number(job.id)]!.isBad = state === 'failed';
		orders.settle(order, { state, job });
		return state === 'completed';
	};

	/** A run of the node, which may begin nothing after a failure. @returns whether all rows have their results */
	const run = (memory: IDataObject, of: Partial<RunOfNode>, pool: Pool, rows: Row[]): boolean => {
		const isFirst = { isRetry: false, isTool: false, isCalled: false };
		const node = {
			execution: '1',
			workflow: 'w',
			credential: 'c',
			run: 0,
			lineage: '1',
			...isFirst,
			...of,
		};
		const orders = new Orders(memory, node, pool);
		const asking = rows.map((row, index) => ({ row: index, ...row }));
		orders.match(asking.map(({ row, source }) => ({ row, source })));
		orders.match(asking.map(({ row, asks }) => ({ row, asks })));
		for (const { row } of asking) {
			const order = orders.find(row);
			if (order && doubtIn(order) && orders.isByPerson(order)) orders.giveUp(order);
		}
		const isStopping = chance(0.5);
		const done: Order[] = [];
		let hasFailed = false;
		for (const [row, asked] of rows.entries()) {
			const isLeft = hasFailed && isStopping;
			const order = orders.find(row) ?? (isLeft ? undefined : create(orders, row, asked));
			if (order && follow(orders, order)) done.push(order);
			else hasFailed = true;
		}
		const ordered = asking.flatMap(({ row }) => orders.find(row) ?? []);
		const isHeld = ordered.some((order) => made[numberOf(order)]?.isAskedAnew);
		check(!isHeld, 'a person who retries has ordered anew what has no result');
		check(new Set(done.map(numberOf)).size === done.length, 'a job is the result of one row');
		const earlier = asking.flatMap(({ row }) => orders.earlierOf(row));
		const named = new Set([...ordered, ...earlier, ...orders.rest].map(numberOf));
		const isNamed = made.length === named.size && made.every((_, number) => named.has(number));
		check(node.isTool || isNamed, 'each creation is that of a row, or named, and nothing else is');
		const stored = new Set(paidIdsIn(memory));
		const isStored = ({ isPaid }: Made, number: number) => !isPaid || stored.has(String(number));
		check(made.every(isStored), 'each paid job is stored with the execution');
		orders.close(!hasFailed);
		return !hasFailed;
	};

	const found = () => [...faults].map((fault) => `seed ${seed}: ${fault}`);

	return { made, found, check, chance, upTo, pick, run };
}

/** n8n retries a node at once, and a person any execution that has failed. @param isRetyped the node is changed between */
function retries(seed: number, isRetyped: boolean): string[] {
	const { made, found, check, chance, upTo, pick, run } = draw(seed);
	const items = Array.from({ length: 1 + upTo(5) }, (_, index) => index);
	const [isAlike, isRandom] = [chance(0.3), !isRetyped && chance(0.5)];
	const drawn = () => pick(['red', 'blue', 'green', 'white', 'black']);
	const prompts = items.map(drawn);
	let pool: Pool = new Map();
	let executions = 0;
	const failed: string[] = [];
	/** @returns whether it has succeeded */
	const execute = (memory: IDataObject, isRetry: boolean): boolean => {
		const execution = String(++executions);
		const typed = isRetyped && chance(0.5) ? 'other' : 'typed';
		if (isRetry) for (const one of made) if (one.isBad) one.isAskedAnew = true;
		for (let tries = upTo(3); tries >= 0; tries--) {
			const rows = items.map((item) => ({
				source: `${typed} ${isAlike ? 'alike' : item}`,
				asks: isRandom ? drawn() : prompts[item]!,
			}));
			const isDone = run(memory, { execution, isRetry }, pool, rows);
			const anew = made.filter(({ isAskedAnew }) => isAskedAnew).length;
			check(made.length <= items.length + anew, 'nothing is paid for twice');
			if (isDone) return true;
		}
		failed.push(JSON.stringify(memory));
		return false;
	};
	let hasEnded = execute({}, false);
	for (let count = 0; count < 5 && failed.length > 0; count++) {
		// What was paid for is stored with the newest alone, unless n8n remembers it.
		const isRestarted = !hasEnded && chance(0.3);
		if (isRestarted) pool = new Map();
		const retried = isRestarted ? failed.at(-1) : pick(failed);
		hasEnded = execute(JSON.parse(retried!) as IDataObject, true);
	}
	return found();
}

/** A workflow is called again until it succeeds, with some of the rows, in any order. */
function calls(seed: number): string[] {
	const { made, found, check, chance, upTo, run } = draw(seed);
	const items = Array.from({ length: 1 + upTo(5) }, (_, index) => `item ${index}`);
	const isRandom = chance(0.3);
	const pool: Pool = new Map();
	for (let call = 0, isDone = false; call < 6 && !isDone; call++) {
		const memory: IDataObject = {};
		const own = items.filter(() => chance(0.8)).sort(() => (chance(0.5) ? 1 : -1));
		for (let tries = upTo(2); tries >= 0 && !isDone; tries--) {
			const asks = (item: string) => (isRandom ? `${item} ${upTo(1e9)}` : item);
			const rows = own.map((source) => ({ source, asks: asks(source) }));
			isDone = run(memory, { execution: String(call), isCalled: true }, pool, rows);
		}
	}
	const paid = made.map(({ row }) => row.source);
	check(new Set(paid).size === paid.length, 'no item is paid for twice');
	return found();
}

/** An agent calls its tool again and again, with one of three requests. */
function toolCalls(seed: number): string[] {
	const { made, found, check, pick, run } = draw(seed);
	const memory: IDataObject = {};
	const given = new Map<string, number>();
	for (let call = 0; call < 12; call++) {
		const asks = pick(['a', 'b', 'c']);
		const isDone = run(memory, { isTool: true, run: call }, new Map(), [{ asks }]);
		const before = given.get(asks) ?? 0;
		const paid = made.filter(({ row }) => row.asks === asks).length;
		check(paid <= before + 1, 'what has no result is not paid for again');
		check(!isDone || paid > before, 'a result is given once');
		if (isDone) given.set(asks, before + 1);
	}
	return found();
}

test('executions that are retried in any order, also after n8n has ended', () => {
	expect(SEEDS.flatMap((seed) => retries(seed, false))).toEqual([]);
});

test('the same where a person changes the node, and its requests stay', () => {
	expect(SEEDS.flatMap((seed) => retries(seed, true))).toEqual([]);
});

test('a workflow that is called again, with some of its rows, in any order', () => {
	expect(SEEDS.flatMap(calls)).toEqual([]);
});

test("calls of an agent's tool", () => {
	expect(SEEDS.flatMap(toolCalls)).toEqual([]);
});
