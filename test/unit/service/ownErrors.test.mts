import { openService } from '../../../nodes/shared/service/service.ts';

/** n8n before 2.36: what its helper throws tells nothing of what was thrown in it. */
const withoutCause = async () => {
	throw new Error('An unknown error occurred');
};

function contextWith(apiKey: string) {
	return {
		getCredentials: async () => ({ baseUrl: 'https://api.example.com', apiKey }),
		getExecutionCancelSignal: () => undefined,
		helpers: { httpRequestWithAuthentication: withoutCause },
	};
}

const request = { method: 'POST', path: '/images/generate' } as const;

test('an empty key is named, and certainly nothing was sent, whatever n8n makes of errors', async () => {
	const service = await openService(contextWith(' ') as never);
	await expect(service.send(request)).rejects.toMatchObject({
		message: 'The API key is empty',
		outcome: 'notSent',
	});
});

test('with a key, an error without a cause has an unknown outcome', async () => {
	const service = await openService(contextWith('key') as never);
	await expect(service.send(request)).rejects.toMatchObject({ outcome: 'unknown' });
});
