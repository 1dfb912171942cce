import { ACCOUNT } from './errors/account.mts';
import { ANSWERS } from './errors/answers.mts';
import { CREATION } from './errors/creation.mts';
import { CREDENTIAL } from './errors/credential.mts';
import { DURABLE } from './errors/durable.mts';
import type { ErrorEntry, ErrorGroup } from './errors/entry.mts';
import { FAULTS } from './errors/faults.mts';
import { GUARDS } from './errors/guards.mts';
import { RECOVERY } from './errors/recovery.mts';
import { RESULTS } from './errors/results.mts';
import { TRIGGER } from './errors/trigger.mts';
import { VALUES } from './errors/values.mts';
import { WAITING } from './errors/waiting.mts';
import { anchorOf, GENERATED, table } from './markdown.mts';

/** All that can be shown, in the order in which a person meets it. */
export const ERROR_GROUPS: readonly ErrorGroup[] = [
	CREDENTIAL,
	ANSWERS,
	VALUES,
	GUARDS,
	CREATION,
	WAITING,
	RESULTS,
	DURABLE,
	RECOVERY,
	TRIGGER,
	ACCOUNT,
	FAULTS,
];

/** The page of all errors, by their texts. */
export function troubleshooting(): string {
	return [
		'# Troubleshooting, by error text',
		'Search this page (Ctrl+F or ⌘F) for the words of your error. `<…>` stands for text that differs from case to case, such as a field, a value or the ID of a job.',
		"_Charged_ says what the item has cost. If something goes wrong after a job was started, the error contains the job's ID. Reading a job with _Job > Get Status_ or _Job > Wait for Completion_ is free.",
		ERROR_GROUPS.map(({ title }) => `- [${title}](#${anchorOf(title)})`).join('\n'),
		GENERATED,
		...ERROR_GROUPS.flatMap(groupTexts),
		'',
	].join('\n\n');
}

const groupTexts = (group: ErrorGroup) => [
	`## ${group.title}`,
	group.guide ? `${group.intro} See also: [${group.guide[0]}](${group.guide[1]}).` : group.intro,
	...group.entries.flatMap((entry) => entryTexts(entry, group)),
];

function entryTexts({ message, also = [], cases = [], ...entry }: ErrorEntry, group: ErrorGroup) {
	const { means, charged = group.charged, advice } = entry;
	return [
		`### \`${message}\``,
		...(also.length > 0 ? [`Also shown as ${also.map((text) => `\`${text}\``).join(', ')}`] : []),
		means,
		...(cases.length > 0 ? [casesTable(cases)] : []),
		`- **Charged:** ${charged}\n- **What to do:** ${advice}`,
	];
}

const casesTable = (cases: NonNullable<ErrorEntry['cases']>) =>
	table(
		['It says', 'Remarks'],
		cases.map(([text, meaning]) => [`\`${text}\``, meaning]),
	);
