import type { DisplayCondition } from 'n8n-workflow';

import type { Value } from '../spec/types';

/**
 * Conditions of n8n's forms. A parameter that is an expression meets every condition under `show`;
 * what must not show for expressions has its conditions under `hide`, which are taken at their word.
 */

/** Any value but this one. */
export const OTHER_THAN = (value: Value): DisplayCondition => ({ _cnd: { not: value } });

/** The parameter is an expression. */
export const EXPRESSION: DisplayCondition = { _cnd: { startsWith: '=' } };
