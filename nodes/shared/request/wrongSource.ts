import { listInWords, type Values } from '../spec/conditions';
import type { Operation } from '../spec/types';
import type { Problem } from './validate';

/**
 * Whether the earlier job that is worked on comes from an operation that can be (section "Music
 * catalog", "Allowed source operations"). Known only when that job is the incoming item itself.
 *
 * @param incoming the JSON of the incoming item
 */
export function wrongSource(operation: Operation, values: Values, incoming: Values): Problem[] {
	const source = operation.kind === 'create' ? operation.source : undefined;
	const made = incoming.operation;
	const isIncoming = values.source !== undefined && values.source === incoming.jobId;
	if (!source || !isIncoming || typeof made !== 'string') return [];
	// Image and video jobs have operations of the same names.
	const isMusic = !NOT_MUSIC.includes(incoming.mediaType);
	if (isMusic && source.operations.includes(made)) return [];
	const what = isMusic ? made : `${made} (${String(incoming.mediaType)})`;
	const message = `Source Job ID (source) must be a job of ${listInWords(source.operations)}, but is one of ${what}`;
	return [{ field: 'source', message }];
}

const NOT_MUSIC: readonly unknown[] = ['image', 'video'];
