/** Every error that a test has shown is on the page of errors (docs/troubleshooting.md). */
afterEach(async () => {
	const shown = (globalThis as { shownErrors?: string[] }).shownErrors?.splice(0) ?? [];
	if (shown.length === 0) return;
	// Not loaded by tests that show none.
	const { isDocumented } = await import('./documentedErrors.mts');
	expect(shown.filter((message) => !isDocumented(message))).toEqual([]);
});
