/** Section "Limits" and the client behaviour of "States and transitions". */

/** Requests of one account in any window of `REQUEST_WINDOW_MS`. */
export const REQUESTS_PER_WINDOW = 100;
export const REQUEST_WINDOW_MS = 60_000;

/** Generations of one account that may run at the same time. */
export const CONCURRENT_GENERATIONS = 5;

/** Seconds between two polls in the document's own loop. */
export const SHOWN_POLL_SECONDS = 10;
