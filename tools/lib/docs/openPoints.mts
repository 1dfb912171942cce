import { SETTINGS_PLACE } from '../../../nodes/shared/form/credentialProperties.ts';
import { optionLabel } from '../../../nodes/shared/run/optionValues.ts';
import { OPEN_POINTS, type OpenPoint } from '../../../nodes/shared/spec/openPoints.ts';
import { GENERATED, table } from './markdown.mts';
import { readinessTable } from './readiness.mts';

const POINTS = Object.values<OpenPoint>(OPEN_POINTS);

/** The page of what the documentation of the service leaves open, and what the package does there. */
export function openPoints(): string {
	return [
		'# What the service does not document',
		'Some paths, request fields and answers are not shown in the documentation of the service. The nodes do not guess them. Nothing that was paid for is lost: a job that cannot be waited for is handed on with its ID, and the reason is in `notWaited`.',
		`If you know more, for instance from the support of the service, you can say so: in ${SETTINGS_PLACE}, or in an option of the node.`,
		GENERATED,
		'## What works at once',
		'With the address and the key alone, without any other setting:',
		readinessTable(),
		'Jobs that _may be unable to wait_ are waited for all the same where the answer to their creation has a `generation_id`. With the settings of the last column, all of them are.',
		'## Paths',
		`Ask the service for these paths, and enter them in ${SETTINGS_PLACE}. What stands in braces is filled in by the node.`,
		table(['What is not shown', 'Without the path', 'Setting', 'Looks like'], pathRows()),
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
