import { LIMITS } from '../../document.mts';
import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import { mostWithin } from './facts.mts';
import type { Property } from './property.mts';
import type { Scenario, WorkflowPlan } from './scenario.mts';

/** The service refuses the sixth itself, so that this is about the sandbox, too. */
export const fiveRunning: Property = ({ n8n }) => {
	const { list } = n8n.state.jobs;
	const most = Math.max(
		0,
		...list.map(
			({ createdAt: now }) =>
				list.filter(({ createdAt, endsAt }) => createdAt <= now && now < endsAt).length,
		),
	);
	return most > LIMITS.concurrentGenerations ? [`${most} jobs were running`] : [];
};

/** Without cause, the service has never to say 429 itself. */
export const withinLimits: Property = ({ scenario, n8n }, creations) => {
	const { weather, faults, workflows } = scenario;
	const mayCollide =
		weather === 'crowded' ||
		// What outlasts its request is counted when nobody expects it any more.
		faults.some(({ fault }) => fault.kind === 'slow' && fault.ms > 20_000) ||
		creations.some(({ isLost }) => isLost) ||
		faults.some(isRefusal) ||
		// Jobs that nobody waits for any more.
		workflows.some((plan) => {
			const { isElsewhere, stopsAfterMs, options } = plan;
			const isLeft = isElsewhere || stopsAfterMs !== undefined || options.timeout < 600;
			// It holds its place for a minute at most, where the history does not show its end.
			return isLeft || !plan.wait || isUnreadable(scenario, plan);
		});
	const { entries } = n8n.state.journal;
	const refused = entries.filter(({ status, fault }) => status === 429 && fault === undefined);
	return refused.length > 0 && !mayCollide ? [`${refused.length} answers were 429`] : [];
};

/** The operation of a scenario whose status the document does not show. */
const UNSEEN = 'generateUnified';

/** Its jobs are handed on unwaited: a number proves no job at a place that is not documented for it. */
export const isUnreadable = (scenario: Scenario, { parameters: { operation } }: WorkflowPlan) =>
	operation === UNSEEN && scenario.settings.shapes?.creation?.ids === 'number';

/** After it, a job is given up. */
function isRefusal({ fault }: FaultRuleInput): boolean {
	return fault.kind === 'status' && fault.status < 500 && fault.status !== 429;
}

/** Alone and with nothing going wrong, no window has more requests than allowed. */
export const withinPace: Property = ({ scenario, n8n }) => {
	if (scenario.weather !== 'clean') return [];
	const times = n8n.state.journal.entries.map(({ at }) => at);
	const most = mostWithin(times, LIMITS.user.windowMs);
	return most > LIMITS.user.requests ? [`${most} requests in a minute`] : [];
};
