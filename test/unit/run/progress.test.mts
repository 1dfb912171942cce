import { progressText } from '../../../nodes/shared/run/messages.ts';
import { VirtualN8n, type Execution } from '../../support/virtualRun.mts';

/** Lines in n8n's log about how far a run is that waits in process. */

const SECRET_PROMPT = 'a lighthouse that nobody may know of';

async function run(count: number, seconds: number, more: Partial<Record<string, unknown>> = {}) {
	const n8n = new VirtualN8n({
		settings: { jobMs: { min: seconds * 1000, max: seconds * 1000 }, queuedMs: 0 },
	});
	const items = Array.from({ length: count }, (_, index) => ({
		prompt: `${SECRET_PROMPT} ${index}${index === more.failing ? ' [fail]' : ''}`,
	}));
	const execution = await n8n.clock.run(
		n8n.execute({
			items,
			parameters: (item) => ({
				resource: 'image',
				operation: 'generate',
				prompt: items[item]?.prompt,
				options: {},
				...(more.parameters as object),
			}),
			node: { onError: 'continueRegularOutput' },
		}),
	);
	return { execution, key: n8n.state.settings.key };
}

const linesOf = ({ messages }: Execution) => messages.filter((text) => / items done/.test(text));

test('done, running and waiting, now and then, and once at the end', async () => {
	const { execution } = await run(12, 100);
	const lines = linesOf(execution);
	expect(lines[0]).toBe('MediaGen: 0 of 12 items done, 5 running, 7 waiting (execution 1)');
	expect(lines.at(-1)).toBe('MediaGen: 12 of 12 items done, 0 running, 0 waiting (execution 1)');
	const seconds = (execution.endedAt - execution.startedAt) / 1000;
	expect(lines.length).toBeLessThanOrEqual(seconds / 30 + 1);
	expect(new Set(lines).size).toBe(lines.length);
	expect(lines.length).toBeGreaterThanOrEqual(4);
});

test('neither the key nor a prompt', async () => {
	const { execution, key } = await run(12, 100);
	expect(linesOf(execution).length).toBeGreaterThan(0);
	for (const line of linesOf(execution)) {
		expect(line).not.toContain('lighthouse');
		expect(line).not.toContain(key);
	}
});

test('items that have failed are counted', async () => {
	const { execution } = await run(3, 5, { failing: 1 });
	expect(linesOf(execution)).toEqual([
		'MediaGen: 3 of 3 items done (1 failed), 0 running, 0 waiting (execution 1)',
	]);
});

test('a single job that is done soon is no news', async () => {
	expect(linesOf((await run(1, 5)).execution)).toEqual([]);
	expect(linesOf((await run(1, 100)).execution)).toHaveLength(2);
});

test('nor is anything but jobs', async () => {
	const parameters = { resource: 'model', operation: 'list' };
	expect(linesOf((await run(3, 5, { parameters })).execution)).toEqual([]);
});

test('no line says how many have failed where none has', () => {
	const progress = { total: 3, done: 1, failed: 0, running: 1 };
	expect(progressText(progress)).toBe('1 of 3 items done, 1 running, 1 waiting');
});
