import { CATALOGS } from '../../../nodes/shared/spec/catalogs.ts';
import { jobRoute, startedWithOf } from '../../../nodes/shared/spec/jobs.ts';

/** By resource and, where that has several, operation; from the document's status routes. */
const EXPECTED: Record<string, string> = {
	'image.generate': 'generation',
	'image.generateUnified': 'imageUnified',
	standardVideo: 'generation',
	vidA31: 'vidA31',
	vidB30: 'vidB30',
	vidB26: 'vidB26',
	vidC: 'vidC',
	vidD: 'vidD',
	vidE26: 'vidE26',
	vidE: 'vidE',
	videoStudio: 'videoStudio',
};

const creations = CATALOGS.flatMap(({ operations }) =>
	operations.flatMap((each) => (each.kind === 'create' ? [each] : [])),
);

test.each(creations.map((each) => [`${each.resource}.${each.operation}`, each] as const))(
	'%s',
	(name, operation) => {
		const isMusic =
			'openPoint' in operation.status && operation.status.openPoint === 'musicStatusPath';
		const expected = EXPECTED[name] ?? EXPECTED[operation.resource] ?? (isMusic && 'music');
		expect(startedWithOf(operation)).toBe(expected);
	},
);

test('Job > Get Status reads whatever a job can have been started with', () => {
	for (const operation of creations) {
		const startedWith = startedWithOf(operation);
		const { route, path } = jobRoute('item', startedWith) ?? {};
		const { status } = operation;
		if ('route' in status) expect(route).toBe(status.route);
		else expect(path).toMatchObject({ openPoint: status.openPoint });
	}
});
