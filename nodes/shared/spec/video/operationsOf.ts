import { GENERATION_STATUS, statusOperations } from '../jobs';
import { JOB_ID } from '../records';
import type { CreateOperation, Operation, StatusOperation } from '../types';
import { isOpen, type Creation, type OpenPath, type VideoFamily } from './family';

/** All operations of a family, in the order of the dropdown. */
export function operationsOf(family: VideoFamily): readonly Operation[] {
	return [
		...family.creations.flatMap((creation) => creationsOf(family, creation)),
		...statusOperationsOf(family),
		...(family.more ?? []),
	];
}

/** The creations that send one request, one for each of its modes. */
function creationsOf(
	{ resource, status }: VideoFamily,
	{ path, modes, ...request }: Creation,
): CreateOperation[] {
	return modes.map(({ operation, label, from, fixed }) => ({
		kind: 'create',
		resource: resource.value,
		operation,
		label,
		action: `Generate a video from ${from} with ${resource.label}`,
		description: `Make a video from ${from}`,
		method: 'POST',
		path: pathOf(path),
		mediaType: 'video',
		...(fixed ? { fixed } : {}),
		...request,
		status: isOpen(status) ? { openPoint: status.setting } : { route: status },
	}));
}

/** Get Status and Wait for Completion; those of the resource Job serve every generation. */
function statusOperationsOf({ resource, status }: VideoFamily): readonly StatusOperation[] {
	if (status === GENERATION_STATUS) return [];
	return statusOperations(
		resource.value,
		isOpen(status) ? { path: pathOf(status), idField: JOB_ID, urlFields: {} } : status,
	);
}

/** A setting and the row of the open points that it comes from have one name. */
function pathOf(path: string | OpenPath): Operation['path'] {
	return typeof path === 'string' ? path : { openPoint: path.setting };
}
