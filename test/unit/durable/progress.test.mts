import { creationsOf, endOf, ID, MINUTE, started, TEN } from './batches.mts';

/** Lines in n8n's log about how far a durable run is. */

test('done, running and waiting: half a minute apart at least, and once at the end', async () => {
	const engine = await started({ settings: { jobMs: { min: 40_000, max: 70_000 } } }, 0);
	const lines: Array<{ at: number; text: string }> = [];
	const take = () => {
		const all = engine.messages.filter((text) => text.includes(' items done'));
		for (const text of all.slice(lines.length)) lines.push({ at: engine.clock.now(), text });
	};
	for (let second = 0; second < 600; second++) {
		await engine.clock.advance(1000);
		take();
	}
	expect(endOf(engine).status).toBe('success');
	expect(creationsOf(engine)).toBe(10);
	const last = lines.pop();
	expect(last?.text).toBe(`Images: 10 of 10 items done, 0 running, 0 waiting (execution ${ID})`);
	expect(lines.length).toBeGreaterThan(1);
	expect(lines[0]?.text).toMatch(/^Images: \d of 10 items done, 5 running, \d waiting/);
	for (const [index, { at }] of lines.slice(1).entries()) {
		expect(at - lines[index]!.at).toBeGreaterThanOrEqual(29_000);
	}
	for (const { text } of lines) for (const prompt of TEN) expect(text).not.toContain(prompt);
});

test('nothing new is no line, however long it takes', async () => {
	const engine = await started({ settings: { jobMs: { min: 60 * MINUTE, max: 60 * MINUTE } } }, 0);
	await engine.clock.advance(50 * MINUTE);
	const lines = engine.messages.filter((text) => text.includes(' items done'));
	expect(lines).toEqual([`Images: 0 of 10 items done, 5 running, 5 waiting (execution ${ID})`]);
});
