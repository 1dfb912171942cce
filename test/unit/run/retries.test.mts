import { seededRandom } from '../../../sandbox/random.mts';
import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import { toldBy } from '../../support/toldBy.mts';
import { images } from '../../support/virtualImages.mts';
import { VirtualN8n, type Execution } from '../../support/virtualRun.mts';

/** A person retries this and that execution of a workflow with two nodes; each seed is a story. */

const SEEDS = Array.from({ length: 25 }, (_, seed) => seed);

/** A failed run of a node, and what decides the requests of its retries. */
interface Failed {
	execution: Execution;
	isLater: boolean;
	prompts: string[];
}

const ordered = (prompts: string[], isLater: boolean, typed: string) =>
	images(prompts, {
		node: { name: isLater ? 'Later' : 'MediaGen', parameters: { prompt: typed } },
	});

test.each(SEEDS)('seed %i: no job is paid for twice, and each row has its own', async (seed) => {
	const random = seededRandom(seed, 'retries');
	const chance = (of: number) => random() < of;
	const pick = <T,>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
	const n8n = new VirtualN8n({ settings: { seed, credits: { purchased: 9000, welcome: 0 } } });
	const rows = ['a', 'b', 'c'].map((name) => `row ${name} of ${seed}`);
	const changed = rows.map((row, item) => (item === 1 ? row : `other ${row}`));
	const pool = ['d', 'e', 'f', 'g'].map((name) => `late ${name} of ${seed}`);
	const lost = new Set<string>();
	const fault = (prompt: string, more: Pick<FaultRuleInput, 'fault' | 'when' | 'times'>) =>
		n8n.state.faults.add({ match: { kind: 'create', bodyPattern: `"${prompt}"` }, ...more });
	for (const prompt of new Set([...rows, ...changed, ...pool])) {
		const times = 1 + Math.floor(random() * 4);
		if (chance(0.6)) fault(prompt, { fault: { kind: 'status', status: 402 }, times });
		if (chance(0.7)) continue;
		fault(prompt, { fault: { kind: 'reset' }, when: 'after', times: 1 });
		lost.add(prompt);
	}
	let told = '';
	const failed: Failed[] = [];
	const made = (id: unknown) => n8n.state.jobs.find(String(id))?.body.prompt;
	const look = (execution: Execution, isLater: boolean, prompts: string[]) => {
		const { error, items, hints } = execution;
		if (error) failed.push({ execution, isLater, prompts });
		else expect(items.map(({ json }) => made(json.jobId))).toEqual(prompts);
		for (const prompt of lost) {
			const [one, ...again] = n8n.state.jobs.list.filter(({ body }) => body.prompt === prompt);
			// A person was told of the job before another was ordered.
			if (again.length > 0) expect(told).toContain(one?.id);
		}
		told += toldBy(error) + JSON.stringify(hints);
	};
	const story = async () => {
		look(await n8n.execute(ordered(rows, false, 'one')), false, rows);
		for (let steps = 0; steps < 8 && failed.length > 0; steps++) {
			const { execution, isLater, prompts } = pick(failed);
			const isFirst = execution === failed[0]?.execution && !isLater;
			const asked = isFirst && chance(0.35) ? changed : prompts;
			const { items } = execution.options;
			const options = { ...ordered(asked, isLater, asked === changed ? 'other' : 'one'), items };
			const again = await n8n.retry({ ...execution, options });
			look(again, isLater, asked);
			if (again.error || isLater) continue;
			const others = pool.filter(() => chance(0.6));
			const next = chance(0.5) ? others : others.reverse();
			if (next.length > 0) look(await n8n.nextNode(again, ordered(next, true, 'late')), true, next);
		}
	};
	await n8n.clock.run(story());
	const paid = n8n.state.jobs.list.map(({ body }) => String(body.prompt));
	const twice = paid.filter((one, at) => paid.indexOf(one) !== at);
	expect(twice.filter((one, at) => !lost.has(one) || twice.indexOf(one) !== at)).toEqual([]);
});
