import { choice, several } from './options';

/**
 * What the model of an agent gets of a job. These stand in the form of a tool alone, as n8n's guidelines for
 * tools ask, in the place of *Simplify*.
 */
export const TOOL_OUTPUT = {
	output: choice({ displayName: 'Output', description: "What an agent's model gets" }, [
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'The result, its credits, and how to come back to the job',
		},
		{ name: 'Raw', value: 'raw', description: "The service's own record" },
		{
			name: 'Selected Fields',
			value: 'selectedFields',
			description: 'The fields that you choose, with status and jobId',
		},
	]),
	/** Besides those that the model always gets; few, since n8n's AI builder reads them with each operation. */
	outputFields: several(
		{
			displayName: 'Output Fields',
			description: 'In the answer where the job has them',
			displayOptions: { show: { output: ['selectedFields'] } },
		},
		[
			'audioId',
			'creditsRemaining',
			'creditsUsed',
			'errorMessage',
			'mediaType',
			'mediaUrl',
			'mediaUrls',
			'result',
			'startedWith',
			'takes',
		],
		['mediaUrl'],
	),
};
