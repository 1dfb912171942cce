import { JOB_ROUTES } from './jobRoutes';
import { GENERATION_STATUS } from './jobs';
import type { CreateOperation, JobRoute } from './types';

/** What jobs are started with whose state the general route of generations gives. */
export const GENERATION = startedWithOf({ status: { route: GENERATION_STATUS } });

/**
 * What the item of a job says that it was started with: the choice of *Started With* by which its
 * state is read. None where no route is known.
 */
export function startedWithOf({ status }: Pick<CreateOperation, 'status'>): string | undefined {
	const isOf = ({ path, route }: JobRoute) =>
		'route' in status
			? route === status.route
			: typeof path !== 'string' && path.openPoint === status.openPoint;
	return JOB_ROUTES.find(isOf)?.value;
}
