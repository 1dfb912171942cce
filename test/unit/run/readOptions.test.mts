import { switchValue } from '../../../nodes/shared/run/readParameters.ts';

test.each([
	['waitForCompletion', 'Wait for Completion'],
	['downloadMedia', 'Download File'],
])('%s is called as the form calls it', (name, label) => {
	expect(() => switchValue(name, 'maybe', false)).toThrow(
		`${label} must be true or false, but is "maybe"`,
	);
});
