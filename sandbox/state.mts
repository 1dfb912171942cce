import { newAccount } from './account.mts';
import { Faults } from './faults.mts';
import { History } from './history.mts';
import { Jobs } from './jobs.mts';
import { Journal } from './journal.mts';
import { RateLimit } from './rateLimit.mts';
import { settingsSchema, type SandboxSettings, type SandboxSettingsInput } from './settings.mts';

export type SandboxState = ReturnType<typeof newState>;

/** @throws ZodError when a setting is unknown or a value breaks its rule */
export function newState(given: SandboxSettingsInput) {
	const settings = settingsSchema.parse(given);
	const state = { settings, account: newAccount(settings), ...newRecords(settings) };
	/**
	 * Goes back to the start: no jobs, journal or faults, and the first credits and settings, with a
	 * new key, session and auth token unless they were given.
	 */
	const reset = () => {
		Object.assign(settings, settingsSchema.parse(given));
		Object.assign(state.account, newAccount(settings));
		Object.assign(state, newRecords(settings));
	};
	return Object.assign(state, { reset });
}

/** What a reset forgets. */
function newRecords(settings: SandboxSettings) {
	const jobs = new Jobs(settings);
	return {
		jobs,
		history: new History(settings, jobs),
		journal: new Journal(),
		faults: new Faults(settings),
		rateLimit: new RateLimit(settings),
	};
}
