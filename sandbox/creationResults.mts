import type { CreateOperation } from '../nodes/shared/spec/types.ts';
import { envelope, laidOut, type Body } from './envelope.mts';
import { modelOf, type Job } from './jobs.mts';
import type { SandboxSettings } from './settings.mts';

/** State that a creation answers, whatever the status says later ("States and transitions"). */
const INITIAL_STATE = 'processing';

/** Fields of documented results, besides identifier and charge (section "Resources"). */
const RESULT_FIELDS: Record<string, (job: Job, balance: number) => unknown> = {
	status: () => INITIAL_STATE,
	credits_remaining: (_, balance) => balance,
	message: () => 'The generation has been started.',
	model: modelOf,
	estimated_time: ({ createdAt, endsAt }) => `${Math.ceil((endsAt - createdAt) / 1000)} seconds`,
};

/** The name under which a creation returns its identifier. */
export function idFieldOf({ result }: CreateOperation, { shapes }: SandboxSettings): string {
	return result?.idField ?? shapes.creation.idField;
}

/** Where the status of a job is, as a link in the answer to its creation. */
export const statusLink = ({ id }: Job, { statusPath }: SandboxSettings['shapes']): string =>
	statusPath.replace(/\{\w+\}/, id);

/** @param balance credits of the account after the charge */
export function creationResult(job: Job, balance: number, { shapes }: SandboxSettings): Body {
	const { result } = job.operation;
	const { stateField, credits, secondId } = shapes.creation;
	const second = secondId !== null && secondId !== job.idField && { [secondId]: `not-${job.id}` };
	if (result) {
		const fields = result.fields.map((name) => [name, RESULT_FIELDS[name]?.(job, balance)]);
		const identity = { [result.idField]: job.id };
		const rest = { [result.creditsField]: job.credits, ...Object.fromEntries(fields) };
		return shapes.everywhere
			? laidOut({ identity: { ...second, ...identity }, rest }, shapes.creation)
			: envelope({ ...identity, ...rest });
	}
	const identity = { ...second, [job.idField]: job.id, [stateField]: INITIAL_STATE };
	const rest = {
		...(credits && { credits_used: job.credits, credits_remaining: balance }),
		...(shapes.creation.link === 'field' && { status_url: statusLink(job, shapes) }),
	};
	return laidOut({ identity, rest }, shapes.creation);
}
