import { GENERATION_STATUS } from './jobs';
import type { CreateOperation } from './types';

/** What jobs are started with whose state the general route of generations gives. */
export const GENERATION = 'generation';

/** Open points of status paths that serve more, or less, than one resource. */
const BY_OPEN_POINT: Readonly<Record<string, string>> = {
	musicStatusPath: 'music',
	imageStatusPath: 'imageUnified',
};

/**
 * What a job was started with, as far as it matters for reading it: jobs with the same answer are read
 * by the same route. `generation`, `music`, `imageUnified`, or the resource of the operation.
 */
export function startedWithOf({
	resource,
	status,
}: Pick<CreateOperation, 'resource' | 'status'>): string {
	if ('openPoint' in status) return BY_OPEN_POINT[status.openPoint] ?? resource;
	return status.route === GENERATION_STATUS ? GENERATION : resource;
}
