import type { Sandbox } from '../../sandbox/server.mts';

/**
 * The sandbox's job with this prompt. Items of a batch are created side by side, so the order of
 * `sandbox.jobs` is not that of the items.
 */
export const jobOf = (sandbox: Pick<Sandbox, 'jobs'>, prompt: string) =>
	sandbox.jobs.find(({ body }) => body.prompt === prompt);
