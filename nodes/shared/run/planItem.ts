import { jobOf } from '../orders/order';
import { withFiles } from '../files/given';
import { SETTINGS_PLACE } from '../form/names';
import { buildRequest, pathWithId } from '../request/buildRequest';
import { InvalidValues, type ReadParameter, readRequest } from '../request/readRequest';
import { parameterReader, type ReadOptions } from './readParameters';
import type { ItemPlan, Run } from './run';
import type { Service } from '../service/service';
import { ServiceError } from '../service/serviceError';
import { cleanText } from '../service/shownText';
import { saidBy } from '../spec/answers';
import { listInWords, type Values } from '../spec/conditions';
import { AS_ITEM_SAYS, jobRoute, RECOVERY_READS, STARTED_WITH } from '../spec/jobs';
import { OPERATION_ID, OTHER_OPERATION } from '../spec/music';
import { detailNamed } from '../spec/openPoints';
import type { CreateOperation, Operation, Path, StatusOperation } from '../spec/operation';

/**
 * Reads and checks one item; sends nothing.
 *
 * @throws InvalidValues, ServiceError if the item cannot be sent
 */
export async function planItem(
	run: Run,
	chosen: Operation,
	itemIndex: number,
	read: ReadOptions,
): Promise<ItemPlan> {
	const { context, service } = run;
	if ('error' in read) throw read.error;
	const options = read.value;
	const { problems, ...item } = readItem(run, chosen, itemIndex);
	const { operation, values } = item;
	const template = pathOf(operation, service);
	if (problems.length > 0) {
		const reads = operation.kind === 'recover' || operation.kind === 'status';
		throw new InvalidValues(problems, reads ? RECOVERY_READS : undefined);
	}
	const request = buildRequest(operation, template, values, service);
	const planned = { ...item, itemIndex, options, request };
	// The files of a row that has its job are not needed: they may be gone.
	if (jobOf(run.orders.find(itemIndex))) return planned;
	return { ...planned, request: await withFiles({ context, itemIndex, service }, planned) };
}

/** What the user filled in for one item, and what is wrong with it. Needs no path and no file. */
export function readItem({ context }: Run, chosen: Operation, itemIndex: number) {
	const read = parameterReader(context, itemIndex);
	const incoming = context.getInputData()[itemIndex]?.json ?? {};
	const operation = meant(chosen, read, incoming);
	const { values, problems } = readRequest(operation, read);
	return { operation, values, problems };
}

/** What the user's choice of operation means for one item. */
function meant(chosen: Operation, read: ReadParameter, incoming: Values): Operation {
	if (chosen.kind === 'status') return routed(chosen, read(STARTED_WITH, AS_ITEM_SAYS), incoming);
	return chosen === OTHER_OPERATION ? withId(OTHER_OPERATION, read(OPERATION_ID, '')) : chosen;
}

/** The operation with the ID that the user has entered. */
function withId(operation: CreateOperation, given: unknown): CreateOperation {
	const id = typeof given === 'string' ? given.trim() : '';
	if (id !== '') return { ...operation, operation: id };
	const message = `Operation ID (${OPERATION_ID}) must be that of a music operation, such as remix`;
	throw new InvalidValues(message);
}

const MOST_SHOWN = 100;

/** The operation that reads the state of jobs started as the form or the item says. */
function routed(chosen: StatusOperation, startedWith: unknown, incoming: Values): StatusOperation {
	const found = jobRoute(startedWith, saidBy(incoming, STARTED_WITH));
	if (found) return { ...chosen, path: found.list ? '' : found.path, routes: [found] };
	const known = chosen.routes.map(({ value }) => value).join(', ');
	// An object may be impossible to convert with `String`.
	const given = typeof startedWith === 'string' ? startedWith : JSON.stringify(startedWith ?? null);
	const message = `Started With must be one of ${AS_ITEM_SAYS}, ${known}; but is "${cleanText(given, MOST_SHOWN)}"`;
	throw new InvalidValues(message);
}

/**
 * The operation's path: documented, or set in the credential; empty for a job that has to be looked for.
 *
 * @throws ServiceError if it is not set, or if the path that is set for the operation's jobs has no placeholder for the
 *   identifier: that is found before anything is paid for
 */
function pathOf(operation: Operation, service: Service): string {
	const { path, kind } = operation;
	const set = pathIn(operation, service);
	const status = kind === 'create' ? operation.status : undefined;
	const statusPath = status ? pathIn(status, service) : kind === 'status' ? set : undefined;
	if (statusPath && pathWithId(statusPath, 'x') === undefined) {
		throw new ServiceError({
			message: `The path ${statusPath} has no place for the job's identifier`,
			description: `Write {job_id} into the path in ${SETTINGS_PLACE}. Nothing was sent.`,
			outcome: 'notSent',
		});
	}
	if (kind === 'status') return set ?? '';
	const isStateOpen = status?.isPathNeeded === true && statusPath === undefined;
	if (set !== undefined && !isStateOpen) return set;
	const open = [...(set === undefined ? [path] : []), ...(isStateOpen ? [status.path] : [])];
	const missing = open.flatMap((one) =>
		typeof one === 'string' ? [] : (detailNamed(one.openPoint) ?? []),
	);
	const labels = missing.map(({ label }) => label);
	const named = missing.map(({ label, example }) => `"${label}", such as ${example}`);
	throw new ServiceError({
		message: `What "${operation.action}" needs is not documented by the service: ${listInWords(labels, 'and')}`,
		description: `If you know it, enter it in ${SETTINGS_PLACE}: ${listInWords(named, 'and')}. Nothing was sent.`,
		outcome: 'notSent',
	});
}

/** A path as documented, or as it is set in the credential. */
const pathIn = ({ path }: { path: Path }, service: Service): string | undefined =>
	typeof path === 'string' ? path : service.path(path.openPoint);
