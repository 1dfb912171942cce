import type { Operation } from './types';

/** What operations of a kind have in common. */

/** Whether it may start a job. */
export const startsJob = ({ kind }: Operation) => kind === 'create' || kind === 'any';

/** Whether what it gives out is jobs. */
export const givesJobs = (operation: Operation) =>
	startsJob(operation) || operation.kind === 'status';
