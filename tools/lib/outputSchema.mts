import type { IDataObject } from 'n8n-workflow';

import { arranged, type TOP_FIELDS } from '../../nodes/shared/output/item.ts';
import {
	DETAILS,
	MODEL_FIELDS,
	SOURCE_AUDIO,
	SOURCE_JOB,
} from '../../nodes/shared/spec/answers.ts';
import type {
	CreateOperation,
	MediaType,
	Operation,
	RecordOperation,
} from '../../nodes/shared/spec/operation.ts';

/** The part of JSON Schema that n8n's editor reads: what kind of value a field has. */
export type OutputSchema =
	| { type: 'string' | 'number' | 'boolean' }
	| { type: 'array'; items: OutputSchema }
	| { type: 'object'; properties?: Readonly<Record<string, OutputSchema>> };

const TEXT = { type: 'string' } as const;
const NUMBER = { type: 'number' } as const;
const listOf = (items: OutputSchema) => ({ type: 'array', items }) as const;
const objectOf = (properties: Record<string, OutputSchema>) =>
	({ type: 'object', properties }) as const;

/** Fields of simplified items that are not texts. */
const NO_TEXTS: Readonly<Record<string, OutputSchema>> = {
	creditsUsed: NUMBER,
	creditsRemaining: NUMBER,
	mediaUrls: listOf(TEXT),
	takes: listOf(objectOf({ audioId: TEXT, mediaUrl: TEXT })),
	result: { type: 'object' },
	itemIndex: NUMBER,
	waitedMs: NUMBER,
};

/**
 * The output of an operation that succeeds. With it, fields can be mapped in n8n's editor before the node has run for
 * the first time.
 *
 * @returns `undefined` where that is not documented
 */
export function outputSchema(operation: Operation): OutputSchema | undefined {
	switch (operation.kind) {
		case 'create':
			return jobSchema(operation.mediaType ? [operation.mediaType] : ANY_MEDIA, madeBy(operation));
		case 'status':
			return jobSchema(
				operation.routes.flatMap(({ mediaTypes }) => mediaTypes),
				['creditsUsed', ...AT_END],
			);
		case 'recover':
			return schemaOf(RECOVERED, 'order');
		case 'record':
			return operation.answer && recordSchema(operation.answer);
		case 'list':
			return undefined;
	}
}

const AT_START = ['status', 'jobId', 'mediaType', 'startedWith'];
const AT_END = ['waitedMs', 'operation'];

/** The fields of a job's result, by what the job makes. */
const BY_MEDIA: Record<MediaType, readonly string[]> = {
	image: ['mediaUrl', 'mediaUrls'],
	video: ['mediaUrl', 'mediaUrls'],
	audio: ['mediaUrl', 'mediaUrls', 'audioId', 'takes'],
	text: ['result'],
};

/** For a job that may make anything. */
const ANY_MEDIA = Object.keys(BY_MEDIA) as MediaType[];

function jobSchema(mediaTypes: readonly MediaType[], more: readonly string[]): OutputSchema {
	const media = mediaTypes.flatMap((type) => BY_MEDIA[type]);
	return schemaOf([...AT_START, ...media, ...more], 'job');
}

/** The other fields, from the answer to a creation and the record of its job. */
function madeBy(operation: CreateOperation): string[] {
	const { result, fields } = operation;
	const asksForModel = fields.some(({ name }) => MODEL_FIELDS.some((field) => field === name));
	const tellsBalance = !result || result.includes('credits_remaining');
	return [
		'creditsUsed',
		...(tellsBalance ? ['creditsRemaining'] : []),
		...(fields.some(({ property }) => property.typeOptions?.rows === 4) ? ['prompt'] : []),
		...(asksForModel ? ['model'] : []),
		...(operation.status.isInHistory ? ['createdAt', 'completedAt'] : []),
		...AT_END,
		...(operation.passesSourceOn ? [SOURCE_JOB, SOURCE_AUDIO] : []),
	];
}

const RECOVERED = [
	...['mediaUrl', 'status', 'jobId', 'mediaType', 'creditsUsed', 'itemIndex', 'prompt'],
	...['mediaUrls', 'executionId', 'node', 'startedWith', 'operation'],
];

function recordSchema(answer: NonNullable<RecordOperation['answer']>): OutputSchema {
	return objectOf(
		Object.fromEntries(
			Object.entries(answer).map(([name, type]) => [
				name,
				typeof type === 'string' ? { type } : recordSchema(type),
			]),
		),
	);
}

function schemaOf(names: readonly string[], about: keyof typeof TOP_FIELDS): OutputSchema {
	const fields = Object.fromEntries(names.map((name) => [name, NO_TEXTS[name] ?? TEXT]));
	const { [DETAILS]: details, ...top } = arranged(fields as IDataObject, about);
	return objectOf({
		...(top as Record<string, OutputSchema>),
		...(details ? { [DETAILS]: objectOf(details as Record<string, OutputSchema>) } : {}),
	});
}
