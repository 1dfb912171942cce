import type { Jobs } from './jobs.mts';
import type { Answer } from './service.mts';

/** An answer as JSON in which the identifiers of jobs are numbers, with all their digits. */
export function withNumericIds({ body, headers, ...answer }: Answer, jobs: Jobs): Answer {
	const text = JSON.stringify(body).replace(/(?<=:)"(\d+)"/g, (quoted, digits: string) =>
		jobs.find(digits) ? digits : quoted,
	);
	return { ...answer, body: text, headers: { ...headers, 'content-type': 'application/json' } };
}
