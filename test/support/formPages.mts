import { setTimeout as delay } from 'node:timers/promises';

import axios from 'axios';

import type { SavedWorkflow } from '../../tools/lib/n8nClient.mts';
import type { SharedN8n } from './sharedN8n.mts';

/** ms between two looks at a page. */
const LOOK_AGAIN = 150;

/** What a person enters; `undefined` for a field that stays empty. */
type FieldValue = string | File | File[] | undefined;

/** A person who fills in the forms of a workflow, one page after another. */
export interface FormPages {
	/** The page that comes next, once it has this text. */
	waitFor(text: string): Promise<string>;
	/** Submits the page, with the values of its fields in their order. */
	submit(values: readonly FieldValue[]): Promise<void>;
}

/**
 * Publishes a workflow, and submits the form that starts it.
 *
 * @param trigger name of its form trigger
 * @param values of the fields of that form, in their order
 */
export async function submitForm(
	n8n: SharedN8n,
	workflow: SavedWorkflow,
	trigger: string,
	values: readonly FieldValue[],
): Promise<FormPages> {
	await n8n.client.activate(workflow);
	const { webhookId } = workflow.nodes.find(({ name }) => name === trigger) ?? {};
	const first = `${n8n.server.url}/form/${webhookId}`;
	const { formWaitingUrl } = await post(first, values);
	const { pathname, search } = new URL(formWaitingUrl, n8n.server.url);
	const next = `${n8n.server.url}${pathname}${search}`;
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

/** How long to wait for a page, ms. */
const LONGEST_WAIT = 45_000;

/** Time-out, ms: n8n does not answer if the execution goes on just before it is asked for its page. */
const NO_ANSWER = 2000;

async function get(url: string): Promise<string> {
	const answer = axios.get(url, { timeout: NO_ANSWER, proxy: false });
	return await answer.then(({ data }) => String(data)).catch(() => '');
}

/** Posts as the page does: fields have numbers, and those without a value are left out. */
async function post(url: string, values: readonly FieldValue[]) {
	const form = new FormData();
	for (const [index, value] of values.entries()) {
		for (const one of [value].flat()) if (one !== undefined) form.append(`field-${index}`, one);
	}
	return (await axios.post(url, form, { proxy: false })).data;
}
