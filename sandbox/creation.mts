import type { Values } from '../nodes/shared/spec/values.ts';
import type { CreateOperation } from '../nodes/shared/spec/operation.ts';
import { GEN_SET, MUSIC_OPERATIONS, STATE_AT_CREATION, SUCCESS } from '../test/document.mts';
import { balanceOf, charge, checkFunds } from './account.mts';
import type { Served } from './documented.mts';
import { envelope, laidOut, type Body } from './records.mts';
import { COMPLETED, modelOf, type Job, type Jobs } from './jobs.mts';
import { isMusic } from './music/operations.mts';
import { takesOf } from './music/takes.mts';
import { possibleCredits } from './prices.mts';
import { operationName } from './routes.mts';
import type { Answer, RoutedCall } from './service.mts';
import { ServiceError, type Details } from './serviceError.mts';
import type { SandboxSettings } from './settings.mts';
import type { SandboxState } from './state.mts';
import { uploadProblems } from './uploads.mts';
import { objectBody, pickOperation, validate } from './validation.mts';
import { readTexts } from './values.mts';

/** Starts a job and charges for it, or says why not. The order of the checks is made up. */
export function answerCreate(state: SandboxState, call: RoutedCall): Answer {
	const sent = objectBody(call.body);
	const operation = pickOperation(
		call.match.route.operations as Array<Served<CreateOperation>>,
		sent,
	);
	const values = call.isForm ? readTexts(operation, sent) : sent;
	const { source, problems } = sourceOf(operation, values, state.jobs);
	validate(operation, values, {
		...uploadProblems(operation, values, state.settings.shapes.music.upload),
		...problems,
	});
	checkConcurrency(state);
	const { shapes, priceWithin, openPrice } = state.settings;
	// Prices that the document leaves open are made up.
	const credits = possibleCredits(operation, values)?.[priceWithin] ?? openPrice;
	checkFunds(state.account, credits);
	const idField = operation.result?.[0] ?? shapes.creation.idField;
	const job = state.jobs.create({
		...{ operation, body: values, credits, idField },
		...(source && { source }),
	});
	const { id: jobId, createdAt: at } = job;
	charge(state.account, { jobId, operation: operationName(operation), credits, at });
	return {
		status: SUCCESS.creation,
		body: creationResult(job, balanceOf(state.account), state.settings),
	};
}

/** Section "Limits": generations that run at the same time. */
function checkConcurrency({ jobs, settings }: SandboxState): void {
	const running = jobs.running();
	if (running.length < settings.limits.concurrent) return;
	const firstEnd = Math.min(...running.map(({ endsAt }) => endsAt));
	const seconds = Math.ceil((firstEnd - settings.clock.now()) / 1000);
	throw new ServiceError(429, 'Too many concurrent generations.', undefined, seconds);
}

/** Fields of documented results, besides the identifier (section "Resources"). */
const RESULT_FIELDS: Record<string, (job: Job, balance: number) => unknown> = {
	status: () => STATE_AT_CREATION,
	credits_used: ({ credits }) => credits,
	credits_charged: ({ credits }) => credits,
	credits_remaining: (_, balance) => balance,
	message: () => 'The generation has been started.',
	model: modelOf,
	estimated_time: ({ createdAt, endsAt }) => `${Math.ceil((endsAt - createdAt) / 1000)} seconds`,
};

/** The link to a job's status in the answer to its creation. */
const statusLink = ({ id }: Job, { statusPath }: SandboxSettings['shapes']): string =>
	statusPath.replace(/\{\w+\}/, id);

/** @param balance credits of the account after the charge */
function creationResult(job: Job, balance: number, { shapes }: SandboxSettings): Body {
	const { result } = job.operation;
	const { stateField, credits, secondId } = shapes.creation;
	const second = secondId !== null && secondId !== job.idField && { [secondId]: `not-${job.id}` };
	if (result) {
		const [idField = '', ...fields] = result;
		const identity = { [idField]: job.id };
		const rest = Object.fromEntries(
			fields.map((name) => [name, RESULT_FIELDS[name]?.(job, balance)]),
		);
		return shapes.everywhere
			? laidOut({ identity: { ...second, ...identity }, rest }, shapes.creation)
			: envelope({ ...identity, ...rest });
	}
	const identity = { ...second, [job.idField]: job.id, [stateField]: STATE_AT_CREATION };
	const rest = {
		...(credits && { credits_used: job.credits, credits_remaining: balance }),
		...(shapes.creation.link === 'field' && { status_url: statusLink(job, shapes) }),
	};
	return laidOut({ identity, rest }, shapes.creation);
}

/**
 * The earlier job that a request names as its source. Section "Music catalog": it has to be a job of an allowed
 * operation, and the take one of those that this job made. The rule that the job has to be completed is made up.
 */
function sourceOf(
	{ operation, fields }: Served<CreateOperation>,
	values: Values,
	jobs: Jobs,
): { source?: Job; problems: Details } {
	const name = fields.find(({ type }) => type === 'source')?.name;
	if (name === undefined || values[name] === undefined) return { problems: {} };
	const source = jobs.find(String(values[name]));
	// Where no operations are listed: "one of the caller's generated takes".
	const allowed = MUSIC_OPERATIONS.find(({ id }) => id === operation)?.sources ?? GEN_SET;
	// Operations of other endpoints have the same names.
	if (!source || !isMusic(source.operation) || !allowed.includes(source.operation.operation)) {
		return { problems: { [name]: `Must be the id of a job of: ${allowed.join(', ')}.` } };
	}
	if (source.state !== COMPLETED) return { problems: { [name]: `This job is ${source.state}.` } };
	const { audio_id: take } = values;
	const isTake = take === undefined || takesOf(source).some(({ id }) => id === take);
	const problem = { audio_id: `Must be one of the takes of the job in ${name}.` };
	return { source, problems: isTake ? {} : problem };
}
