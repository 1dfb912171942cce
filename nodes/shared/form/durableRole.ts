import type { INodeProperties } from 'n8n-workflow';

export const ROLE_PARAMETER = 'durableRole';

/** Set in the executions that a durable run starts by itself; a person never sees it. */
export const ROLE_PROPERTY: INodeProperties = {
	displayName: 'Durable Role',
	name: ROLE_PARAMETER,
	type: 'hidden',
	default: '',
};
