import { jobOf } from '../orders/order';
import { withFiles } from '../files/given';
import { SETTINGS_PLACE } from '../form/names';
import {
	buildRequest,
	pathWithId,
	InvalidValues,
	type ReadParameter,
	readRequest,
} from '../request/request';
import { parameterReader, type ReadOptions } from './readParameters';
import type { ItemPlan, Run } from './run';
import type { Service } from '../service/service';
import { ServiceError } from '../service/serviceError';
import { saidBy } from '../spec/answers';
import { listInWords, type Values } from '../spec/conditions';
import { AS_ITEM_SAYS, jobRoute, RECOVERY_READS, STARTED_WITH } from '../spec/jobs';
import { OPERATION_ID, OTHER_OPERATION } from '../spec/music';
import { detailNamed } from '../spec/openPoints';
import type { Operation, Path } from '../spec/operation';

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

/** What the user's choice of operation means for one item: with its route, or with the ID that was entered. */
function meant(chosen: Operation, read: ReadParameter, incoming: Values): Operation {
	if (chosen === OTHER_OPERATION)
		return { ...OTHER_OPERATION, operation: String(read(OPERATION_ID, '')).trim() };
	if (chosen.kind !== 'status') return chosen;
	const route = jobRoute(read(STARTED_WITH, AS_ITEM_SAYS), saidBy(incoming, STARTED_WITH));
	return { ...chosen, path: route.list ? '' : route.path, routes: [route] };
}

/**
 * The operation's path: documented, or set in the credential; empty for a job that has to be looked for.
 *
 * @throws ServiceError if it is not set, or if the path that is set for the operation's jobs has no placeholder for the
 *   identifier: that is found before anything is paid for
 */
function pathOf(operation: Operation, service: Service): string {
	const path = pathIn(operation, service);
	const status = operation.kind === 'create' ? operation.status : undefined;
	const ofStatus = operation.kind === 'status' ? path : status && pathIn(status, service);
	if (ofStatus && pathWithId(ofStatus, 'x') === undefined) {
		throw new ServiceError({
			message: `The path ${ofStatus} has no place for the job's identifier`,
			description: `Write {job_id} into the path in ${SETTINGS_PLACE}. Nothing was sent.`,
			outcome: 'notSent',
		});
	}
	if (operation.kind === 'status') return path ?? '';
	const needed = [operation, ...(status?.isPathNeeded ? [status] : [])];
	const missing = needed.flatMap((one) =>
		typeof one.path === 'string' || pathIn(one, service) !== undefined
			? []
			: (detailNamed(one.path.openPoint) ?? []),
	);
	if (path !== undefined && missing.length === 0) return path;
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
