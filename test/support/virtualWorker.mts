import { VirtualN8n, type Surroundings } from './virtualRun.mts';

const NEVER = new Promise<never>(() => {});

/**
 * Another process of n8n on an account, in virtual time. What a process learns belongs to a key: with a key of its own,
 * it knows nothing of the others, like a worker of n8n.
 */
export class VirtualWorker extends VirtualN8n {
	private isDead = false;

	constructor(account: VirtualN8n, name: string) {
		const apiKey = `${account.state.settings.key}_${name}`;
		account.state.account.keys.add(apiKey);
		super({}, { apiKey }, account);
	}

	/** Like `kill -9`: the process gets no more answers and no more time. What it has already sent still arrives. */
	kill(): void {
		this.isDead = true;
	}

	protected override get surroundings(): Surroundings {
		const { clock, network } = this;
		const send: Surroundings['network']['send'] = async (request) => {
			const answer = await network.send(request);
			// Virtual time stands still until the answer's body is read or destroyed.
			if (this.isDead) answer.body.destroy();
			return answer;
		};
		return {
			clock: {
				now: clock.now,
				elapsed: clock.elapsed,
				random: clock.random,
				sleep: async (...nap) => await this.whileAlive(clock.sleep(...nap)),
			},
			network: { send: async (request) => await this.whileAlive(send(request)) },
		};
	}

	private async whileAlive<T>(promise: Promise<T>): Promise<T> {
		try {
			return await promise;
		} finally {
			if (this.isDead) await NEVER;
		}
	}
}
