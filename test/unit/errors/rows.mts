/** How an error is told: the table that the tests beside it go through, row by row. */

export interface Row {
	/** What the request is for that is hit: it creates a job, polls one that is waited for, … */
	stage: 'create' | 'wait' | 'read' | 'list' | 'download' | 'test';
	/** What becomes of it, by its name in `answers.mts`. */
	answer: string;
	/** Whether the service has carried it out by then; in the table also `both`, for two rows alike. */
	effect: 'before' | 'after' | '';
	times: 'once' | 'always';
	/**
	 * What the failed item says in `charged`. `result`: nothing has failed, the true result is there. `as is`: the
	 * answer itself is given out as one.
	 */
	charged: 'no' | 'yes' | 'unknown' | 'result' | 'as is';
	/** What the failed item says in `retry`. */
	retry: string;
	/** How many requests of the stage arrive; `again`: more than one; empty: any number. */
	sent: string;
	/** A piece of the message. */
	words: string;
	/** A piece of the advice. */
	next: string;
}

/** Rows as text, one a line; empty lines and those with `#` say something to the reader alone. */
function parsed(table: string): Row[] {
	const lines = table.split('\n').filter((line) => !/^\s*(#.*)?$/.test(line));
	return lines.flatMap((line) => {
		const cells = line.split('|').map((cell) => cell.trim());
		const [stage, answer, effect, times, charged, retry, sent, words, next, ...more] = cells;
		if (next === undefined || more.length > 0) throw new Error(`Not a row: ${line}`);
		const row = { stage, answer, times, charged, retry, sent, words, next };
		const effects = effect === 'both' ? ['before', 'after'] : [effect];
		return effects.map((one) => ({ ...row, effect: one }) as Row);
	});
}

/*
 * Left out, since they cannot happen or mean nothing new:
 * - a refusal (4xx) after the effect: with it, the service says that nothing was done
 * - before and after at any other stage: a read, a list and a file cost nothing and change nothing
 * - 400 to 402 of a file: it comes from a host that knows neither fields nor keys nor credits
 * - connections that break at the credential's test: what n8n shows then is its own, a code such as ECONNRESET
 * - a second status of a kind (503, 504, 307): they are what 502 and 302 are
 */
export const ROWS = parsed(`
	# stage    | answer               | effect | times  | charged | retry        | sent  | words                               | next

	# A refusal says that nothing was done: nothing was charged, and the same would be refused again.
	  create   | 400                  | before | once   | no      | correctFirst | 1     | incomplete: prompt: is odd          | Correct the fields
	  create   | 401                  | before | once   | no      | correctFirst | 1     | missing, invalid or revoked         | Enter a valid key
	  create   | 402, too few credits | before | once   | no      | creditsFirst | 1     | Not enough purchased credits        | Buy credits
	  create   | 402, none bought     | before | once   | no      | creditsFirst | 1     | Not enough purchased credits        | on the website only
	  create   | 403                  | before | once   | no      | correctFirst | 1     | denied access                       | Check the account
	  create   | 404                  | before | once   | no      | correctFirst | 1     | does not know this address          | Base URL

	# These two are sent again: nothing can have come of the first.
	  create   | 429                  | before | once   | result  |              | 2     |                                     | 
	  create   | 429                  | before | always | no      | safe         | again | has reached a limit                 | 100 requests a minute
	  create   | 429 for an hour      | before | once   | no      | safe         | 1     | has reached a limit                 | asks to wait 3600 seconds
	  create   | no connection        |        | once   | result  |              | 1     |                                     | 
	  create   | no connection        |        | always | no      | safe         | 0     | cannot be reached                   | the network of the n8n server

	# After anything else, a job may exist, whether it does or not: it is never sent again.
	  create   | 408                  | both   | once   | unknown | lookFirst    | 1     | answered with status 408            | may exist and be paid for
	  create   | 500                  | both   | once   | unknown | lookFirst    | 1     | had an internal error               | may exist and be paid for
	  create   | 502, a page          | both   | once   | unknown | lookFirst    | 1     | answered with status 502            | may exist and be paid for
	  create   | 200, a page          | both   | once   | unknown | lookFirst    | 1     | cannot be read                      | may exist and be paid for
	  create   | 201, a page          | both   | once   | unknown | lookFirst    | 1     | cannot be read                      | may exist and be paid for
	  create   | unreadable           | both   | once   | unknown | lookFirst    | 1     | cannot be read                      | may exist and be paid for
	  create   | reset                | both   | once   | unknown | lookFirst    | 1     | broke off before the answer         | may exist and be paid for
	  create   | no answer            | both   | once   | unknown | lookFirst    | 1     | did not answer within 30 s          | may exist and be paid for
	  create   | 200, an error        | both   | once   | unknown | lookFirst    | 1     | no known identifier                 | may exist and be paid for
	  create   | redirect             | both   | once   | unknown | lookFirst    | 1     | answered with status 302            | may exist and be paid for
	  create   | 201, no ID           | after  | once   | unknown | lookFirst    | 1     | no known identifier                 | Field: Job Identifier

	# The job is paid for: what may pass is waited out.
	  wait     | 403                  |        | once   | result  |              | again |                                     | 
	  wait     | 404                  |        | once   | result  |              | again |                                     | 
	  wait     | 408                  |        | once   | result  |              | again |                                     | 
	  wait     | 429                  |        | once   | result  |              | again |                                     | 
	  wait     | 500                  |        | once   | result  |              | again |                                     | 
	  wait     | 502, a page          |        | once   | result  |              | again |                                     | 
	  wait     | 200, a page          |        | once   | result  |              | again |                                     | 
	  wait     | 200, an error        |        | once   | result  |              | again |                                     | 
	  wait     | 200, no state        |        | once   | result  |              | again |                                     | 
	  wait     | redirect             |        | once   | result  |              | again |                                     | 
	  wait     | unreadable           |        | once   | result  |              | again |                                     | 
	  wait     | reset                |        | once   | result  |              | again |                                     | 
	  wait     | no answer            |        | once   | result  |              | again |                                     | 
	  wait     | no connection        |        | once   | result  |              | 1     |                                     | 

	# What does not pass ends the wait, with the ID of the job.
	  wait     | 400                  |        | always | yes     | waitForJob   |       | cannot be read: The service refused | read it later with Job >
	  wait     | 401                  |        | always | yes     | waitForJob   |       | cannot be read: The API key         | read it later with Job >
	  wait     | 402, none bought     |        | always | yes     | waitForJob   |       | cannot be read: Not enough          | read it later with Job >
	  wait     | 403                  |        | always | yes     | waitForJob   |       | cannot be read: The service denied  | read it later with Job >
	  wait     | 404                  |        | always | yes     | waitForJob   | again | cannot be read: The service does    | read it later with Job >
	  wait     | 429                  |        | always | yes     | waitForJob   | again | not seen to finish within 60 s      | has reached a limit
	  wait     | 500                  |        | always | yes     | waitForJob   | again | not seen to finish within 60 s      | Job > Wait for Completion
	  wait     | 502, a page          |        | always | yes     | waitForJob   | again | not seen to finish within 60 s      | answered with status 502
	  wait     | 200, a page          |        | always | yes     | waitForJob   | again | not seen to finish within 60 s      | answer that cannot be read
	  wait     | redirect             |        | always | yes     | waitForJob   | again | not seen to finish within 60 s      | answered with status 302
	  wait     | unreadable           |        | always | yes     | waitForJob   | again | not seen to finish within 60 s      | answer that cannot be read
	  wait     | reset                |        | always | yes     | waitForJob   | again | not seen to finish within 60 s      | broke off before the answer
	  wait     | no answer            |        | always | yes     | waitForJob   | again | not seen to finish within 60 s      | did not answer within 30 s
	  wait     | no connection        |        | always | yes     | waitForJob   |       | not seen to finish within 60 s      | cannot be reached
	# Neither says anything about the job: the words of the first are told.
	  wait     | 200, an error        |        | always | yes     | waitForJob   | again | not seen to finish within 60 s      | no state. The service said: Because.
	  wait     | 200, no state        |        | always | yes     | waitForJob   | again | not seen to finish within 60 s      | Its status has no state.
	# The service says that it could not make it.
	  wait     | job fails            |        | once   | yes     | paysAgain    | again | failed                              | costs again

	# Job > Get Status, of a job that somebody has paid for, or not.
	  read     | 400                  |        | once   | unknown | waitForJob   | 1     | malformed or incomplete             | Correct the fields
	  read     | 401                  |        | once   | unknown | waitForJob   | 1     | missing, invalid or revoked         | Enter a valid key
	  read     | 402, none bought     |        | once   | unknown | waitForJob   | 1     | Not enough purchased credits        | Buy credits
	  read     | 403                  |        | once   | unknown | waitForJob   | 1     | denied access                       | Check the account
	  read     | 404                  |        | once   | unknown | waitForJob   | 1     | does not know this address          | Check the ID
	  read     | unknown ID           |        | once   | unknown | waitForJob   | 1     | does not know this address          | Check the ID
	  read     | 429                  |        | once   | result  |              | 2     |                                     | 
	  read     | 429 for an hour      |        | once   | unknown | waitForJob   | 1     | has reached a limit                 | asks to wait 3600 seconds
	  read     | 500                  |        | once   | unknown | waitForJob   | 1     | had an internal error               | Try again later
	  read     | 502, a page          |        | once   | unknown | waitForJob   | 1     | answered with status 502            | Try again later
	  read     | 200, a page          |        | once   | unknown | waitForJob   | 1     | cannot be read                      | not of a web page
	  read     | redirect             |        | once   | unknown | waitForJob   | 1     | answered with status 302            | Base URL
	  read     | unreadable           |        | once   | unknown | waitForJob   | 1     | cannot be read                      | not of a web page
	  read     | reset                |        | once   | unknown | waitForJob   | 1     | broke off before the answer         | Try again later
	  read     | no answer            |        | once   | unknown | waitForJob   | 1     | did not answer within 30 s          | Try again later
	  read     | no connection        |        | once   | result  |              | 1     |                                     | 
	  read     | no connection        |        | always | unknown | waitForJob   | 0     | cannot be reached                   | the network of the n8n server
	# Neither says anything about the job.
	  read     | 200, an error        |        | once   | as is   |              | 1     |                                     | 
	  read     | 200, no state        |        | once   | as is   |              | 1     |                                     | 

	# Job > Get History. It costs nothing.
	  list     | 400                  |        | once   | no      | correctFirst | 1     | malformed or incomplete             | Correct the fields
	  list     | 401                  |        | once   | no      | correctFirst | 1     | missing, invalid or revoked         | Enter a valid key
	  list     | 402, none bought     |        | once   | no      | creditsFirst | 1     | Not enough purchased credits        | Buy credits
	  list     | 403                  |        | once   | no      | correctFirst | 1     | denied access                       | Check the account
	  list     | 404                  |        | once   | no      | correctFirst | 1     | does not know this address          | Base URL
	  list     | 429                  |        | once   | result  |              | again |                                     | 
	  list     | 429 for an hour      |        | once   | no      | safe         | 1     | has reached a limit                 | asks to wait 3600 seconds
	  list     | 500                  |        | once   | no      | safe         | 1     | had an internal error               | Try again later
	  list     | 502, a page          |        | once   | no      | safe         | 1     | answered with status 502            | Try again later
	  list     | 200, a page          |        | once   | no      | safe         | 1     | cannot be read                      | not of a web page
	  list     | redirect             |        | once   | no      | safe         | 1     | answered with status 302            | Base URL
	  list     | unreadable           |        | once   | no      | safe         | 1     | cannot be read                      | not of a web page
	  list     | reset                |        | once   | no      | safe         | 1     | broke off before the answer         | Try again later
	  list     | no answer            |        | once   | no      | safe         | 1     | did not answer within 30 s          | Try again later
	  list     | no connection        |        | once   | result  |              | again |                                     | 
	  list     | no connection        |        | always | no      | safe         | 0     | cannot be reached                   | the network of the n8n server
	# Today, a body without a list is one item, whatever it says.
	  list     | 200, an error        |        | once   | as is   |              | 1     | Because.                            | 

	# The file of a job that is done: its URL stays in the item, beside what went wrong.
	  download | 403                  |        | always | result  |              | 1     | answered with status 403            | was not downloaded
	  download | 404                  |        | always | result  |              | 1     | answered with status 404            | was not downloaded
	  download | 429                  |        | always | result  |              | again | answered with status 429            | was not downloaded
	  download | 500                  |        | always | result  |              | again | answered with status 500            | was not downloaded
	  download | 502, a page          |        | always | result  |              | again | answered with status 502            | was not downloaded
	  download | 200, a page          |        | always | result  |              | 1     | sent text/html                      | was not downloaded
	# It is followed, and there is nothing.
	  download | redirect             |        | always | result  |              | 1     | answered with status 404            | was not downloaded
	  download | reset                |        | always | result  |              | again | cannot be reached                   | was not downloaded
	  download | no answer            |        | always | result  |              | again | cannot be reached                   | was not downloaded
	  download | 429                  |        | once   | result  |              | 2     |                                     | 
	  download | 500                  |        | once   | result  |              | 2     |                                     | 
	  download | reset                |        | once   | result  |              | 2     |                                     | 
	  download | 200, an error        |        | always | result  |              | 1     | sent application/json               | was not downloaded
	  download | unreadable           |        | always | result  |              | 1     | sent application/json               | was not downloaded

	# The test of the credential, which reads the balance. Of other statuses, n8n has words of its own.
	  test     | the truth            |        | once   | result  |              | 1     |                                     | 
	  test     | 400                  |        | once   | no      |              | 1     | malformed or incomplete             | Correct the fields
	  test     | 401                  |        | once   | no      |              | 1     | missing, invalid or revoked         | Enter a valid key
	  test     | 402, none bought     |        | once   | no      |              | 1     | Not enough purchased credits        | Buy credits
	  test     | 403                  |        | once   | no      |              | 1     | denied access                       | Check the account
	  test     | 404                  |        | once   | no      |              | 1     | does not know this address          | Base URL
	  test     | 429                  |        | once   | no      |              | 1     | has reached a limit                 | 100 requests a minute
	  test     | 500                  |        | once   | no      |              | 1     | had an internal error               | Try again later
	  test     | 502, a page          |        | once   | no      |              | 1     | Status 502                          | 
	  test     | redirect             |        | once   | no      |              | 1     | Status 302                          | 
	  test     | 200, a page          |        | once   | no      |              | 1     | is not the Media Generation Service | not that of a web page
	  test     | unreadable           |        | once   | no      |              | 1     | is not the Media Generation Service | Enter the address of the API
	  test     | 200, an error        |        | once   | no      |              | 1     | is not the Media Generation Service | Enter the address of the API
`);
