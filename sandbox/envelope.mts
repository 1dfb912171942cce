import { ENVELOPE } from '../nodes/shared/spec/answers.ts';
import type { SandboxSettings } from './settings.mts';

export type Body = Record<string, unknown>;

/** `{ success, data }`. */
export function envelope(data: unknown): Body {
	return { [ENVELOPE.success]: true, [ENVELOPE.data]: data };
}

/** A record in two parts: identifiers and state, and the rest. */
export interface Parts {
	identity: Body;
	rest: Body;
}

/** The body, with each part where the shape puts it. */
export function laidOut(
	{ identity, rest }: Parts,
	{ enveloped, beside }: Pick<SandboxSettings['shapes']['record'], 'enveloped' | 'beside'>,
): Body {
	if (beside === 'identity') return { ...envelope(rest), ...identity };
	if (beside === 'rest') return { ...envelope(identity), ...rest };
	const record = { ...identity, ...rest };
	return enveloped ? envelope(record) : record;
}
