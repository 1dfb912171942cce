import { GENERATED } from './docs/markdown.mts';
import { readExamples, type Example, fileOf, pictureOf } from './examples.mts';

export const GALLERY = 'docs/examples.md';

/** The note that says what an example does: a title, then a sentence. */
const NOTE = 'What this does';

const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

export function gallery(): string {
	const parts = [
		'# Examples',
		GENERATED,
		'Workflows to import: download the file below its picture, then _Import > From file_ in the menu (…) beside the name of a workflow.',
		...readExamples().flatMap(section),
	];
	return `${parts.join('\n\n')}\n`;
}

function section(example: Example): string[] {
	const { title, line } = saidOf(example);
	return [
		`## ${title}`,
		line,
		pictureElement(example.name),
		`Import [${example.name}.json](../${example.file})`,
	];
}

/** @throws Error when no note says what the example does */
function saidOf(example: Example) {
	const { nodes } = example.workflow;
	const note = nodes.find(({ name, type }) => type === STICKY_NOTE && name === NOTE);
	const { content = '' } = (note?.parameters ?? {}) as { content?: string };
	const [head = '', text = ''] = content.split('\n').filter((line) => line.trim() !== '');
	const title = /^## (.+)$/.exec(head)?.[1];
	const line = /^.+?[.!?](?=\s|$)/.exec(plain(text))?.[0];
	if (title && line) return { title, line };
	throw new Error(
		`${example.file}: its note "${NOTE}" has to begin with "## <title>" and a sentence that says what it does`,
	);
}

function plain(markdown: string): string {
	return markdown.replace(/^(\d+\.|-) /, '').replace(/[*_`]/g, '');
}

/** A picture in the reader's colour scheme. */
function pictureElement(example: string): string {
	const address = (theme: 'light' | 'dark') =>
		fileOf(pictureOf(example), theme).replace(/^docs\//, '');
	const dark = `<source media="(prefers-color-scheme: dark)" srcset="${address('dark')}">`;
	const light = `<img alt="The workflow" src="${address('light')}">`;
	return `<picture>${dark}${light}</picture>`;
}
