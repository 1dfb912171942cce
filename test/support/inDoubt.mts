import type { Item } from '../../tools/lib/n8nClient.mts';

/** What an item says whose creation was under way at a kill, where the history does not show its outcome. */
const DOUBT = 'it may exist, and may have been paid for';

/** Whether an item stands for such a creation. */
export const isInDoubt = (item: Item | undefined) => item?.json.error?.includes(DOUBT) === true;

/** Most creations of a batch that are under way at once. */
export const UNDER_WAY = 5;
