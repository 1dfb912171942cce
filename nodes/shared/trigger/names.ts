import type { ListedJob } from './listedJob';

/**
 * Names by which a job is remembered. An identifier of its own, and others that its entry has: several jobs
 * may have one of those in common, such as that of the order that they belong to.
 */
type Named = Pick<ListedJob, 'id' | 'otherIds'>;

const other = (id: string) => `+${id}`;

export const namesOf = ({ id, otherIds }: Named): string[] => [id, ...otherIds.map(other)];

/** Names by which the same job may have been remembered: what is its own to one is another to the other. */
export const aliasesOf = ({ id, otherIds }: Named): string[] => [id, other(id), ...otherIds];
