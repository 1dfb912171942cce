import type { Body } from '../service/bodies';
import { PROMPT_FIELD } from '../spec/answers';
import { keepLatest } from './claims';
import { comparedPrompt } from './proof';
import { textIn } from './readRecord';

/** For how many jobs their result URLs are remembered. */
const REMEMBERED = 1000;

/** The result of a job, as its record or an entry of the history shows it. */
export interface ShownResult {
	/** Where its URL is in the record. */
	path: string;
	url: string;
}

/** Reads the result from what is shown of a job; `undefined` where that has none. */
export type ResultIn = (record: Body) => ShownResult | undefined;

/** A job whose result may be taken from the history. */
export interface ShownJob {
	id: string;
	/** Jobs of one kind are listed alike. */
	kind: string;
	/** The prompt that was sent, in the form that is compared; empty where it is not known. */
	prompt: string;
	resultIn: ResultIn;
}

/** How results of a kind of jobs are shown. */
interface Shape {
	path: string;
	fields: readonly string[];
}

/**
 * When an entry of the history stands for the record of its job, which saves a request. For the first job of a kind,
 * the entry is compared with the record: if both have the same URL in the same place, later entries of that kind stand
 * for records that have a URL there, which no other job had, and all fields of the first record.
 */
export class ShownResults {
	/** By kind; `undefined` where the first entry was not like its record. */
	private readonly shapes = new Map<string, Shape | undefined>();

	/** The job that each result URL belongs to. */
	private readonly owners = new Map<string, string>();

	/** Compares the first entry of a kind with the record of the same job, both of which say that it is completed. */
	compare(job: ShownJob, entry: Body, record: Body): void {
		const { kind, resultIn } = job;
		const own = resultIn(record);
		if (own) this.note(job, own.url);
		if (this.shapes.has(kind)) return;
		const shown = resultIn(entry);
		const isSame = own && own.path === shown?.path && own.url === shown.url;
		const fields = Object.keys(record);
		this.shapes.set(kind, isSame ? { path: own.path, fields } : undefined);
	}

	/** Whether the entry of a completed job stands for its record. */
	standsFor(job: ShownJob, entry: Body): boolean {
		const shape = this.shapes.get(job.kind);
		const shown = shape && job.resultIn(entry);
		if (!shown || shown.path !== shape.path) return false;
		const isComplete = shape.fields.every((field) => field in entry);
		const isOwn = (this.owners.get(shown.url) ?? job.id) === job.id;
		const prompt = comparedPrompt(textIn(entry, [PROMPT_FIELD]));
		this.note(job, shown.url);
		return isComplete && isOwn && prompt === job.prompt;
	}

	private note({ id }: ShownJob, url: string): void {
		if (!this.owners.has(url)) keepLatest(this.owners, url, id, REMEMBERED);
	}
}
