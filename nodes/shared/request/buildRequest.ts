import { SETTINGS_PLACE } from '../form/names';
import type { ServiceRequest } from '../service/request';
import type { Service } from '../service/service';
import { ServiceError } from '../service/serviceError';
import { own, type Values } from '../spec/conditions';
import { isPayload, withDefaults } from '../spec/field';
import { JOB_ID_FIELD } from '../spec/jobs';
import { detailNamed } from '../spec/openPoints';
import type { ListOperation, Operation } from '../spec/operation';

const PLACE = '{operation}';

/**
 * The request of an operation from checked values: path fields into the path, the others into the query of a GET or the
 * body of a POST or PUT. Fields that the user names are sent as fields of their own, and do not replace the others.
 *
 * The document does not say how a request names its operation and the earlier job (section "Music catalog"): the
 * operation goes into the path, if that has a place for it, or else into the body; a name in the credential takes
 * precedence over our own.
 *
 * @param path as documented or set in the credential, placeholders included
 */
export function buildRequest(
	operation: Operation,
	path: string,
	values: Values,
	service: Pick<Service, 'field'>,
): ServiceRequest {
	const { method, fields, operation: id } = operation;
	const nameOf = (row: string) => service.field(row) ?? detailNamed(row)?.byDefault ?? row;
	const free: object[] = [];
	const rest: Record<string, unknown> = { ...operation.fixed };
	for (const field of fields.filter(({ name }) => own(values, name) !== undefined)) {
		const { name, sentAs } = field;
		if (isPayload(field)) free.push(values[name] as object);
		else if (sentAs !== 'path') rest[sentAs ? nameOf(sentAs.openPoint) : name] = values[name];
	}
	if (operation.kind === 'create' && operation.operationIn && !path.includes(PLACE)) {
		rest[nameOf(operation.operationIn)] = id;
	}
	const secrets = fields
		.filter(({ property }) => property.typeOptions?.password)
		.map(({ name }) => String(own(values, name)));
	// Where a job is read may not be known yet, and the name of the place differs from route to route.
	const isRead = operation.kind === 'status' && path !== '';
	const target = {
		method,
		path: isRead
			? fillWithId(path, String(values[JOB_ID_FIELD]))
			: fillPath(
					path.replaceAll(PLACE, () => encodeId(id)),
					withDefaults(operation, values),
				),
		...(secrets.length > 0 && { secrets }),
	};
	const sent: Record<string, unknown> = Object.assign({}, ...free, rest);
	if (method !== 'GET') return { ...target, body: sent };
	return Object.keys(sent).length === 0 ? target : { ...target, query: sent };
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
