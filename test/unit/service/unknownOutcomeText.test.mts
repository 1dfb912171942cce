import {
	answerText,
	UNNAMED_JOB,
	unknownOutcomeText,
} from '../../../nodes/shared/service/errorTexts.ts';
import { GENERATE_IMAGE } from '../../../nodes/shared/spec/images.ts';
import { CREATIONS } from '../answers/requests.mts';

const textOf = (operation: Parameters<typeof unknownOutcomeText>[0]) =>
	Object.values(unknownOutcomeText(operation)).join(' ');

test('a lost image is looked for in the history', () => {
	const { lost, notFound, short } = unknownOutcomeText(GENERATE_IMAGE);
	expect(lost).toContain(
		'If the execution has failed, use Retry on it: that looks into the generation history',
	);
	expect(notFound).toContain('look for it with Job > Get History');
	expect(notFound).toContain('If it is not, order it anew');
	expect(short).toBe('a job may exist: see Job > Get History');
});

test.each(CREATIONS.filter(({ operation }) => 'openPoint' in operation.status))(
	'$name: the history does not list it, so nobody is sent there',
	({ operation }) => {
		expect(textOf(operation)).not.toContain('istory');
		expect(unknownOutcomeText(operation).short).toContain('see the website of the service');
		expect(textOf(operation)).toContain('Retry execution and a new run order, and pay, again.');
	},
);

test('the answer to a creation is shown where there was one', () => {
	expect(answerText()).toBe('');
	expect(answerText(' \n')).toBe('');
	expect(answerText('{"ok": true}')).toBe('The service answered: {"ok":true}');
	expect(answerText('{"id":"a"}')).toBe('The service answered: {"id":"a"}');
	const long = answerText(JSON.stringify({ prompt: 'x'.repeat(201), id: 7 }));
	expect(long).toBe(`The service answered: {"prompt":"${'x'.repeat(200)}…","id":7}`);
});

test('a job whose identifier is not known is read with any field that is one', () => {
	expect(UNNAMED_JOB.description).toContain('Get Status or Wait for Completion');
	expect(UNNAMED_JOB.description).toContain('as "Field: Job Identifier"');
});
