import type { ServiceRequest, Service } from '../service/service';
import { ServiceError } from '../service/serviceError';
import { own, type Values } from '../spec/conditions';
import { isPayload, withDefaults } from '../spec/field';
import { JOB_ID_FIELD } from '../spec/jobs';
import type { ListOperation, Operation } from '../spec/operation';

/** A place in a path that says which operation it is. */
const OPERATION = 'operation';

/**
 * The request of an operation from checked values: path fields into the path, the others into the query of a GET or the
 * body of a POST or PUT. Fields that the user names are sent as fields of their own, and do not replace the others.
 *
 * The document does not say how a request names its operation and the earlier job (section "Music catalog"): the
 * operation goes into the path, if that has a place for it, or else into the body; a name in the credential takes
 * precedence over our own.
 *
 * @param path as documented or set in the credential, placeholders included
 * @throws ServiceError when a value in the path is not an identifier; nothing is sent
 */
export function buildRequest(
	operation: Operation,
	path: string,
	values: Values,
	service: Pick<Service, 'field'>,
): ServiceRequest {
	const { method, fields, operation: id } = operation;
	const named: Record<string, unknown> = { ...operation.fixed };
	const free: Record<string, unknown> = {};
	const secrets: string[] = [];
	for (const field of fields.filter(({ name }) => values[name] !== undefined)) {
		const { name, sentAs, property } = field;
		const value = values[name];
		if (property.typeOptions?.password) secrets.push(String(value));
		if (isPayload(field)) Object.assign(free, value);
		else if (sentAs !== 'path') named[(sentAs && service.field(sentAs.openPoint)) ?? name] = value;
	}
	if (operation.kind === 'create' && operation.operationIn && !path.includes(`{${OPERATION}}`)) {
		named[service.field(operation.operationIn) ?? OPERATION] = id;
	}
	const sent = { ...free, ...named };
	return {
		method,
		path: fillPath(path, { ...withDefaults(operation, values), [OPERATION]: id }),
		...(secrets.length > 0 && { secrets }),
		...(method !== 'GET' && { body: sent }),
		...(method === 'GET' && Object.keys(sent).length > 0 && { query: sent }),
	};
}

/** The request for one page of a list, or for the whole list where the document shows no paging. */
export function pageRequest(
	{ method, path, isPaged }: ListOperation,
	limit: number,
	offset = 0,
): ServiceRequest {
	const query = isPaged && { limit, ...(offset > 0 && { offset }) };
	return { method, path: String(path), query };
}

/**
 * Puts values into the places of a path, encoded so that none can leave its segment. A place of another name is that of
 * the job's identifier: the name differs from route to route.
 *
 * @throws ServiceError when a value is not an identifier; nothing is sent
 */
const fillPath = (path: string, values: Values): string =>
	path.replace(/\{(\w+)\}/g, (_, name: string) =>
		encodeId(String(own(values, name) ?? values[JOB_ID_FIELD] ?? '')),
	);

/** The path of a job's state; `undefined` where it has no place for an identifier, or the value is none. */
export function pathWithId(path: string, id: string): string | undefined {
	try {
		const filled = fillPath(path, { [JOB_ID_FIELD]: id });
		return filled === path ? undefined : filled;
	} catch {
		return undefined;
	}
}

/** Whether a value would change the path although encoding leaves it as it is. */
export const isDotSegment = (value: string) => ['', '.', '..'].includes(value);

function encodeId(value: string): string {
	if (!isDotSegment(value)) return encodeURIComponent(value);
	throw new ServiceError({
		message: `"${value}" is not an identifier`,
		description: 'It cannot be used in an address of the service. Nothing was sent.',
		outcome: 'notSent',
	});
}
