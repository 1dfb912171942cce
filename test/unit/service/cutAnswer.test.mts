import { Readable } from 'node:stream';

import type { ServiceError } from '../../../nodes/shared/service/serviceError.ts';
import { openService } from '../../../nodes/shared/service/service.ts';
import { VirtualClock } from '../../support/virtualClock.mts';

test('an answer that breaks off within the key shows nothing of it', async () => {
	const key = 'mg_sandbox_0123456789abcdefghijklmnopqrstuvwxyz';
	function* body() {
		yield Buffer.from(`{"error":"bad key","authorization":"Bearer ${key.slice(0, 40)}`);
		throw new Error('broken off');
	}
	const context = {
		getCredentials: async () => ({ apiKey: key, baseUrl: 'https://service.example' }),
		helpers: {
			httpRequestWithAuthentication: async () => ({
				statusCode: 200,
				body: Readable.from(body(), { objectMode: false }),
			}),
		},
	};
	const clock = new VirtualClock();
	const service = await openService(context as never, { clock });
	const sent = service.send({ method: 'GET', path: '/x' }).catch((error: unknown) => error);
	const { answer } = (await clock.run(sent)) as ServiceError;
	expect(answer).toBe('{"error":"bad key","authorization":"Bearer ***');
});
