import { readFileSync } from 'node:fs';

import { anchorOf } from '../../../tools/lib/docs/markdown.mts';

/** What users ask: where the answer stands, and words of it that come soon after the heading. */
const QUESTIONS: ReadonlyArray<[question: string, place: string, ...words: string[]]> = [
	['A job failed: am I charged?', 'money#after-a-job-was-created', 'The job was charged'],
	[
		'How do I get only the missing pictures of a batch?',
		'money#retry-or-continue',
		'Continue Execution',
		'Retry execution',
	],
	[
		'The run was stopped: where are my pictures?',
		'money#get-paid-jobs-back',
		'its jobs go on',
		'Get paid jobs back',
	],
	['How do I limit what a run costs?', 'money#guards', 'Max Credits per Run'],
	['n8n restarted while it waited', 'durable#what-happens-when', 'the run goes on by itself'],
	[
		'Which model for a video from my own picture?',
		'videoNode#animate-an-image',
		'Family A > Generate',
		'Images',
	],
	['How many jobs at a time?', 'batches#the-limits-of-an-account', 'Authenticated', '5'],
	[
		'Can I use it behind queue mode?',
		'workers#running-many-workers',
		'queue mode',
		'nothing to set up',
	],
	[
		'Where do I find the Base URL?',
		'credential#credential',
		'Base URL',
		'The address of the service',
	],
	['How do I use it with an AI agent?', 'agents#set-it-up', 'Tool', 'Max Credits per Run'],
	['What does a song cost?', 'musicNode#make-a-song', '12 credits'],
	['How do I get the file instead of the URL?', 'batches#files', 'Download File'],
];

/** About a screen's first lines. */
const SOON = 60;

/** The first words below a heading, without the marks of Markdown. */
function beginningOf(place: string): string {
	const [page, anchor] = place.split('#');
	const [, ...sections] = readFileSync(`docs/${page}.md`, 'utf8').split(/^#+ /m);
	const found = sections.find((section) => anchorOf(section.split('\n')[0]!) === anchor);
	const words = (found ?? '')
		.split('\n')
		.slice(1)
		.join(' ')
		.match(/[^\s|]*[\p{L}\p{N}][^\s|]*|>/gu);
	return (words ?? []).slice(0, SOON).join(' ').replace(/[_*`]/g, '');
}

test.each(QUESTIONS)('%s %s', (_, place, ...words) => {
	const beginning = beginningOf(place);
	expect(words.filter((one) => !beginning.includes(one))).toEqual([]);
});
