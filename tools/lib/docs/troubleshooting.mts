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
		'Search this page (Ctrl+F, or ⌘F) for a part of the error that has no values of yours in it. `<…>` stands for what differs: a field, a value, the ID of a job.',
		'Under _Charged_ stands what the item has cost. Whatever goes wrong after a job was started, the error has its ID: a job that is paid for can always be read with _Job > Get Status_ or _Job > Wait for Completion_, for free.',
		ERROR_GROUPS.map(({ title }) => `- [${title}](#${anchorOf(title)})`).join('\n'),
		GENERATED,
		...ERROR_GROUPS.flatMap(groupTexts),
		'',
	].join('\n\n');
}

const groupTexts = (group: ErrorGroup) => [
	`## ${group.title}`,
	group.intro,
	...group.entries.flatMap((entry) => entryTexts(entry, group)),
];

function entryTexts({ message, also = [], cases = [], ...entry }: ErrorEntry, group: ErrorGroup) {
	const { means, charged = group.charged, advice } = entry;
	return [
		`### \`${message}\``,
		...(also.length > 0 ? [`Also: ${also.map((text) => `\`${text}\``).join(', ')}`] : []),
		means,
		...(cases.length > 0 ? [casesTable(cases)] : []),
		`- **Charged:** ${charged}\n- **What to do:** ${advice}`,
	];
}

const casesTable = (cases: NonNullable<ErrorEntry['cases']>) =>
	table(
		['It says', 'What that means'],
		cases.map(([text, meaning]) => [`\`${text}\``, meaning]),
	);
