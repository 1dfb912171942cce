import { SETTINGS_PLACE } from '../parameters/names';
import type { ServiceRequest } from '../service/request';
import type { Service } from '../service/service';
import { ServiceError } from '../service/serviceError';
import { own, type Values, withDefaults } from '../spec/conditions';
import { JOB_ID_FIELD } from '../spec/jobs';
import { openPoint } from '../spec/openPoints';
import type { ListOperation, Operation } from '../spec/types';

/**
 * The request of an operation from validated values: path fields into the path, the others into
 * the query of a GET or the body of a POST or PUT.
 *
 * @param path the operation's path, placeholders included
 */
export function buildRequest(operation: Operation, path: string, values: Values): ServiceRequest {
	const { kind, method, fields } = operation;
	const inPath = fields.filter((field) => field.in === 'path').map(({ name }) => name);
	const rest = Object.fromEntries(
		Object.entries(values).filter(([name]) => !inPath.includes(name)),
	);
	const secrets = fields
		.filter(({ secret }) => secret)
		.map(({ name }) => String(own(values, name)));
	const target = {
		method,
		path:
			kind === 'status'
				? fillWithId(path, String(own(values, JOB_ID_FIELD)))
				: fillPath(path, withDefaults(operation, values)),
		...(secrets.length > 0 && { secrets }),
	};
	if (Object.keys(rest).length === 0 && method === 'GET') return target;
	return method === 'GET' ? { ...target, query: rest } : { ...target, body: rest };
}

/** The request for one page of a list, or for the whole list where the document shows no paging. */
export function pageRequest(
	{ method, path, paging }: ListOperation,
	limit: number,
	offset = 0,
): ServiceRequest {
	const query = paging && {
		[paging.limit]: limit,
		...(offset > 0 && { [paging.offset]: offset }),
	};
	return { method, path: String(path), query };
}

/** Whether a value would change the path although encoding leaves it as it is. */
export const isDotSegment = (value: string) => ['', '.', '..'].includes(value);

/**
 * Puts values into the placeholders of a path, encoded so that none can leave its segment.
 *
 * @throws ServiceError when a value is not an identifier; nothing is sent
 */
export function fillPath(path: string, values: Values): string {
	return path.replace(PLACEHOLDER, (_, name: string) => encodeId(String(own(values, name) ?? '')));
}

/**
 * Puts an identifier into the placeholder of a path, whatever its name is.
 *
 * @throws ServiceError when the value is not an identifier, or the path has no placeholder
 */
export function fillWithId(path: string, id: string): string {
	const filled = path.replace(PLACEHOLDER, () => encodeId(id));
	if (filled !== path) return filled;
	throw new ServiceError({
		message: `The path ${path} has no place for the job's identifier`,
		description: `Write {job_id} into the path in ${SETTINGS_PLACE}.`,
		outcome: 'notSent',
	});
}

/** Like `fillWithId`, but `undefined` where that throws. */
export function pathWithId(path: string, id: string): string | undefined {
	try {
		return fillWithId(path, id);
	} catch {
		return undefined;
	}
}

const PLACEHOLDER = /\{(\w+)\}/g;

/**
 * An identifier as one segment of a path.
 *
 * @throws ServiceError when the value is not an identifier; nothing is sent
 */
function encodeId(value: string): string {
	if (!isDotSegment(value)) return encodeURIComponent(value);
	throw new ServiceError({
		message: `"${value}" is not an identifier`,
		description: 'It cannot be used in an address of the service. Nothing was sent.',
		outcome: 'notSent',
	});
}

const PLACE = '{operation}';

/**
 * A request's path and values as they are sent. The document does not say how a request names its
 * operation and the earlier job (section "Music catalog"): the operation goes into the path, if that has
 * a place for it, or else into the body; a name in the credential takes precedence over our own.
 *
 * @param template the path of the operation, as documented or set in the credential
 * @throws ServiceError when a name in the credential is that of another field; nothing is sent
 */
export function inSentNames(
	operation: Operation,
	template: string,
	values: Values,
	service: Pick<Service, 'field'>,
): { path: string; values: Values } {
	const { fields, operation: id } = operation;
	const path = template.replaceAll(PLACE, () => encodeId(id));
	// Such a field holds fields that the user named: each of those is sent as a field of its own.
	const free = fields.filter(({ type }) => type === 'fields').map(({ name }) => name);
	const sent = new Map(
		Object.entries(values).flatMap((entry) =>
			free.includes(entry[0]) ? Object.entries(Object(entry[1])) : [entry],
		),
	);
	const send = (row: string, value: unknown, from?: string) => {
		const setting = openPoint(row)?.field;
		const name = service.field(row) ?? setting?.byDefault ?? row;
		if (from !== undefined) sent.delete(from);
		const isField = fields.some((field) => field.name === name && name !== from);
		if (isField || sent.has(name)) throw taken(setting?.label ?? row, name);
		sent.set(name, value);
	};
	for (const { name, openName } of fields) {
		if (openName !== undefined && sent.has(name)) send(openName, sent.get(name), name);
	}
	const isInPath = path !== template;
	if (operation.kind === 'create' && operation.operationIn !== undefined && !isInPath) {
		send(operation.operationIn, id);
	}
	return { path, values: Object.fromEntries(sent) };
}

function taken(label: string, name: string): ServiceError {
	return new ServiceError({
		message: `"${label}" in the credential is "${name}", which is another field of this operation`,
		description: `Enter the name that the service has for it in ${SETTINGS_PLACE}. Nothing was sent.`,
		outcome: 'notSent',
	});
}
