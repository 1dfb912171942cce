import { unknownOutcomeText } from '../../../nodes/shared/service/errorTexts.ts';
import { GENERATE_IMAGE } from '../../../nodes/shared/spec/images.ts';
import { CREATIONS } from '../answers/requests.mts';

const textOf = (operation: Parameters<typeof unknownOutcomeText>[0]) =>
	Object.values(unknownOutcomeText(operation)).join(' ');

test('a lost image is looked for in the history', () => {
	expect(textOf(GENERATE_IMAGE)).toContain('Get History');
});

test.each(CREATIONS.filter(({ operation }) => 'openPoint' in operation.status))(
	'$name: the history does not list it, so nobody is sent there',
	({ operation }) => {
		expect(textOf(operation)).not.toContain('istory');
		expect(textOf(operation)).toContain('Retry execution and a new run order, and pay, again.');
	},
);
