import type { CreateOperation } from '../../../nodes/shared/spec/types.ts';
import { IMAGE_CATALOG } from '../../../nodes/shared/spec/catalogs.ts';
import { panelOf, visible } from '../../support/formPanel.mts';

const generate = IMAGE_CATALOG.operations.find(
	(operation): operation is CreateOperation => operation.operation === 'generate',
)!;
const panel = panelOf(IMAGE_CATALOG, generate);
const image = { resource: 'image', operation: 'generate' };

const names = (values: object, asTool: boolean) =>
	visible(panel, { ...image, ...values }, { asTool }).map(({ name }) => name);

const optionNames = (asTool: boolean) => {
	const { options } = panel.find(({ name }) => name === 'options')!;
	const shown = visible(options as typeof panel, image, { asTool, inside: 'options' });
	return shown.map(({ name }) => name);
};

test('a tool has Output, and fields where they are to be selected', () => {
	expect(names({}, true)).toContain('output');
	expect(names({}, true)).not.toContain('outputFields');
	expect(names({ output: 'selectedFields' }, true)).toContain('outputFields');
	expect(names({ output: 'selectedFields' }, false)).not.toContain('output');
	expect(names({ output: 'selectedFields' }, false)).not.toContain('outputFields');
});

test('and so no Simplify, which a node has', () => {
	expect(optionNames(true)).not.toContain('simplify');
	expect(optionNames(false)).toContain('simplify');
});

test('it starts with the short answer', () => {
	expect(panel.find(({ name }) => name === 'output')).toMatchObject({ default: 'simplified' });
});
