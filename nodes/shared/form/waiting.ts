import type { INodeProperties } from 'n8n-workflow';

import { OPTIONS_COLLECTION } from '../parameters/names';
import { OPTIONS, SWITCHES } from '../parameters/options';
import { startsJob } from '../spec/jobs';
import type { Operation } from '../spec/types';
import { hideWhen, IN_TOOLS } from './displayConditions';

/**
 * A switch beside the fields of an operation.
 *
 * @param start what the form begins with, if not with what applies without a form
 */
export function switchProperty(name: keyof typeof SWITCHES, start?: boolean): INodeProperties {
	const { property } = SWITCHES[name];
	return { name, ...property, default: start ?? property.default };
}

type OptionName = keyof typeof OPTIONS;

const option = (name: OptionName): INodeProperties => ({ name, ...OPTIONS[name].property });

/** Options that apply only where the node waits for the job. */
const WHILE_WAITING: ReadonlySet<OptionName> = new Set<OptionName>([
	'resultField',
	'timeout',
	'waitMode',
]);

/**
 * Hides a property where a creation does not wait for its job. Operations that read jobs have no such
 * switch, but their properties get the same condition, so that the form has each property once.
 */
const whileWaiting = (property: INodeProperties) =>
	hideWhen(property, { '/waitForCompletion': [false] });

const options = (properties: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: OPTIONS_COLLECTION,
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: properties,
});

const jobOptions = (names: readonly OptionName[]) =>
	options(
		names.map((name) => (WHILE_WAITING.has(name) ? whileWaiting(option(name)) : option(name))),
	);

/**
 * The properties at top level about waiting for jobs and about their results; none for an operation that
 * neither starts nor reads jobs.
 */
export function waitingProperties(operation: Operation): INodeProperties[] {
	const makesImage = operation.kind === 'create' && operation.mediaType === 'image';
	// No file reaches the model of an agent.
	const download = hideWhen(switchProperty('downloadMedia', makesImage), IN_TOOLS);
	if (operation.kind === 'recover') {
		return [RECOVERY_WAITS, whileWaiting(download)];
	}
	if (operation.kind === 'status') return [download];
	return startsJob(operation) ? [switchProperty('waitForCompletion'), whileWaiting(download)] : [];
}

/** *Wait for Completion*, worded for jobs that are already paid for. */
const RECOVERY_WAITS: INodeProperties = {
	...switchProperty('waitForCompletion'),
	description:
		'Whether to wait for the jobs and output their media URLs. When off, they are listed as n8n has stored them.',
};

/** The collection `options` of an operation that starts a job: the table has them in the order of the form. */
export const CREATE_OPTIONS = jobOptions(Object.keys(OPTIONS) as OptionName[]);

export const FOLLOW_OPTIONS = jobOptions([
	'outputByStatus',
	'binaryPropertyName',
	'resultField',
	'simplify',
	'timeout',
]);

/** Options for jobs that are already paid for; hidden where those are only listed. */
export const RECOVER_OPTIONS = hideWhen(
	options((['binaryPropertyName', 'resultField', 'timeout'] as const).map(option)),
	{ waitForCompletion: [false] },
);

export const STATUS_OPTIONS = jobOptions([
	'outputByStatus',
	'binaryPropertyName',
	'resultField',
	'simplify',
]);

/**
 * The collection `options` of a trigger: what it does with a finished job.
 *
 * @param more options of its own
 */
export const triggerOptions = (...more: INodeProperties[]) =>
	options([...more, ...(['binaryPropertyName', 'resultField', 'simplify'] as const).map(option)]);
