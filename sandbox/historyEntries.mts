import type { Body } from './envelope.mts';
import type { Job } from './jobs.mts';
import { generationParts, openParts, type RecordContext } from './records.mts';

/** An entry of the generation history; it is not shown, and follows the generation record. */
export function generationEntry(job: Job, context: RecordContext): Body {
	return entryOf(generationParts, job, context);
}

/** An entry of a family's own history, of which no more is known than of its record. */
export function familyEntry(job: Job, context: RecordContext): Body {
	return entryOf(openParts, job, context);
}

function entryOf(make: typeof openParts, job: Job, context: RecordContext): Body {
	const { zone, trimmed, entries } = context.settings.shapes.list;
	const { identity, rest } = make(job, context, entries);
	const own = entries.ownId && { id: `own-${job.id}`, [job.idField]: job.id };
	const entry = { ...identity, ...own, ...rest };
	const changed = mapTexts(entry, {
		...(trimmed && { prompt: (text) => text.trim() }),
		...(!zone && { created_at: withoutZone, completed_at: withoutZone }),
	});
	return entries.enveloped ? { data: changed } : changed;
}

type Change = (text: string) => string;

function mapTexts(entry: Body, changes: Record<string, Change>): Body {
	const changed = Object.entries(entry).map(([name, value]) => {
		const change = changes[name];
		return [name, change && typeof value === 'string' ? change(value) : value];
	});
	return Object.fromEntries(changed) as Body;
}

function withoutZone(time: string): string {
	return time.replace(/Z$/, '');
}
