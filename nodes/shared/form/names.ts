/** What the nodes' parameters are called: in their forms, where they are read, and in saved workflows. */

/** Collections: of fields that a person rarely sets, and of options for how a node works. */
export const ADDITIONAL_FIELDS = 'additionalFields';
export const OPTIONS_COLLECTION = 'options';

/** Parameters that options.ts describes. */
export const CONTINUE_EXECUTION = 'continueExecution';
export const DOWNLOAD_MEDIA = 'downloadMedia';
export const ESTIMATE_ONLY = 'estimateOnly';
export const OUTPUT_BY_STATUS = 'outputByStatus';
export const WAIT_FOR_COMPLETION = 'waitForCompletion';

/** Outputs of a node with *Output by Status*, in their order. */
export const STATUS_OUTPUTS = ['Completed', 'Failed', 'In Progress'] as const;

/** Set in the executions that a durable run starts by itself; a person never sees it. */
export const ROLE_PARAMETER = 'durableRole';

/** Parameters of the trigger. */
export const EVENTS = 'events';
export const MEDIA_TYPE = 'mediaType';
export const JOB_IDS = 'jobIds';

/** Media type that stands for all of them. */
export const ALL_MEDIA = 'all';

/** Where the pages for users are. */
export const DOCS = 'https://github.com/mediagen/n8n-nodes-mediagen/blob/HEAD/docs/';

/** The credential's list of what the service does not document: a setting in each row. */
export const DETAILS_LIST = {
	name: 'serviceDetails',
	label: 'Service Details',
	rows: 'rows',
} as const;

/** Where errors say that such a setting is. */
export const SETTINGS_PLACE = `${DETAILS_LIST.label} of the MediaGen API credential`;
