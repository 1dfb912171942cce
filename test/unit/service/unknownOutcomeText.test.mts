import { doubtText } from '../../../nodes/shared/orders/jobErrors.ts';
import { answerText, unnamedJob } from '../../../nodes/shared/service/serviceError.ts';
import { GENERATE_IMAGE } from '../../../nodes/shared/spec/images.ts';
import { CREATIONS } from '../answers/requests.mts';

test('a lost image is looked for in the history', () => {
	const look =
		'look for it with Job > Get History, and take its result with Job > Wait for Completion.';
	expect(doubtText(GENERATE_IMAGE)).toContain(`${look} It could not be read just now.`);
	expect(doubtText(GENERATE_IMAGE, [])).toContain(`${look} If it is not there, Retry`);
	const named = [{ jobId: 'j1', createdAt: null, prompt: 'a kite' }];
	expect(doubtText(GENERATE_IMAGE, named)).toContain('shows j1 (time not known, "a kite").');
});

test.each(CREATIONS.filter(({ operation }) => 'openPoint' in operation.status))(
	'$name: the history does not list it, so nobody is sent there',
	({ operation }) => {
		for (const candidates of [undefined, []]) {
			expect(doubtText(operation, candidates)).not.toContain('istory');
			expect(doubtText(operation, candidates)).toContain('see on the website of the service');
		}
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

test('a job whose identifier is not known: its field is set in the credential', () => {
	expect(unnamedJob(201, '{}').description).toContain('as "Field: Job Identifier"');
});
