import type { IPollFunctions } from 'n8n-workflow';

import { causeOf } from '../../../nodes/shared/trigger/activeTrigger.ts';

test.each([
	['activate', 'activation'],
	['create', 'activation'],
	['init', 'start'],
	['leadershipChange', 'start'],
	['update', 'edit'],
])('%s: the first poll is because of the %s, all others of the time', (mode, cause) => {
	const context = { getActivationMode: () => mode } as unknown as IPollFunctions;
	expect([causeOf(context), causeOf(context)]).toEqual([cause, 'time']);
});
