import { inspect } from 'node:util';
import type { IDataObject } from 'n8n-workflow';

import { toldBy } from '../../support/toldBy.mts';
import { formsOf } from './echoes.mts';
import { isUnreadable } from './limitProperties.mts';
import { isStopped } from './facts.mts';
import { itemOf } from './play.mts';
import type { Property } from './property.mts';

/** What is put out is in input order, and each is the job of its item, ordered by its own process. */
export const paired: Property = ({ workflows, n8n }) =>
	workflows.flatMap(({ plan, executions }) =>
		executions.flatMap((execution) => {
			const { items, error } = execution;
			if (error) return [];
			const of = items.map(({ pairedItem }) => (pairedItem as { item: number }).item);
			// Stop ends it wherever it is.
			const all = plan.prompts.map((_, itemIndex) => itemIndex);
			const expected = isStopped(plan, execution) ? all.filter((i) => of.includes(i)) : all;
			const isOrdered = JSON.stringify(of) === JSON.stringify(expected);
			const strangers = items.filter(({ json }, index) => {
				const id = json.jobId ?? json.generation_id ?? json.task_id ?? json.id;
				const job = id === undefined ? undefined : n8n.state.jobs.find(String(id));
				return job && itemOf(plan, job.body) !== of[index];
			});
			return [
				...(isOrdered ? [] : [`items come out as ${of}`]),
				...strangers.map(({ json }) => `job ${String(json.jobId)} is at another item`),
			];
		}),
	);

/** Not simplified, an item has the state under the service's own name for it, as it writes it. */
function isCompleted(json: IDataObject): boolean {
	return [json.status, json.state].some((state) => /^completed$/i.test(String(state)));
}

/** With time enough, what passes makes no item fail. */
export const enduring: Property = ({ scenario, workflows, n8n }) => {
	if (scenario.weather === 'any') return [];
	return workflows.flatMap(({ plan, executions }) =>
		executions.flatMap(({ error, items, tries }) => {
			const mayFail = plan.prompts.some((prompt) => prompt.includes('[fail]'));
			if (mayFail || isUnreadable(scenario, plan)) return [];
			if (error) return [`failed: ${toldBy(error)}`];
			const bad = items.filter(({ json }) => json.error !== undefined);
			const unfinished = items.filter(({ json }) => plan.wait && !isCompleted(json));
			return [
				...(tries > 1 ? [`took ${tries} tries`] : []),
				...bad.map(({ json }) => `failed: ${String(json.error)}`),
				...(bad.length === 0 ? unfinished : []).map(({ json }) => `is ${String(json.status)}`),
				...(n8n.state.jobs.list.length === 0 ? ['nothing was made'] : []),
			];
		}),
	);
};

/** Stop in the editor ends the run within a second. */
export const stopsAtOnce: Property = ({ workflows }) =>
	workflows.flatMap(({ plan, executions: [first] }) => {
		const { startedAt, endedAt } = first!;
		// Between two tries, n8n itself does not heed it.
		const isSeen = isStopped(plan, first!) && !plan.node.retryOnFail;
		if (plan.stopsAfterMs === undefined || !isSeen) return [];
		const lateMs = endedAt - startedAt - plan.stopsAfterMs;
		return lateMs > 1000 ? [`went on for ${lateMs} ms after Stop`] : [];
	});

/** The key is nowhere, in none of the forms in which the service may repeat it. */
export const secret: Property = ({ workflows, n8n, log }) => {
	const forms = formsOf(n8n.state.settings.key);
	const shown = workflows.flatMap(({ executions }) =>
		executions.flatMap(({ outputs, error, memory, flow, hints, messages }) => {
			const kept = JSON.stringify({ outputs, memory, flow, hints, messages });
			// Also what is not enumerable, such as a cause.
			return [kept, inspect(error, { depth: 10, showHidden: true, maxStringLength: null })];
		}),
	);
	const all = [...shown, ...log];
	return forms.flatMap((form) =>
		all.some((text) => text.includes(form)) ? ['the key is shown'] : [],
	);
};
