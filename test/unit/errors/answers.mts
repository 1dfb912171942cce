import type { Fault } from '../../../sandbox/faults.mts';

/** What can come back for a request, and what else can become of it. */
export interface Answer {
	fault?: Fault;
	/** No connection can be made, for a moment or until the end. */
	isUnreachable?: true;
	/** Of the job that is made. */
	prompt?: string;
	/** Of the job that is asked for, in place of one that exists. */
	jobId?: string;
}

/** The error body that the document shows. */
const said = (error: string, more = {}) => ({ success: false, error, ...more });

const status = (
	code: number,
	body: string | Record<string, unknown> = said('Because.'),
	headers: Record<string, string> = {},
): Answer => ({ fault: { kind: 'status', status: code, body, headers } });

/** A page of a website, a login or a proxy. */
const PAGE = '<!DOCTYPE html><html><h1>Welcome</h1></html>';

/** All answers, by the names that they have in the table. */
export const ANSWERS: Readonly<Record<string, Answer>> = {
	'400': status(400, said('Because.', { details: { prompt: 'is odd' } })),
	'401': status(401),
	'402, too few credits': status(402, said('Insufficient credits for the operation.')),
	'402, none bought': status(402, said('No credits have been purchased for API usage.')),
	'403': status(403),
	'404': status(404),
	// Not documented: whether anything was done is not known.
	'408': status(408),
	'429': status(429),
	// Longer than anybody waits here.
	'429 for an hour': status(429, said('Because.'), { 'retry-after': '3600' }),
	'500': status(500),
	'502, a page': status(502, PAGE),
	'200, a page': status(200, PAGE),
	'201, a page': status(201, PAGE),
	'201, no ID': status(201, { success: true, data: { status: 'processing' } }),
	'200, an error': status(200, said('Because.')),
	'200, no state': status(200, { success: true, data: {} }),
	redirect: status(302, PAGE, { location: 'https://elsewhere.example/' }),
	unreadable: { fault: { kind: 'garbage' } },
	reset: { fault: { kind: 'reset' } },
	'no answer': { fault: { kind: 'hang' } },
	'no connection': { isUnreachable: true },
	'job fails': { prompt: 'a kite [fail]' },
	'unknown ID': { jobId: 'j-7' },
	'the truth': {},
};

export const answerNamed = (name: string): Answer => {
	const answer = ANSWERS[name];
	if (!answer) throw new Error(`There is no answer "${name}"`);
	return answer;
};
