import type { IDataObject } from 'n8n-workflow';

/** What a model needs of a job: its result, what became of it, and how to come back to it. */
const FIELDS = [
	'mediaUrl',
	'mediaUrls',
	'status',
	'jobId',
	'startedWith',
	'creditsUsed',
	'errorMessage',
	'timedOut',
	'notWaited',
	'audioId',
	'result',
	'answer',
];

/**
 * The item of a job as the short answer of an agent's tool: every field more is one that the model
 * has to read, and may take for the result. `jobId` always stays (money rule 3).
 *
 * @param item as `jobOutput` gives it, or one take of it
 */
export function toolAnswer(item: IDataObject): IDataObject {
	return Object.fromEntries(
		FIELDS.filter((name) => item[name] !== undefined && !isRepeated(name, item)).map((name) => [
			name,
			item[name],
		]),
	);
}

/** One URL is in `mediaUrl` already. */
const isRepeated = (name: string, { mediaUrls }: IDataObject) =>
	name === 'mediaUrls' && Array.isArray(mediaUrls) && mediaUrls.length < 2;
