import { SETTINGS_PLACE } from '../../../nodes/shared/parameters/names.ts';
import { optionLabel } from '../../../nodes/shared/run/readParameters.ts';
import { OPEN_POINTS, type OpenPoint } from '../../../nodes/shared/spec/openPoints.ts';
import { GENERATED, table } from './markdown.mts';
import { readinessTable } from './readiness.mts';

const POINTS = Object.values<OpenPoint>(OPEN_POINTS);

/** The page of what the documentation of the service leaves open, and what the package does there. */
export function openPoints(): string {
	return [
		'# What the service does not document',
		"The service's documentation leaves out some paths, request fields and answers. The nodes do not guess them. Nothing that you have paid for is lost: if the node cannot wait for a job, it outputs the job's ID, with the reason in `notWaited`.",
		`If you know more, for example from the service's support, enter it in ${SETTINGS_PLACE}, or in an option of the node.`,
		GENERATED,
		'## What works at once',
		'What works with only the address and the key, without any other setting:',
		readinessTable(),
		'If a row says _may be unable to wait for them_, the node still waits for every job whose first answer contains a `generation_id`. With the settings in the last column, it waits for all of them.',
		'## Paths',
		`Ask the service for these paths, and enter them in ${SETTINGS_PLACE}. The node fills in what is in braces.`,
		table(['What is not documented', 'Without the path', 'Setting', 'Looks like'], pathRows()),
		'## Answers, requests and prices',
		...POINTS.filter(({ setting }) => !setting).map(pointText),
		'',
	].join('\n\n');
}

const pathRows = () =>
	POINTS.flatMap(({ open, policy, setting }) =>
		setting ? [[open, policy, `_${setting.label}_`, `\`${setting.placeholder}\``]] : [],
	);

function pointText({ open, policy, field, credential, option }: OpenPoint): string {
	const settings = [
		...(field ? [`_${field.label}_ in the credential, such as \`${field.placeholder}\``] : []),
		...(credential ? [`_${credential}_ in the credential`] : []),
		...(option ? [`_${optionLabel(option)}_ of the node`] : []),
	];
	const change = settings.length > 0 ? [`To change it: ${settings.join(', or ')}.`] : [];
	return [`**${open}.**`, `${policy}.`, ...change].join(' ');
}
