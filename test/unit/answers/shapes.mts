import { OPEN_POINTS } from '../../../nodes/shared/spec/openPoints.ts';
import type { CreateOperation } from '../../../nodes/shared/spec/operation.ts';
import { OPEN_PATHS, type SandboxSettingsInput } from '../../../sandbox/settings.mts';

type Shapes = NonNullable<SandboxSettingsInput['shapes']>;
type Creation = NonNullable<Shapes['creation']>;
type RecordShape = NonNullable<Shapes['record']>;

/** One way of the service to answer, and what the credential says of it. */
export interface AnswerShape {
	title: string;
	shapes: Shapes;
	credential: Record<string, string>;
}

const LAYOUTS = {
	envelope: { enveloped: true },
	flat: { enveloped: false },
	'identity beside data': { beside: 'identity' },
	'the rest beside data': { beside: 'rest' },
} as const satisfies Record<string, Pick<RecordShape, 'enveloped' | 'beside'>>;

const UNKNOWN_NAME = 'taskId';

const IDENTIFIERS: Record<string, Creation> = {
	generation_id: { idField: 'generation_id' },
	task_id: { idField: 'task_id' },
	job_id: { idField: 'job_id' },
	id: { idField: 'id' },
	'generation_id and job_id': { idField: 'generation_id', secondId: 'job_id' },
	'task_id and id': { idField: 'task_id', secondId: 'id' },
	'a name that the credential tells': { idField: UNKNOWN_NAME, secondId: 'id' },
	'a number': { idField: 'job_id', ids: 'number' },
};

const STATES: Record<string, RecordShape> = {
	status: { stateField: 'status' },
	state: { stateField: 'state' },
	'state beside a status': { stateField: 'state', oddStatus: true },
	'STATUS in upper case': { stateField: 'status', upperCase: true },
	'phase, in upper case': { stateField: 'phase', oddStatus: true, upperCase: true },
};

const URLS: Record<string, Pick<Shapes, 'music'> & { resultUrl: string | null }> = {
	'a name of its type': { resultUrl: null, music: { record: 'nested' } },
	url: { resultUrl: 'url', music: { record: 'flat' } },
	'result.url': { resultUrl: 'result.url', music: { record: 'lists' } },
	'a list': { resultUrl: 'outputs[].url', music: { record: 'nested' } },
};

/**
 * Every layout with every identifier; fields of states and URLs in turn, so that over the operations
 * each meets each.
 *
 * @param turn differs from operation to operation
 */
export function answerShapes(operation: CreateOperation, turn: number): AnswerShape[] {
	const pairs = Object.entries(LAYOUTS).flatMap((layout) =>
		Object.entries(IDENTIFIERS).map((identifier) => [layout, identifier] as const),
	);
	return pairs.map(([[layout, place], [identifier, creation]], index) => {
		// Pictures beside the result are not the result.
		const hasMore = (turn + index) % 2 === 1;
		const [state, record] = inTurn(STATES, turn + index);
		const [url, { resultUrl, music }] = inTurn(URLS, turn + index + Math.floor(index / 4));
		return {
			title: `${layout}; ${identifier}; ${state}; ${url}`,
			shapes: {
				everywhere: true,
				creation: { ...place, ...documented(operation, creation), stateField: record.stateField },
				record: { ...place, ...record, resultUrl, ...(hasMore && { secondUrl: 'thumbnail_url' }) },
				music: { ...music, upload: 'url', pictures: hasMore },
			},
			credential: {
				...CREDENTIAL,
				...(creation.idField === UNKNOWN_NAME && { identifierField: `data.${UNKNOWN_NAME}` }),
			},
		};
	});
}

/** Of two identifiers the right one is that which the document names. */
function documented({ result, status }: CreateOperation, creation: Creation): Creation {
	const name = result?.idField ?? ('route' in status ? status.route.idField : undefined);
	if (name === undefined || !creation.secondId) return creation;
	const other = creation.idField === name ? creation.secondId : creation.idField;
	return { ...creation, idField: name, secondId: other };
}

function inTurn<T>(choices: Record<string, T>, turn: number): [string, T] {
	const entries = Object.entries(choices);
	return entries[turn % entries.length]!;
}

/** All paths that the document does not show. */
const CREDENTIAL: Record<string, string> = {
	...Object.fromEntries(
		Object.keys(OPEN_POINTS)
			.filter((name) => name.endsWith('StatusPath'))
			.map((name) => [name, '/open/status/{job_id}/']),
	),
	...OPEN_PATHS,
	uploadAs: 'url',
};
