import { IMAGE_CATALOG } from '../../../nodes/shared/spec/catalogs.ts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** The key does not come back to the user, however the service writes it. */

const KEY = 'mg_sandbox_a+b<c>d&e/f=0123456789';

const ESCAPED = KEY.replace(
	/[+<>&=]/g,
	(one) => `\\u00${one.charCodeAt(0).toString(16).toUpperCase()}`,
);

/** All that the user sees of a run whose creation is answered so. */
async function shown(status: number, body: string): Promise<string> {
	const n8n = new VirtualN8n({ settings: { key: KEY } });
	const fault = { kind: 'status', status, body, contentType: 'application/json' } as const;
	n8n.state.faults.add({ match: { kind: 'create' }, fault });
	const parameters = { resource: 'image', operation: 'generate', size: '1:1', prompt: 'a cat' };
	const { items, error, hints, messages } = await n8n.clock.run(
		n8n.execute({ items: [{}], catalog: IMAGE_CATALOG, parameters: () => parameters }),
	);
	return JSON.stringify([items, error?.message, error?.description, hints, messages]);
}

test.each([
	['an error', 400, `{"success":false,"error":"Key ${ESCAPED} is wrong"}`],
	['details', 400, `{"success":false,"error":"No","details":{"${ESCAPED}":"${ESCAPED}"}}`],
	['what is no JSON', 400, `Key ${ESCAPED} is wrong`],
	['a creation', 200, `{"success":true,"data":{"key":"${ESCAPED}","status":"failed"}}`],
])('%s with escapes in the key', async (_, status, body) => {
	const text = await shown(status, body);
	expect(text).toContain('***');
	expect(text).not.toContain('0123456789');
});
