import { VirtualN8n } from './virtualRun.mts';

/**
 * Another process of n8n on an account, in virtual time. What a process learns belongs to a key: with a key of its own,
 * it knows nothing of the others, like a worker of n8n.
 */
export class VirtualWorker extends VirtualN8n {
	constructor(account: VirtualN8n, name: string) {
		const apiKey = `${account.state.settings.key}_${name}`;
		account.state.account.keys.add(apiKey);
		super({}, { apiKey }, account);
	}
}
