import type { Creation } from './facts.mts';
import type { Play } from './play.mts';

/** Holds in every play; gives what it finds wrong. */
export type Property = (play: Play, creations: readonly Creation[]) => string[];
