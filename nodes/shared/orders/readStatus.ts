import { recordIn, type Identifier, identifiersIn } from './readRecord';
import type { Body } from '../spec/values';
import type { ServiceRequest, SendOptions, Service } from '../service/service';
import { ServiceError, unreadable } from '../service/serviceError';
import { routeNamed } from '../spec/jobs';
import type { JobList } from '../spec/operation';
import { NOT_FOUND } from '../spec/answers';
import { entriesSince } from './history';
import type { Proof, StatusPlace } from './job';

/** An entry this much older than the job is certainly so, ms: clocks differ, and creations take time. */
const OLDER_MS = 60_000;

/**
 * Reads the record of a job once, at the place where its state is read.
 *
 * @throws ServiceError when there is no readable answer, or it is not about the job (status 404)
 */
export async function readStatus(
	service: Service,
	{ path, proof }: Pick<StatusPlace, 'path' | 'proof'>,
	sendOptions?: SendOptions,
): Promise<Body> {
	const list = proof && routeNamed(proof.startedWith)?.list;
	if (list) {
		const entry = await findEntry(service, list, proof, sendOptions);
		if (!entry) throw notThere('The service does not list the job');
		return entry;
	}
	const body = await service.send({ method: 'GET', path }, sendOptions);
	const record = recordIn(body);
	if (!record) throw unreadable(200, JSON.stringify(body));
	const why = proof && mismatchIn(record, proof);
	if (why !== undefined) throw notThere(`The service answered, but ${why}`);
	return record;
}

/** Reads on until entries are older than the job: newer ones may have pushed it off the first page. */
async function findEntry(
	service: Service,
	{ operation }: JobList,
	proof: Proof,
	sendOptions?: SendOptions,
): Promise<Body | undefined> {
	let isFirst = true;
	const send = async (request: ServiceRequest) => {
		// The first request has its turn; those after it get in line.
		const options = isFirst ? sendOptions : { signal: sendOptions?.signal };
		isFirst = false;
		return await service.send(request, options);
	};
	const { createdAt = -Infinity } = proof;
	for await (const entries of entriesSince(send, operation, createdAt - OLDER_MS)) {
		const own = entries.find(({ record = {} }) => mismatchIn(record, proof) === undefined);
		if (own) return own.record;
	}
	return undefined;
}

/** Identifiers shorter than this, and numbers, may stand for something else in another table of the service. */
const LEAST_ID = 8;

/** Whether nothing else can have this identifier. */
export const isUnmistakable = (id: string): boolean => id.length >= LEAST_ID && !/^\d+$/.test(id);

/** All identifiers of a job, first the one by which it is known. */
export function identifiersOf({ id, creation }: { id: string; creation: Body }): Identifier[] {
	const all = identifiersIn(creation);
	const own = all.find(({ value }) => value === id) ?? { field: 'identifier', value: id };
	return [own, ...all.filter(({ value }) => value !== id)];
}

/**
 * Why a record is not that of a job, or may not be; `undefined` if it proves to be: it has an identifier of the job
 * that nothing else can have, or was read at a link that the service gave for this job, and names no other.
 */
function mismatchIn(
	record: Body,
	{ identifiers, link }: Pick<Proof, 'identifiers' | 'link'>,
): string | undefined {
	const told = identifiersIn(record);
	const own = told.filter(({ value }) => identifiers.some((known) => known.value === value));
	const [other] = told;
	if (other && own.length === 0) return `it is about job ${other.value}`;
	return link !== undefined || own.some(({ value }) => isUnmistakable(value))
		? undefined
		: 'it does not prove which job it is about';
}

const notThere = (message: string): ServiceError =>
	new ServiceError({ message, description: '', outcome: 'refused', status: NOT_FOUND });
