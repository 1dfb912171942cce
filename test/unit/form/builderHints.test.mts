import { OPTIONS } from '../../../nodes/shared/parameters/options.ts';

/** n8n's AI builder takes the `default` of an option for what is in effect where it is not added. */
test.each(Object.entries(OPTIONS))(
	'options.%s: where it begins with something else than what is in effect without it, it says so',
	(_, { property, value }) => {
		const { default: start, description = '', builderHint } = property;
		const isInEffect = start === value.parse(undefined);
		const texts = [description, builderHint?.propertyHint ?? ''];
		expect(isInEffect || texts.some((text) => text.includes('Without it'))).toBe(true);
	},
);
