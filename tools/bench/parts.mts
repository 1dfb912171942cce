/**
 * The parts of the bench, in their order: what each shows, about how long it takes, and what it needs
 * besides the development dependencies.
 */
export type Needs = 'nothing' | 'package' | 'n8n' | 'queue';
export const PARTS = {
	a: {
		shows: '20 images, and three such batches in a row, in a real n8n, beside its own nodes',
		minutes: 5,
		needs: 'n8n',
	},
	b: {
		shows: 'how late the end of a job is seen and how many looks that takes (virtual time)',
		minutes: 0.7,
		needs: 'nothing',
	},
	d: { shows: 'a day of 10,000 jobs (virtual time)', minutes: 0.7, needs: 'nothing' },
	e: {
		shows: 'what 20 and 200 executions that wait durably cost n8n, and a kill of it',
		minutes: 22,
		needs: 'n8n',
	},
	f: {
		shows: 'short jobs, with histories that can be trusted and others (virtual time)',
		minutes: 1,
		needs: 'nothing',
	},
	g: { shows: 'processes that share an account (virtual time)', minutes: 4, needs: 'nothing' },
	h: { shows: "n8n's queue mode with 1 and 3 workers", minutes: 6, needs: 'queue' },
	i: { shows: 'what loading the package costs, beside two others', minutes: 0.5, needs: 'package' },
	j: { shows: 'memory and processor time of 100 to 10,000 items', minutes: 6, needs: 'nothing' },
} as const;
