import { VirtualNetwork } from './virtualNetwork.mts';
import { VirtualN8n } from './virtualRun.mts';

/** Another service than the one that is tested: its jobs have other identifiers. */
const SEED = 4711;

/**
 * Lets the process of an n8n use its account for a while, as after a batch: it begins with one place, and each job that
 * it creates gives one more, up to five.
 */
export async function warmUp(n8n: VirtualN8n): Promise<void> {
	const { clock, credential, state } = n8n;
	const { key } = state.settings;
	const settings = { key, seed: SEED, queuedMs: 0, jobMs: { min: 1, max: 1 } };
	const network = new VirtualNetwork(clock, { settings });
	const before = new VirtualN8n({}, credential, { clock, network });
	const image = { resource: 'image', operation: 'generate', size: '1:1', prompt: 'before' };
	await clock.run(
		before.execute({ items: Array.from({ length: 5 }, () => ({})), parameters: () => image }),
	);
}
