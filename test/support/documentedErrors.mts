import { errorEntries } from '../../tools/lib/docs/errorEntries.mts';
import { ERROR_GROUPS } from '../../tools/lib/docs/troubleshooting.mts';

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** A message as the page of errors has it: with anything for `<…>`, and it may go on after a word. */
const patterns = errorEntries().flatMap(({ group, messages }) =>
	messages.map((message) => {
		const template = escaped(`${ERROR_GROUPS[group]?.before ?? ''}${message}`);
		const pattern = template.replace(/<[^<>]*>/g, (hole) =>
			hole === '<error>' ? `(?${hole}.+)` : '.*?',
		);
		return new RegExp(`^${pattern}(?![\\p{L}\\d])`, 'su');
	}),
);

/** Whether a person finds the error on the page, and the one that is a part of it. */
export const isDocumented = (message: string): boolean =>
	patterns.some((pattern) => {
		const found = pattern.exec(message);
		return found !== null && (!found.groups?.error || isDocumented(found.groups.error));
	});
