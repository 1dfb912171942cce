import { SETTINGS_PLACE } from '../../../nodes/shared/parameters/names.ts';
import { optionLabel } from '../../../nodes/shared/run/readParameters.ts';
import { OPEN_POINTS, STATUS_PATH, type OpenPoint } from '../../../nodes/shared/spec/openPoints.ts';
import { GENERATED, table } from './markdown.mts';
import { readinessTable } from './readiness.mts';

const POINTS = Object.values<OpenPoint>(OPEN_POINTS);

/** The page of what the documentation of the service leaves open, and what the package does there. */
/** @param readiness what works at once, which takes some seconds to find out */
export async function openPoints(readiness = readinessTable): Promise<string> {
	return [
		'# What the service does not document',
		"The service's documentation leaves out some paths, request fields and answers. The nodes do not guess them: they look only in documented places, and believe only what is proven. You keep the ID of every job that you have paid for: if the node cannot wait for a job, it outputs that, with the reason in `notWaited`.",
		`If you know more, for example from the service's support, enter it in ${SETTINGS_PLACE}, or in an option of the node.`,
		GENERATED,
		'## What works at once',
		'What the next node gets with only the address and the key, without any other setting, depending on where your service reports the status of jobs whose own status path it does not document:',
		await readiness(),
		'_Job ID_: the job is not waited for, and `notWaited` says what was tried. _Needs a path_: an error before any request, until you enter its path. MediaGen Trigger needs nothing: it reads the two histories.',
		'The table is printed from runs against a simulated service, for each possible name of the identifier field. The first job of a resource finds out where the service reports its status, with at most three failed requests in its first ten seconds; a hint says what was found, and later jobs are read there. What has failed is tried again after five minutes, and at once by _Job > Get Status_, _Job > Wait for Completion_ and _Retry execution_. What was found is forgotten when n8n restarts, and each worker finds out for itself. _MediaGen Account > Connection > Check_ reports how the service answers for your account. Entering the path removes the guesswork.',
		'## Paths',
		`Ask the service for these paths, and enter them in ${SETTINGS_PLACE}. The node fills in what is in braces. Where one family has another path than the others, turn on _Set Status Path per Family_ there.`,
		table(['What is not documented', 'Without the path', 'Setting', 'Looks like'], pathRows()),
		'## Answers, requests and prices',
		...POINTS.filter(({ setting }) => !setting).map(pointText),
		'',
	].join('\n\n');
}

/** One row for all families whose status is looked for in the same way. */
function pathRows(): string[][] {
	const rows = new Map<string, string[]>();
	for (const { open, policy, setting } of POINTS) {
		if (!setting) continue;
		const shared = setting.family === undefined ? setting : STATUS_PATH;
		const { label, placeholder } = shared;
		const key = setting.family === undefined ? label : policy;
		const [told, ...rest] = rows.get(key) ?? ['', policy, `_${label}_`, `\`${placeholder}\``];
		rows.set(key, [told ? `${told}; ${open.replace('Status path of ', '')}` : open, ...rest]);
	}
	return [...rows.values()];
}

function pointText({ open, policy, field, credential, option }: OpenPoint): string {
	const settings = [
		...(field ? [`_${field.label}_ in the credential, such as \`${field.placeholder}\``] : []),
		...(credential ? [`_${credential}_ in the credential`] : []),
		...(option ? [`_${optionLabel(option)}_ of the node`] : []),
	];
	const change = settings.length > 0 ? [`To change it: ${settings.join(', or ')}.`] : [];
	return [`**${open}.**`, `${policy}.`, ...change].join(' ');
}
