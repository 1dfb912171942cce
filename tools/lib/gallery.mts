import { capitalized } from '../../nodes/shared/spec/conditions.ts';
import { GENERATED } from './docs/markdown.mts';
import { readExamples, type Example, fileOf, pictureOf } from './examples.mts';

export const GALLERY = 'docs/examples.md';

/** The note that says what an example does: a title, then a sentence. */
const NOTE = 'What this does';

/** Matches the types of this package's nodes, also of those that agents use as tools. */
const PACKAGE_NODE = /^n8n-nodes-mediagen\.mediaGen(\w+?)(?:Tool)?$/;
const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

/** What n8n calls the nodes whose names do not follow from their types. */
const NODE_NAMES: Record<string, string> = {
	agent: 'AI Agent',
	form: 'n8n Form',
	formTrigger: 'n8n Form Trigger',
	lmChatOpenAi: 'OpenAI Chat Model',
	rssFeedRead: 'RSS Read',
	set: 'Edit Fields (Set)',
};

export function gallery(): string {
	const parts = [
		'# Examples',
		GENERATED,
		"Workflows to import: download the file, then _Import > From file_ in the menu (…) beside a workflow's name. `npm run demo` opens an n8n that has them all.",
		...readExamples().flatMap(section),
	];
	return `${parts.join('\n\n')}\n`;
}

function section(example: Example): string[] {
	const { title, line } = saidOf(example);
	return [
		`## ${title}`,
		line,
		pictureElement(example.name, title),
		`Nodes: ${nodesOf(example).join(', ')}. Import [${example.name}.json](../${example.file}).`,
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

/** The names of an example's nodes, those of this package first. */
function nodesOf({ workflow }: Example): string[] {
	const types = workflow.nodes.map(({ type }) => type).filter((type) => type !== STICKY_NOTE);
	const own = types.filter((type) => PACKAGE_NODE.test(type));
	const others = types.filter((type) => !PACKAGE_NODE.test(type));
	return [...new Set([...own, ...others].map(nodeName))];
}

function nodeName(type: string): string {
	const own = PACKAGE_NODE.exec(type)?.[1];
	if (own) return `MediaGen ${own}`;
	const name = type.split('.').at(-1) ?? type;
	return NODE_NAMES[name] ?? capitalized(name.replace(/(?<=[a-z])(?=[A-Z])/g, ' '));
}

/** A picture in the reader's colour scheme. */
function pictureElement(example: string, title: string): string {
	const address = (theme: 'light' | 'dark') =>
		fileOf(pictureOf(example), theme).replace(/^docs\//, '');
	const dark = `<source media="(prefers-color-scheme: dark)" srcset="${address('dark')}">`;
	const alt = `The workflow "${title}" on the canvas`;
	const light = `<img alt="${escaped(alt)}" src="${address('light')}">`;
	return `<picture>${dark}${light}</picture>`;
}

function escaped(text: string): string {
	return text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;');
}
