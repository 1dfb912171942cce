import type { Item } from '../../tools/lib/n8nClient.mts';

/** What a creation says of itself that was under way at a kill, where the history does not tell. */
const DOUBT = 'it may exist, and may have been paid for';

/** Whether an item stands for such a creation. */
export const isInDoubt = (item: Item | undefined) => item?.json.error?.includes(DOUBT) === true;

/** Creations of a batch that are under way at once, at most. */
export const UNDER_WAY = 5;
