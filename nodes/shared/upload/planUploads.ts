import type { ServiceRequest, FileSource, RequestFiles } from '../service/request';
import type { Problem } from '../request/validate';
import { isOwn, own, type Values } from '../spec/conditions';
import type { UploadMode } from '../spec/music/uploads';
import type { Field, Operation } from '../spec/types';
import { checkUpload, type UploadContext, type Uploading } from './checkUpload';
import { openBody } from './requestBody';

/** The files of one item, checked. */
export interface PlannedUploads {
	problems: Problem[];
	/** What the user had better know of files that can be sent. */
	warnings: string[];
	/** By field; none for a URL that is sent as a text. */
	sources: Readonly<Record<string, FileSource>>;
}

/**
 * Checks all files that an item gives for an operation.
 *
 * @param values the item's values, checked for themselves
 */
export async function planUploads(
	context: UploadContext,
	itemIndex: number,
	operation: Operation,
	values: Values,
	uploading: Uploading,
): Promise<PlannedUploads> {
	const problems: Problem[] = [];
	const warnings: string[] = [];
	const sources: Array<[string, FileSource]> = [];
	for (const field of operation.fields.filter(isGivenIn(values))) {
		const value = String(own(values, field.name));
		const checked = await checkUpload(context, itemIndex, field, value, uploading);
		if ('problem' in checked) problems.push(checked.problem);
		if (!('source' in checked)) continue;
		sources.push([field.name, checked.source]);
		if (checked.warning !== undefined) warnings.push(checked.warning);
	}
	return { problems, warnings, sources: Object.fromEntries(sources) };
}

/** The request with its files, which take the place of what names them in its body. */
export function withFiles(
	request: ServiceRequest,
	{ sources }: PlannedUploads,
	mode: UploadMode,
): ServiceRequest {
	if (mode === 'url' || Object.keys(sources).length === 0) return request;
	const rest = Object.entries(request.body ?? {}).filter(([name]) => !isOwn(sources, name));
	const open: RequestFiles['open'] = async (body, signal) =>
		await openBody(body, { as: mode, sources }, signal);
	return { ...request, body: Object.fromEntries(rest), files: { as: mode, sources, open } };
}

const isGivenIn =
	(values: Values) =>
	({ name, type }: Field) =>
		type === 'upload' && typeof own(values, name) === 'string';
