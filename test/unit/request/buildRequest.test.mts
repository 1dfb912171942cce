import { buildRequest, fillPath, fillWithId } from '../../../nodes/shared/request/buildRequest.ts';
import { operationNamed } from '../../support/operations.mts';
import { GENERATE_IMAGE } from '../../../nodes/shared/spec/images.ts';
import { GET_JOB, JOB_HISTORY } from '../../../nodes/shared/spec/jobs.ts';

test('the fields of a POST travel in the body', () => {
	const values = { prompt: 'x', size: '1:1' };
	expect(buildRequest(GENERATE_IMAGE, '/api/v1/generate/', values)).toEqual({
		method: 'POST',
		path: '/api/v1/generate/',
		body: { prompt: 'x', size: '1:1' },
	});
});

test('a POST has a body, also an empty one', () => {
	expect(buildRequest(GENERATE_IMAGE, '/api/v1/generate/', {})).toEqual({
		method: 'POST',
		path: '/api/v1/generate/',
		body: {},
	});
});

test('the fields of a GET travel in the query, those of the path in the path', () => {
	expect(buildRequest(JOB_HISTORY, '/api/v1/generate/history/', { type: 'image' })).toEqual({
		method: 'GET',
		path: '/api/v1/generate/history/',
		query: { type: 'image' },
	});
	expect(buildRequest(GET_JOB, '/api/v1/generate/{generation_id}/', { jobId: 'a b' })).toEqual({
		method: 'GET',
		path: '/api/v1/generate/a%20b/',
	});
});

test('undocumented fields are sent as fields', () => {
	const values = { payload: { model: 'm', seconds: 5 } };
	const { body } = buildRequest(operationNamed('videoStudio.generate'), '/x', values);
	expect(body).toEqual({ model: 'm', seconds: 5 });
});

test('and beside others, of the same name, too', () => {
	const values = { prompt: 'x', payload: { payload: 'y', image: 'z' } };
	const { body } = buildRequest(operationNamed('vidB30.generate'), '/x', values);
	expect(body).toEqual({ prompt: 'x', payload: 'y', image: 'z' });
});

test('an identifier goes into whatever place a path of the credential has', () => {
	const values = { jobId: 'j 1' };
	expect(buildRequest(GET_JOB, '/d/{any}/status', values).path).toBe('/d/j%201/status');
});

test('an identifier cannot leave its segment', () => {
	const id = '../../api/profile';
	const path = fillPath('/api/v1/generate/{generation_id}/', { generation_id: id });
	expect(new URL(path, 'https://x.example').pathname).toBe(
		'/api/v1/generate/..%2F..%2Fapi%2Fprofile/',
	);
});

test.each(['..', '.', '', 'a\ud83d'])('"%s" is no identifier, and nothing is sent', (id) => {
	const refused = expect.objectContaining({
		message: `"${id}" is not an identifier`,
		description: expect.stringMatching(/Nothing was sent\.$/),
		outcome: 'notSent',
	});
	expect(() => fillPath('/a/{id}/', { id })).toThrow(refused);
	expect(() => fillWithId('/a/{id}/', id)).toThrow(refused);
});

test('nor is a value that is not there', () => {
	expect(() => fillPath('/a/{id}/', {})).toThrow('"" is not an identifier');
});

test('a path of the credential without a place for the identifier is refused', () => {
	expect(() => fillWithId('/status/', 'j1')).toThrow(
		expect.objectContaining({
			message: "The path /status/ has no place for the job's identifier",
			description: expect.stringContaining('Write {job_id} into the path in '),
			outcome: 'notSent',
		}),
	);
});
