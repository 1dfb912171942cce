import type { INodeProperties } from 'n8n-workflow';

/**
 * What a node of this package does in the executions that carry a durable run:
 * - `work` creates jobs and looks at them, a stretch at a time
 * - `watch` looks after the working execution, and puts another in its place when it is dead
 * - `output` makes the finished items, with their files
 * - `deliver` hands them to the node that the user sees
 * - `probe` does nothing: it shows whether such executions can be run here at all
 */
export const ROLES = ['work', 'watch', 'output', 'deliver', 'probe'] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_PARAMETER = 'durableRole';

/** Set in the executions that a durable run starts by itself; a person never sees it. */
export const ROLE_PROPERTY: INodeProperties = {
	displayName: 'Durable Role',
	name: ROLE_PARAMETER,
	type: 'hidden',
	default: '',
};

export function isRole(value: unknown): value is Role {
	return (ROLES as readonly unknown[]).includes(value);
}
