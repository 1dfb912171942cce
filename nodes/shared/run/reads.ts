import type { IDataObject } from 'n8n-workflow';

import { newEntries } from '../orders/history';
import { isAccepted } from '../orders/order';
import { findStatus, type Sought, type StatusFound, isStatusPath } from '../orders/findStatus';
import { type JobSnapshot, jobName, placeAt, saidText, snapshotOrThrow } from '../orders/job';
import { identifiersIn, listIn, recordIn } from '../orders/readRecord';
import { asRead, pollJob, waitForJob } from '../orders/waitForJob';
import { finishedItem } from './finishedItems';
import { hint, info, rowFirst } from './messages';
import { PAGE_SIZE } from '../request/request';
import { ask, itemOf, type ItemPlan, type Run, type Runner } from './run';
import { attempt } from '../clock/clock';
import { objectIn } from '../spec/values';
import type { ServiceRequest } from '../service/service';
import { ServiceError } from '../service/serviceError';
import { ID_FIELDS, saidBy } from '../spec/answers';
import { JOB_ID_FIELD } from '../spec/jobs';
import type { JobRoute, ListOperation, RecordOperation, StatusOperation } from '../spec/operation';

/* The operations that only read: a job that an item names, a list, a record. */

/** Reads the state of the job that an item names, once or until it has finished. */
export const runStatus: Runner<StatusOperation> = async (run, { routes }, plan) => {
	const [route] = routes as [JobRoute];
	const startedAt = run.clock.now();
	const place = await placeOf(run, plan, route);
	const snapshot = await readAt(run, plan, startedAt, place);
	const { status, foundHint } = place;
	if (foundHint !== undefined) info(run, foundHint);
	if (snapshot.state === undefined)
		hint(run, `${rowFirst(plan)}: job ${jobName(snapshot)}. ${saidText(snapshot)}`);
	const { startedWith = route.value, link } = status.proof ?? {};
	const mediaType = status.proof && route.mediaTypes.length === 1 ? route.mediaTypes[0] : undefined;
	const origin = { ...(mediaType && { mediaType }), route: status, startedWith, statusPath: link };
	return [await finishedItem(run, plan, snapshot, origin)];
};

/**
 * Where the job is read: on its route as documented, or else wherever it is found.
 *
 * @throws ServiceError if the job is found nowhere
 */
async function placeOf(run: Run, plan: ItemPlan, route: JobRoute): Promise<StatusFound> {
	const { id, identifiers, statusPath } = tellingOf(run, plan);
	const { value: family, path, list } = route;
	if (typeof path === 'string') {
		const proof = list && { startedWith: family, identifiers };
		return { id, status: placeAt(route, list ? path : plan.request.path, proof) };
	}
	return await foundAt(run, plan, {
		family,
		link: isStatusPath(statusPath, id) ? statusPath : undefined,
		identifiers,
		withinMs: isFollowed(plan) ? plan.options.timeout * 1000 : GET_WITHIN_MS,
		isGivenById: true,
	});
}

/** How long a job that is read only once is looked for, in ms: no longer than other requests take. */
const GET_WITHIN_MS = 120_000;

async function foundAt(run: Run, { values }: ItemPlan, sought: Sought): Promise<StatusFound> {
	const found = await attempt(findStatus(run, sought));
	if ('error' in found && found.error instanceof ServiceError) throw found.error;
	if ('value' in found && !('notWaited' in found.value)) return found.value;
	throw new ServiceError({
		message: `Job ${String(values[JOB_ID_FIELD])} was not found in any place where the node can look`,
		description:
			'value' in found && 'notWaited' in found.value
				? found.value.notWaited
				: 'The service gave no answer in time, or the execution was stopped.',
		outcome: 'refused',
	});
}

async function readAt(
	run: Run,
	plan: ItemPlan,
	startedAt: number,
	{ id, status, record }: StatusFound,
): Promise<JobSnapshot> {
	const { clock, service } = run;
	const job = { id, status, startedAt };
	if (isFollowed(plan)) {
		const { timeout, outputByStatus } = plan.options;
		const waiting = { record, timeoutMs: timeout * 1000 };
		return await waitForJob(run, job, waiting).catch((error: unknown) =>
			snapshotOrThrow(error, outputByStatus),
		);
	}
	if (record) return asRead(service, job, clock, record);
	// It is sent again, so that the limits do not make a single poll fail.
	const retrying = { ...service, send: async (request: ServiceRequest) => await ask(run, request) };
	return await pollJob(retrying, job, clock);
}

/** Whether the job is read until it has ended. */
const isFollowed = ({ operation }: ItemPlan) => operation.kind === 'status' && operation.follow;

/** What the item says about the job that it names. */
function tellingOf({ context }: Run, { itemIndex, values }: ItemPlan) {
	const id = String(values[JOB_ID_FIELD]);
	const json: IDataObject = context.getInputData()[itemIndex]?.json ?? {};
	const own = { field: JOB_ID_FIELD, value: id };
	if (String(json.jobId) !== id) return { id, identifiers: [own] };
	const told = objectIn(saidBy(json, 'answer')) ?? {};
	const others = identifiersIn(told).filter(({ value }) => value !== id);
	return { id, identifiers: [own, ...others], statusPath: saidBy(json, 'statusPath') };
}

/** Reads a list, one item for each entry; a body that is no list becomes one item. */
export const runList: Runner<ListOperation> = async (run, { isPaged }, plan) => {
	const { entries } = await (isPaged ? pagesOf(run, plan) : pageOf(run, plan));
	return entries.map((entry) => itemOf(plan, entryOutput(entry)));
};

const entryOutput = (entry: unknown) => (objectIn(entry) ?? { value: entry }) as IDataObject;

async function pageOf(run: Run, { request }: ItemPlan, query: Record<string, number> = {}) {
	const answer = await ask(run, { ...request, query: { ...request.query, ...query } });
	const list = listIn(answer);
	const isList = 'entries' in list;
	return { isList, entries: isList ? list.entries : [list.single] };
}

async function pagesOf(run: Run, plan: ItemPlan) {
	// The form has none with *Return All*.
	const wanted = Number(plan.values.limit ?? Infinity);
	const start = Number(plan.values.offset ?? 0);
	const entries: unknown[] = [];
	let isList = true;
	const read = async (from: number) => {
		const page = await pageOf(run, plan, {
			limit: Math.min(PAGE_SIZE, wanted - entries.length),
			...(from > 0 && { offset: from }),
		});
		isList = page.isList;
		return page.entries;
	};
	for await (const added of newEntries(read, keyOf, start)) {
		entries.push(...added);
		if (!isList || entries.length >= wanted) break;
	}
	return { entries: entries.slice(0, wanted) };
}

/**
 * What an entry is recognized by on a later page: all its identifiers together, since several entries may be about one
 * job; its whole content if it has none.
 */
function keyOf(entry: unknown): string {
	const record = objectIn(entry) ?? {};
	const identifiers = ID_FIELDS.map((field) => record[field] ?? null);
	return JSON.stringify(identifiers.some((value) => value !== null) ? identifiers : entry);
}

export const runRecord: Runner<RecordOperation> = async (run, operation, plan) => {
	const body = await ask(run, plan.request).catch((error: unknown) => {
		const isEmpty =
			error instanceof ServiceError && isAccepted(error) && error.answer?.trim() === '';
		if (isEmpty && !operation.answer) return { status: error.status };
		throw error;
	});
	return [itemOf(plan, entryOutput(recordIn(body) ?? body))];
};
