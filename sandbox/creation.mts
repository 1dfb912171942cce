import { possiblePrices } from '../nodes/shared/spec/price.ts';
import type { Values } from '../nodes/shared/spec/conditions.ts';
import { CREATED } from '../nodes/shared/spec/answers.ts';
import type { CreateOperation } from '../nodes/shared/spec/types.ts';
import { balanceOf, charge, checkFunds } from './account.mts';
import { creationResult, idFieldOf, statusLink } from './creationResults.mts';
import { sourceOf, sourceProblems } from './music/sources.mts';
import { operationName } from './routes.mts';
import type { Answer, RoutedCall } from './service.mts';
import { ServiceError } from './serviceError.mts';
import type { SandboxSettings } from './settings.mts';
import type { SandboxState } from './state.mts';
import { uploadProblems } from './uploads.mts';
import { objectBody, pickOperation, validate } from './validation.mts';
import { readTexts } from './values.mts';

/** Starts and charges a job, or says why not; in which order it checks is made up. */
export function answerCreate(state: SandboxState, call: RoutedCall): Answer {
	const sent = objectBody(call.body);
	const operation = pickOperation(call.match.route.operations as CreateOperation[], sent);
	const values = call.isForm ? readTexts(operation, sent) : sent;
	const source = sourceOf(operation, values, state.jobs);
	validate(operation, values, {
		...uploadProblems(operation, values, state.settings.shapes.music.upload),
		...sourceProblems(operation, values, source),
	});
	checkConcurrency(state);
	const credits = chargeFor(operation, values, state.settings);
	checkFunds(state.account, credits);
	const idField = idFieldOf(operation, state.settings);
	const job = state.jobs.create({ operation, body: values, credits, idField, source });
	const { id: jobId, createdAt: at } = job;
	charge(state.account, { jobId, operation: operationName(operation), credits, at });
	const { shapes } = state.settings;
	const isLinked = shapes.creation.link === 'header' && 'openPoint' in operation.status;
	return {
		status: CREATED,
		body: creationResult(job, balanceOf(state.account), state.settings),
		...(isLinked && { headers: { location: statusLink(job, shapes) } }),
	};
}

/** Credits for the request, made up where the document leaves them open. */
function chargeFor(operation: CreateOperation, values: Values, settings: SandboxSettings) {
	return possiblePrices(operation, values)?.[settings.priceWithin] ?? settings.openPrice;
}

/** Section "Limits": generations that run at the same time. */
function checkConcurrency({ jobs, settings }: SandboxState): void {
	const running = jobs.running();
	if (running.length < settings.limits.concurrent) return;
	const firstEnd = Math.min(...running.map(({ endsAt }) => endsAt));
	const seconds = Math.ceil((firstEnd - settings.clock.now()) / 1000);
	throw new ServiceError(429, 'Too many concurrent generations.', undefined, seconds);
}
