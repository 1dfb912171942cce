/** So many polls ask each; then every second, every fourth … up to this one. */
const PATIENT_POLLS = 10;
const RAREST = 32;

/**
 * Whether what was asked in vain is asked again: more and more rarely.
 *
 * @param polls so far
 */
export function isDue(polls: number): boolean {
	const every = Math.min(2 ** Math.floor(polls / PATIENT_POLLS), RAREST);
	return polls % every === 0;
}
