import type { CreateOperation, Operation } from '../types';
import { isOpen, pathOf, type Creation, type VideoFamily } from './family';

/** All operations of a family, in the order of the dropdown. */
export function operationsOf(family: VideoFamily): readonly Operation[] {
	return [
		...family.creations.flatMap((creation) => creationsOf(family, creation)),
		...(family.more ?? []),
	];
}

const MAKE = 'Make a video';

/** The creations that send one request, one for each of its modes. */
function creationsOf(
	{ resource, short = resource.label, status, creations }: VideoFamily,
	{ path, modes, ...request }: Creation,
): CreateOperation[] {
	const hasModes = creations.flatMap((creation) => creation.modes).length > 1;
	return modes.map(({ operation, label, action, from, fixed }) => ({
		kind: 'create',
		resource: resource.value,
		operation,
		label,
		action: `${action} (${short})`,
		description: `${MAKE} from ${from}`,
		...(hasModes ? { inShort: MAKE } : {}),
		method: 'POST',
		path: pathOf(path),
		mediaType: 'video',
		...(fixed ? { fixed } : {}),
		...request,
		status: isOpen(status) ? { openPoint: status.setting } : { route: status },
	}));
}
