import type { IPollFunctions } from 'n8n-workflow';

import { ActiveTrigger, causeOf } from '../../../nodes/shared/trigger/activeTrigger.ts';

const contextOf = (mode: string) =>
	({ getActivationMode: () => mode }) as unknown as IPollFunctions;

/** Why n8n polls, each time that it does. */
function causes(...modes: Array<[mode: string, polls: number]>) {
	const active = new ActiveTrigger();
	return modes.flatMap(([mode, polls]) => {
		const context = contextOf(mode);
		return Array.from({ length: polls }, () => causeOf(context, active));
	});
}

test.each([
	['activate', 'activation'],
	['create', 'activation'],
	['init', 'start'],
	['leadershipChange', 'start'],
])('%s: the first poll is because of the %s, all others of the time', (mode, cause) => {
	expect(causes([mode, 3])).toEqual([cause, 'time', 'time']);
});

test('after an edit, n8n polls with another context', () => {
	expect(causes(['activate', 2], ['update', 2], ['update', 1])).toEqual([
		'activation',
		'time',
		'edit',
		'time',
		'edit',
	]);
});

test('with a context for each poll, none of them is an edit', () => {
	expect(causes(['activate', 1], ['update', 1], ['update', 1], ['update', 1])).toEqual([
		'activation',
		'time',
		'time',
		'time',
	]);
});

test('an update of the package while n8n runs is no activation: n8n goes on with its context', () => {
	const context = contextOf('activate');
	expect(causeOf(context, new ActiveTrigger())).toBe('activation');
	jest.isolateModules(() => {
		const updated = require('../../../nodes/shared/trigger/activeTrigger.ts');
		expect(updated.causeOf(context, new updated.ActiveTrigger())).toBe('time');
	});
});
