import type { IDataObject } from 'n8n-workflow';

import { findStatus, type StatusFound } from '../orders/findStatus';
import { JobError, nameOf, snapshotIfNoError, type JobSnapshot } from '../orders/job';
import { saidText } from '../orders/jobErrors';
import type { JobFacts } from '../orders/proof';
import { identifiersIn } from '../orders/readRecord';
import { isStatusPath } from '../orders/statusLink';
import { asRead, pollOwnJob, waitForJob } from '../orders/waitForJob';
import { finishedItems } from './finishedItems';
import { hint, info } from './messages';
import { rowFirst } from './rows';
import { ask, type ItemPlan, type Run, type Runner, waitingOf } from './run';
import { attempt } from '../service/attempt';
import { objectIn } from '../service/bodies';
import type { Service } from '../service/service';
import { ServiceError } from '../service/serviceError';
import { NOT_FOUND, saidBy } from '../spec/answers';
import { JOB_ID_FIELD, JOB_ROUTES } from '../spec/jobs';
import type { JobRoute, StatusOperation } from '../spec/types';

/** Reads the state of the job that an item names, once or until it has finished. */
export const runStatus: Runner<StatusOperation> = async (run, { routes }, plan) => {
	const [route] = routes as [JobRoute];
	const { snapshot, from } = await readSomewhere(run, plan, route);
	const { status } = from;
	if (snapshot.state === undefined)
		hint(run, `${rowFirst(plan)}: job ${nameOf(snapshot)}. ${saidText(snapshot)}`);
	const { startedWith = route.value, link, facts } = status.found ?? {};
	const { mediaType } = facts ?? {};
	const origin = { ...(mediaType && { mediaType }), route: status, startedWith, statusPath: link };
	return await finishedItems(run, plan, snapshot, origin, status);
};

/** @throws the error of the first place tried, if no place knows the job */
async function readSomewhere(
	run: Run,
	plan: ItemPlan,
	route: JobRoute,
): Promise<{ snapshot: JobSnapshot; from: StatusFound }> {
	const startedAt = run.clock.elapsed();
	let unknown: unknown;
	for await (const from of placesOf(run, plan, route)) {
		const read = await attempt(readAt(run, plan, startedAt, from));
		if ('value' in read) return { snapshot: read.value, from };
		if (!isUnknown(read.error)) throw read.error;
		unknown ??= read.error;
	}
	throw unknown;
}

/**
 * First the place where a job should be read, then others: lists that may tell more than its route, or wherever jobs of
 * its family may be found.
 */
async function* placesOf(run: Run, plan: ItemPlan, route: JobRoute): AsyncGenerator<StatusFound> {
	const place = await placeOf(run, plan, route);
	if (place.foundHint !== undefined) info(run, place.foundHint);
	yield place;
	if (typeof route.path === 'string') yield* listsOf(run, plan, route);
	else yield await placeOf(run, plan, route, true);
}

/** Whether the service knows no job under this identifier at that place. */
const isUnknown = (error: unknown): boolean =>
	(error instanceof ServiceError || error instanceof JobError) && error.status === NOT_FOUND;

async function readAt(
	run: Run,
	plan: ItemPlan,
	startedAt: number,
	{ id, status, record }: StatusFound,
): Promise<JobSnapshot> {
	const { clock, service } = run;
	const awaited = { id, ...status, startedAt };
	if (isFollowed(plan)) {
		const { isInHistory } = status;
		const { failuresAreItems, ...pace } = waitingOf(plan.options);
		const waiting = { isInHistory, record, ...pace, signal: run.signal };
		return await waitForJob(run, awaited, waiting).catch((error: unknown) =>
			snapshotIfNoError(error, failuresAreItems),
		);
	}
	return record
		? asRead(service, awaited, clock, record)
		: await pollOwnJob({ ...run, service: retrying(run) }, awaited);
}

/**
 * Where the job that an item names is read: on its route as documented or set, or else wherever it is found.
 *
 * @param isElsewhere the job is not where other jobs of its family were found
 * @throws ServiceError if the job is found nowhere
 */
async function placeOf(
	run: Run,
	plan: ItemPlan,
	route: JobRoute,
	isElsewhere = false,
): Promise<StatusFound> {
	const { value: family, path, list } = route;
	const id = String(plan.values[JOB_ID_FIELD]);
	if (list) return listPlace(run, plan, route);
	if (typeof path === 'string') return { id, status: { ...route.route, path: plan.request.path } };
	const { statusPath } = tellingOf(run, plan);
	const sought = {
		family,
		link: isStatusPath(statusPath) ? statusPath : undefined,
		facts: factsOf(run, plan, route),
		startedAt: -Infinity,
		withinMs: isFollowed(plan) ? plan.options.timeout * 1000 : GET_WITHIN_MS,
		isGivenById: true as const,
		...(isElsewhere && { isElsewhere: true as const }),
	};
	const found = await findStatus(run, sought).catch((error: unknown) => {
		if (error instanceof ServiceError) throw error;
		throw notFound(plan, 'The service gave no answer in time, or the execution was stopped.');
	});
	if ('notWaited' in found) throw notFound(plan, found.notWaited);
	return found;
}

/** Lists of the jobs that a route reads: they may tell more than the route. */
const listsOf = (run: Run, plan: ItemPlan, { path }: JobRoute): StatusFound[] =>
	JOB_ROUTES.filter(({ list }) => list?.route.path === path).map((route) =>
		listPlace(run, plan, route),
	);

function listPlace(run: Run, plan: ItemPlan, route: JobRoute): StatusFound {
	const facts = factsOf(run, plan, route);
	const found = { startedWith: route.value, isList: true, facts } as const;
	const status = { ...route.route, path: String(route.path), found };
	return { id: String(plan.values[JOB_ID_FIELD]), status };
}

/** Leaves out prompt and time: a person names the job, and the rest of the item may be about something else. */
function factsOf(run: Run, plan: ItemPlan, { mediaTypes }: JobRoute): JobFacts {
	const { identifiers } = tellingOf(run, plan);
	const mediaType = mediaTypes.length === 1 ? mediaTypes[0] : undefined;
	return { identifiers, mediaType };
}

/** How long a job that is read only once is looked for, in ms: no longer than other requests take. */
const GET_WITHIN_MS = 120_000;

/** Whether the job is read until it has ended. */
const isFollowed = ({ operation }: ItemPlan) => operation.kind === 'status' && operation.follow;

/** What the item says about the job that it names. */
function tellingOf({ context }: Run, { itemIndex, values, named }: ItemPlan) {
	const id = String(values[JOB_ID_FIELD]);
	const json: IDataObject = named ?? context.getInputData()[itemIndex]?.json ?? {};
	const own = { field: JOB_ID_FIELD, value: id };
	if (String(json.jobId) !== id) return { identifiers: [own] };
	const told = objectIn(saidBy(json, 'answer')) ?? {};
	const others = identifiersIn(told).filter(({ value }) => value !== id);
	return { identifiers: [own, ...others], statusPath: saidBy(json, 'statusPath') };
}

function notFound({ values }: ItemPlan, description: string): ServiceError {
	return new ServiceError({
		message: `Job ${String(values[JOB_ID_FIELD])} was not found in any place where the node can look`,
		description,
		outcome: 'refused',
	});
}

/** The service for a single poll, which is sent again so that the limits do not make it fail. */
const retrying = (run: Run): Service => ({
	...run.service,
	send: async (request) => await ask(run, request),
});
