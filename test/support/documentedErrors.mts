import { errorEntries } from '../../tools/lib/docs/errorEntries.mts';
import { ERROR_GROUPS } from '../../tools/lib/docs/troubleshooting.mts';

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** The messages on the page of errors, as patterns: `<…>` is any text, and more may follow a whole word. */
const patterns = errorEntries().flatMap(({ group, messages }) =>
	messages.map((message) => {
		const template = escaped(`${ERROR_GROUPS[group]?.before ?? ''}${message}`);
		const pattern = template.replace(/<[^<>]*>/g, (hole) =>
			hole === '<error>' ? `(?${hole}.+)` : '.*?',
		);
		return new RegExp(`^${pattern}(?![\\p{L}\\d])`, 'su');
	}),
);

/** Whether the page has the error, and any error that its message contains. */
export const isDocumented = (message: string): boolean =>
	patterns.some((pattern) => {
		const found = pattern.exec(message);
		return found !== null && (!found.groups?.error || isDocumented(found.groups.error));
	});
