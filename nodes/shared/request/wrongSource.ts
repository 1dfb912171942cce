import { listInWords, type Values } from '../spec/conditions';
import { STARTED_WITH } from '../spec/jobRoutes';
import { startedWithOf } from '../spec/startedWith';
import type { Operation } from '../spec/types';
import type { Problem } from './validate';

/**
 * Whether the earlier job that is worked on comes from an operation that can be (section "Music
 * catalog", "Allowed source operations"). Known only when that job is the incoming item itself.
 *
 * @param incoming the JSON of the incoming item
 */
export function wrongSource(operation: Operation, values: Values, incoming: Values): Problem[] {
	if (operation.kind !== 'create') return [];
	const { source } = operation;
	const made = incoming.operation;
	const isIncoming = values.source !== undefined && values.source === incoming.jobId;
	if (!source || !isIncoming || typeof made !== 'string') return [];
	// Image and video jobs have operations of the same names; music makes images and videos, too.
	const startedWith = incoming[STARTED_WITH];
	const isMusic = startedWith === undefined || startedWith === startedWithOf(operation);
	if (isMusic && source.operations.includes(made)) return [];
	const what = isMusic ? made : `${made} (${String(startedWith)})`;
	const message = `Source Job ID (source) must be a job of ${listInWords(source.operations)}, but is one of ${what}`;
	return [{ field: 'source', message }];
}
