import { SETTINGS_PLACE } from '../parameters/names';
import type { Service } from '../service/service';
import { ServiceError } from '../service/serviceError';
import type { Values } from '../spec/conditions';
import { openPoint } from '../spec/openPoints';
import type { Operation } from '../spec/types';
import { encodeId } from './buildRequest';

const PLACE = '{operation}';

/**
 * The request's path and its values as they are sent, where the document does not say how a request
 * names its operation and the earlier job (section "Music catalog"): the operation in the path, if that
 * has a place for it, or else in the body; each under the name in the credential, if that has one.
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
	const sent = new Map(Object.entries(values));
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
