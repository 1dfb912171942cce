import type { Values } from '../../nodes/shared/spec/conditions.ts';
import { GEN_SET } from '../../nodes/shared/spec/music/operations.ts';
import { COMPLETED } from '../../nodes/shared/spec/answers.ts';
import type { CreateOperation } from '../../nodes/shared/spec/types.ts';
import type { Job, Jobs } from '../jobs.mts';
import type { Details } from '../serviceError.mts';
import { namedFields } from '../values.mts';
import { isMusic } from './operations.mts';
import { takesOf } from './takes.mts';

/** The earlier job that a request names as its source, if there is such a job. */
export function sourceOf(operation: CreateOperation, values: Values, jobs: Jobs): Job | undefined {
	const name = sourceField(operation);
	return name === undefined ? undefined : jobs.find(String(values[name]));
}

/**
 * Section "Music catalog": the source has to be a job of an allowed operation, and the take one of
 * those it made. That it has to be completed is made up.
 */
export function sourceProblems(
	operation: CreateOperation,
	values: Values,
	source: Job | undefined,
): Details {
	const name = sourceField(operation);
	if (name === undefined || values[name] === undefined) return {};
	const allowed = allowedSources(operation);
	// Operations of other endpoints have the same names.
	const isAllowed =
		source && isMusic(source.operation) && allowed.includes(source.operation.operation);
	if (!isAllowed) {
		return { [name]: `Must be the id of a job of: ${allowed.join(', ')}.` };
	}
	if (source.state !== COMPLETED) return { [name]: `This job is ${source.state}.` };
	const { audio_id: audioId } = values;
	const isTake = audioId === undefined || takesOf(source).some(({ id }) => id === audioId);
	return isTake ? {} : { audio_id: `Must be one of the takes of the job in ${name}.` };
}

function sourceField(operation: CreateOperation): string | undefined {
	return namedFields(operation).find(({ type }) => type === 'source')?.name;
}

/** Where no operations are listed, "one of the caller's generated takes". */
function allowedSources({ source }: CreateOperation): readonly string[] {
	return source && source.operations.length > 0 ? source.operations : GEN_SET;
}
