import { NOTHING, type ErrorGroup } from './entry.mts';

export const FAULTS: ErrorGroup = {
	title: 'Faults of the package',
	intro: 'You should never see these. If you do, please open an issue.',
	charged: NOTHING,
	entries: [
		{
			message: 'This operation sends nothing',
			means: 'An operation without requests has tried to send one.',
			advice: 'Open an issue with the workflow.',
		},
		{
			message: 'An operation of the catalog is resolved before it is carried out',
			means: 'The package has lost track of what _Run Any Operation_ should do.',
			advice: 'Open an issue with the workflow.',
		},
		{
			message: 'No route for jobs of <way>',
			means: 'The package refers to a way of starting jobs that does not exist.',
			advice: 'Open an issue with the workflow.',
		},
	],
};
