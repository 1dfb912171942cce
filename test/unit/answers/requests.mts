import type { IDataObject } from 'n8n-workflow';

import { CATALOGS } from '../../../nodes/shared/spec/catalogs.ts';
import type { Catalog, CreateOperation } from '../../../nodes/shared/spec/operation.ts';
import { documented } from '../../../sandbox/documented.mts';
import type { Job } from '../../../sandbox/jobs.mts';
import { isMusic } from '../../../sandbox/music/operations.mts';
import { takesOf } from '../../../sandbox/music/takes.mts';
import { musicOperation } from '../../support/operations.mts';
import type { VirtualN8n } from '../../support/virtualRun.mts';
import { MUSIC_REQUESTS, type MusicId } from './musicRequests.mts';
import { VIDEO_REQUESTS } from './videoRequests.mts';

type Values = Readonly<Record<string, unknown>>;

/** Every creation of every node but *Other Operation*, whose fields a person names (execute/otherOperation). */
export const CREATIONS: Array<{ name: string; catalog: Catalog; operation: CreateOperation }> =
	CATALOGS.flatMap((catalog) =>
		catalog.operations.flatMap((operation) =>
			operation.kind === 'create' && operation.operation !== 'other'
				? [{ name: `${operation.resource}.${operation.operation}`, catalog, operation }]
				: [],
		),
	);

const IMAGE_BODY = { prompt: 'a kite over the dunes' };

/** Parameters with which the sandbox accepts the operation. */
export async function parametersOf(
	n8n: VirtualN8n,
	operation: CreateOperation,
): Promise<IDataObject> {
	const body = isMusic(operation)
		? await musicBody(n8n, operation.operation as MusicId)
		: plainBody(operation);
	const known = operation.fields
		.filter(({ property }) => property.type !== 'json')
		.map(({ name }) => name);
	const isFree = Object.keys(body).some((name) => !known.includes(name));
	const free = isFree
		? operation.fields.find(({ property }) => property.type === 'json')
		: undefined;
	const pick = (isWanted: (name: string) => boolean) =>
		Object.fromEntries(
			Object.entries(body).filter(
				([name]) => operation.fixed?.[name] === undefined && isWanted(name),
			),
		) as IDataObject;
	return {
		resource: operation.resource,
		operation: operation.operation,
		// Each stands where the form has it; n8n drops it at the other place.
		...pick((name) => known.includes(name)),
		additionalFields: pick((name) => known.includes(name)),
		...(free && { [free.name]: pick((name) => !known.includes(name)) }),
	};
}

function plainBody({ resource, operation }: CreateOperation): Values {
	const requests = Object.values(VIDEO_REQUESTS);
	const own = requests.find((request) => request.operation === `${resource}.${operation}`);
	const alike = requests.find((request) => request.operation.startsWith(`${resource}.`));
	return (own ?? alike)?.body ?? IMAGE_BODY;
}

/** With the finished jobs on which it works. */
async function musicBody(n8n: VirtualN8n, id: MusicId): Promise<Values> {
	const { body, after, ofTake } = MUSIC_REQUESTS[id];
	if (after === undefined) return body;
	const source = await finishedJob(n8n, after as MusicId);
	const [take] = takesOf(source);
	return { ...body, source: source.id, ...(ofTake && { audio_id: take?.id }) };
}

async function finishedJob(n8n: VirtualN8n, id: MusicId): Promise<Job> {
	const body = await musicBody(n8n, id);
	const { jobs, settings } = n8n.state;
	const source = jobs.find(String(body.source));
	const facts = {
		idField: settings.shapes.creation.idField,
		operation: documented(musicOperation(id)),
	};
	const job = jobs.create({
		...facts,
		body: body as Job['body'],
		credits: 0,
		...(source && { source }),
	});
	await n8n.clock.advance(settings.jobMs.max);
	return job;
}
