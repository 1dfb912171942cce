import type { IDataObject } from 'n8n-workflow';

import type { Job } from '../../sandbox/jobs.mts';
import type { SandboxState } from '../../sandbox/state.mts';
import { flat } from '../../test/support/flat.mts';
import { BASE_URL } from '../../test/support/virtualNetwork.mts';
import type { Execution } from '../../test/support/virtualRun.mts';

/** By how much the reported wait may fall short of a job's duration, in ms, since answers take time to arrive. */
const UNDER_WAY_MS = 200;

type Output = Record<string, unknown>;

/**
 * Counts the wrong items. A right one tells of a job of its own, agrees with the service's record, and was not output
 * before the job had ended.
 */
export function wrongResults({ items, options }: Execution, { jobs }: SandboxState): number {
	const seen = new Set<unknown>();
	const isRight = (output: Output | undefined, prompt: unknown) => {
		const job = jobs.find(String(output?.jobId));
		const isOwn = job !== undefined && job.body.prompt === prompt && !seen.has(job.id);
		seen.add(job?.id);
		return isOwn && tellsTruth(output ?? {}, job);
	};
	return options.items.filter(({ prompt }, index) => !isRight(items[index]?.json, prompt)).length;
}

function tellsTruth(output: Output, { id, outcome, credits, createdAt, endsAt }: Job): boolean {
	const url = outcome === 'completed' ? `${BASE_URL}/media/${id}.png` : null;
	return (
		output.status === outcome &&
		(output.mediaUrl ?? null) === url &&
		output.creditsUsed === credits &&
		Number(flat(output as IDataObject).waitedMs) >= endsAt - createdAt - UNDER_WAY_MS
	);
}
