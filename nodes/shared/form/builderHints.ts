import type { IBuilderHint } from 'n8n-workflow';

import { CONCURRENT_GENERATIONS } from '../spec/limits';

/** What n8n's AI builder reads about the nodes besides their forms; no person sees it. */

export const CREATING_HINT: IBuilderHint = {
	searchHint: [
		"Creating a job costs credits of the service's account. Each input item is one job.",
		'Nothing limits what a run costs unless options.maxCredits is added: then the node fails and creates nothing where all items together could cost more.',
		`The node waits for its jobs by itself and takes lists of items, ${CONCURRENT_GENERATIONS} at a time: no loop and no Wait node needed.`,
		'It gives out mediaUrl, status, jobId, creditsUsed and more; the fields of the input items are not among them.',
		'It has one output unless options.outputByStatus is true: then 0 is Completed, 1 is Failed and 2 is In Progress.',
		'Where a field takes the URL of an image, video or audio, the bare name of a binary field of the item will do, such as data.',
	].join(' '),
};

export const ACCOUNT_HINT: IBuilderHint = { searchHint: 'Costs no credits.' };

export const TRIGGER_HINT: IBuilderHint = {
	searchHint:
		'Costs no credits. Not needed to wait for a job that a MediaGen node of the same workflow creates: that node waits by itself.',
};
