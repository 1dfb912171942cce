import { FairQueue } from '../../../nodes/shared/limits/fairQueue.ts';

const [anna, bert, cleo] = [{ run: 'anna' }, { run: 'bert' }, { run: 'cleo' }];

let queue: FairQueue<string>;

beforeEach(() => {
	queue = new FairQueue();
});

const push = (owner: object, ...entries: string[]) => {
	for (const entry of entries) queue.push(owner, entry);
};

/** Takes everything. */
const taken = (): string[] => {
	const entry = queue.take();
	return entry === undefined ? [] : [entry, ...taken()];
};

test('within a line, who came first is served first', () => {
	push(anna, 'a1', 'a2', 'a3');
	expect(taken()).toEqual(['a1', 'a2', 'a3']);
});

test('owners take turns, however long their lines are', () => {
	push(anna, 'a1', 'a2', 'a3');
	push(bert, 'b1', 'b2');
	push(cleo, 'c1');
	expect(taken()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('who comes back at once after a turn does not overtake those who wait', () => {
	push(anna, 'a1');
	push(bert, 'b1', 'b2');
	expect(queue.take()).toBe('a1');
	push(anna, 'a2');
	expect(taken()).toEqual(['b1', 'a2', 'b2']);
});

test('a line of 500 holds up a newcomer by one turn', () => {
	push(anna, ...Array.from({ length: 500 }, (_, n) => `a${n}`));
	queue.take();
	push(bert, 'b');
	expect([queue.take(), queue.take()]).toContain('b');
});

test('an entry that had its turn in vain is first of its own line, but not of others', () => {
	push(anna, 'a1');
	push(bert, 'b1');
	queue.push(bert, 'again', true);
	expect(taken()).toEqual(['a1', 'again', 'b1']);
});

test('the least rank goes first; of equals, who was served least recently', () => {
	push(anna, 'a1', 'a2');
	push(bert, 'b1', 'b2');
	push(cleo, 'c1');
	const ranks = new Map<object, number>([
		[anna, 2],
		[bert, 1],
		[cleo, 1],
	]);
	const rank = (owner: object) => ranks.get(owner);
	expect(Array.from({ length: 5 }, () => queue.take(rank))).toEqual(['b1', 'c1', 'b2', 'a1', 'a2']);
});

test('the rank is asked for the entry that would be taken', () => {
	push(anna, 'a1', 'a2');
	const rank = jest.fn(() => 0);
	queue.take(rank);
	expect(rank.mock.calls).toEqual([[anna, 'a1']]);
});

test('who may not be served keeps waiting, and the place', () => {
	push(anna, 'a1');
	push(bert, 'b1');
	push(cleo, 'c1');
	expect(queue.take((owner) => (owner === bert ? 0 : undefined))).toBe('b1');
	expect(queue.take(() => undefined)).toBeUndefined();
	expect(taken()).toEqual(['a1', 'c1']);
});

test('an entry that is removed is not served, and the others keep their places', () => {
	push(anna, 'a1', 'a2', 'a3');
	push(bert, 'b1');
	queue.remove(anna, 'a2');
	queue.remove(anna, 'unknown');
	queue.remove(cleo, 'a1');
	expect(taken()).toEqual(['a1', 'b1', 'a3']);
});

test('is empty when the last entry has been taken or removed', () => {
	expect(queue.isEmpty).toBe(true);
	push(anna, 'a1');
	push(bert, 'b1');
	queue.take();
	expect(queue.isEmpty).toBe(false);
	queue.remove(bert, 'b1');
	expect(queue.isEmpty).toBe(true);
	expect(queue.take()).toBeUndefined();
});

test('counts all that wait', () => {
	push(anna, 'a1', 'a2', 'a3');
	push(bert, 'b1');
	expect(queue.size).toBe(4);
	queue.take();
	queue.remove(bert, 'b1');
	expect(queue.size).toBe(2);
});
