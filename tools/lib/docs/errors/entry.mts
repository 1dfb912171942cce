import type { ErrorText } from '../../../../nodes/shared/service/errorTexts.ts';

/** An error, as the page about errors has it. `<name>` stands for whatever is filled in. */
export interface ErrorEntry {
	message: string;
	/** Other messages with the same meaning. */
	also?: readonly string[];
	/** Ways in which the message can go on, each with what that means. */
	cases?: ReadonlyArray<readonly [text: string, meaning: string]>;
	means: string;
	/** Whether the item has cost something; that of the group when absent. */
	charged?: string;
	/** What to do. */
	advice: string;
}

/** Errors that a person meets in the same situation. */
export interface ErrorGroup {
	title: string;
	intro: string;
	/** Page that says how it is meant to work, with its title. */
	guide?: readonly [title: string, page: string];
	charged: string;
	entries: readonly ErrorEntry[];
}

export const NOTHING = 'Nothing.';

/** Of a request that may have arrived. */
export const PERHAPS =
	'Nothing, unless the request was to start a job. Then the job may exist and be paid for: look for it with _Job > Get History_ before you order it again.';

/** An entry with message and advice of the code. */
export function entryOf(
	{ message, description }: ErrorText,
	own: Partial<ErrorEntry> & Pick<ErrorEntry, 'means'>,
): ErrorEntry {
	return { message, advice: adviceIn(description), ...own };
}

/** A description without what the page says in a line of its own. */
export function adviceIn(description: string): string {
	return description.replaceAll(/ ?\bNothing was (?:sent|charged|created)\b[^.]*\./g, '').trim();
}

/** All texts of an entry. */
export const textsOf = ({ message, also = [], cases = [] }: ErrorEntry): string[] => [
	message,
	...also,
	...cases.map(([text]) => text),
];
