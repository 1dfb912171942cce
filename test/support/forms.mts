import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import axios from 'axios';

import {
	ONE_REQUEST_EACH,
	type Credential,
	type SavedWorkflow,
} from '../../tools/lib/n8nClient.mts';
import { connectionsOf, n8nNode } from '../../tools/lib/workflowNodes.mts';
import type { N8nRuns } from './n8nRuns.mts';

/** People in front of the forms of workflows. */

/** An n8n whose forms are filled in. */
type WithForms = N8nRuns & { server: { url: string } };

/** What a person enters; `undefined` for a field that stays empty. */
type FieldValue = string | File | File[] | undefined;

/** A person who fills in the forms of a workflow, one page after another. */
interface FormPages {
	/** The page that comes next, once it has this text. */
	waitFor(text: string): Promise<string>;
	/** Submits the page, with the values of its fields in their order. */
	submit(values: readonly FieldValue[]): Promise<void>;
}

/** How long to wait for a page, and between two looks at it, ms. */
const LONGEST_WAIT = 45_000;
const LOOK_AGAIN = 150;

/** Time-out, ms: n8n does not answer if the execution goes on just before it is asked for its page. */
const NO_ANSWER = 2000;

/**
 * Publishes a workflow, and submits the form that starts it.
 *
 * @param trigger name of its form trigger
 * @param values of the fields of that form, in their order
 */
export async function submitForm(
	{ client, server }: WithForms,
	workflow: SavedWorkflow,
	trigger: string,
	values: readonly FieldValue[],
): Promise<FormPages> {
	await client.activate(workflow);
	const { webhookId } = workflow.nodes.find(({ name }) => name === trigger) ?? {};
	const { formWaitingUrl } = await post(`${server.url}/form/${webhookId}`, values);
	const { pathname, search } = new URL(formWaitingUrl, server.url);
	const next = `${server.url}${pathname}${search}`;
	return {
		waitFor: async (text) => {
			// Asks for the status, as the page does: n8n never answers a request for the next page that comes too soon.
			const state = next.replace(pathname, `${pathname}/n8n-execution-status`);
			const deadline = Date.now() + LONGEST_WAIT;
			let status = '';
			while (Date.now() < deadline) {
				status = await get(state);
				const page = status === 'form-waiting' ? await get(next) : '';
				if (page.includes(text)) return page;
				await delay(LOOK_AGAIN);
			}
			throw new Error(`No page says "${text}"; the last state was "${status}".`);
		},
		submit: async (own) => {
			await post(next, own);
		},
	};
}

const DIRECT = { proxy: false, httpAgent: ONE_REQUEST_EACH } as const;

async function get(url: string): Promise<string> {
	const answer = axios.get(url, { ...DIRECT, timeout: NO_ANSWER });
	return await answer.then(({ data }) => String(data)).catch(() => '');
}

/** Posts as the page does: fields have numbers, and those without a value are left out. */
async function post(url: string, values: readonly FieldValue[]) {
	const form = new FormData();
	for (const [index, value] of values.entries()) {
		for (const one of [value].flat()) if (one !== undefined) form.append(`field-${index}`, one);
	}
	return (await axios.post(url, form, DIRECT)).data;
}

/** The start of a PNG, and text that tells it from others. */
export const PHOTO = Buffer.from(`\x89PNG\r\n\x1a\n${'seaside'.repeat(200)}`, 'latin1');

export const photo = (bytes: Buffer = PHOTO): File =>
	new File([new Uint8Array(bytes)], 'beach.png', { type: 'image/png' });

interface Given {
	file?: File | File[];
	parameters?: object;
	credential?: Credential;
}

/**
 * Saves a workflow that makes a video from the photo of a form, without anybody uploading the photo, and fills in the
 * form; the video node is called "MediaGen".
 */
export async function submitPhoto(n8n: WithForms, given: Given = {}): Promise<SavedWorkflow> {
	const { file = photo(), parameters, credential = n8n.credential } = given;
	const field = { fieldLabel: 'Photo', fieldType: 'file', requiredField: true };
	const values = [{ ...field, multipleFiles: Array.isArray(file) }];
	const form = n8nNode('Form', 'formTrigger', 2.3, {
		formTitle: 'Photo',
		formFields: { values },
	});
	const video = {
		...{ name: 'MediaGen', type: 'n8n-nodes-mediagen.mediaGenVideo', typeVersion: 1 },
		credentials: { mediaGenApi: credential },
		parameters: {
			...{ resource: 'vidA31', operation: 'generate', prompt: 'The waves come in' },
			...{ model: 'modelA_fast', aspectRatio: '16:9', imageUrls: 'Photo' },
			...parameters,
		},
	};
	const workflow = await n8n.client.createWorkflow({
		name: randomUUID(),
		nodes: [{ ...form, webhookId: randomUUID() }, video],
		connections: connectionsOf([['Form', 'MediaGen']]),
	});
	await submitForm(n8n, workflow, 'Form', [file]);
	return workflow;
}

/** The addresses of photos that the service was sent. */
export const addressesSent = ({ sandbox }: N8nRuns): string[] =>
	sandbox.jobs.flatMap(({ body }) => body.imageUrls as string[]);

/** What anybody gets at an address, without a login. */
export async function fetched(address: string) {
	const { data, status, headers } = await axios.get(address, {
		responseType: 'arraybuffer',
		proxy: false,
		validateStatus: () => true,
	});
	return { status, type: headers['content-type'], bytes: Buffer.from(data) };
}
