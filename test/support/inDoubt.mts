import type { Sandbox } from '../../sandbox/server.mts';
import type { Item } from '../../tools/lib/n8nClient.mts';
import { promptsOf } from './imageBatch.mts';
import { mostAtOnce } from './mostAtOnce.mts';

/** What an item says whose creation was under way at a kill, where the history does not show its outcome. */
const DOUBT = 'it may exist, and may have been paid for';

/** Whether an item stands for such a creation. */
const isInDoubt = (item: Item | undefined) => item?.json.error?.includes(DOUBT) === true;

/** Most creations of a batch that are under way at once. */
export const UNDER_WAY = 5;

/** Expects an item for each prompt, in order, with its own job or in doubt; gives both. */
export function expectOwnOrInDoubt(
	sandbox: Sandbox,
	items: Item[],
	ordered: readonly string[],
): { whole: Item[]; doubts: string[] } {
	expect(items).toHaveLength(ordered.length);
	const doubts = ordered.filter((_, index) => isInDoubt(items[index]));
	expect(doubts.length).toBeLessThanOrEqual(UNDER_WAY);
	const whole = items.filter((item) => !isInDoubt(item));
	expect(promptsOf(sandbox, whole)).toEqual(ordered.filter((prompt) => !doubts.includes(prompt)));
	return { whole, doubts };
}

/** Expects that each prompt was paid for once at most, and that all jobs are these, but for those that may be in doubt. */
export function expectPaidOnce(
	sandbox: Sandbox,
	jobIds: readonly string[],
	doubts: readonly string[],
): void {
	const paid = sandbox.jobs.map(({ body }) => String(body.prompt));
	expect(new Set(paid).size).toBe(paid.length);
	expect(sandbox.account.charges).toHaveLength(paid.length);
	const certain = sandbox.jobs.filter(({ body }) => !doubts.includes(String(body.prompt)));
	expect([...jobIds].sort()).toEqual(certain.map(({ id }) => id).sort());
	expect(mostAtOnce(sandbox)).toBeLessThanOrEqual(5);
}
