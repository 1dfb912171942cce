import {
	cutOffText,
	GAVE_UP,
	noAnswerText,
	otherStatusText,
	STOPPED_EARLY,
	STATUS_TEXTS,
	UNREADABLE,
	type ErrorText,
} from '../../../../nodes/shared/service/errorTexts.ts';
import { entryOf, NOTHING, PERHAPS, type ErrorEntry, type ErrorGroup } from './entry.mts';

type Own = Partial<ErrorEntry> & Pick<ErrorEntry, 'means'>;

/** A text with a placeholder where it has a value. */
const filled = (text: ErrorText, value: string, placeholder: string, own: Own) =>
	entryOf({ ...text, message: text.message.replace(value, placeholder) }, own);

const NUMBER = String(NaN);

export const ANSWERS: ErrorGroup = {
	title: 'What the service answers',
	intro:
		'Any request can end with one of these errors. The service\'s own words come after a colon, or in the description after "The service said". While the node waits for a job, it tries again by itself after a 429, a 5xx and a broken connection.',
	charged: 'Nothing by this request. Jobs of other items stay paid for; the error names them.',
	entries: [
		entryOf(STATUS_TEXTS[400], {
			means:
				'The service does not accept a field. It often says which, after a colon (status 400).',
		}),
		entryOf(STATUS_TEXTS[402], {
			means: 'The account cannot pay for this job (status 402).',
		}),
		entryOf(STATUS_TEXTS[403], {
			means: 'The key works, but not for this operation (status 403).',
		}),
		entryOf(STATUS_TEXTS[404], {
			means:
				'There is no such job or no such path (status 404). The node gives a job that was just started some time to appear.',
		}),
		entryOf(STATUS_TEXTS[429], {
			means:
				'Too many requests in a minute, or too many running jobs (status 429). The node waits and tries again before it gives up with this error.',
		}),
		entryOf(STATUS_TEXTS[500], {
			means: 'Something broke at the service (status 500).',
			charged: PERHAPS,
		}),
		filled(otherStatusText(300), '300', '<status>', {
			means: 'The address of the API has moved, or http leads to https.',
			charged: PERHAPS,
		}),
		filled(otherStatusText(NaN), NUMBER, '<status>', {
			means:
				'A status that the service does not document. 502, 503 and 504 most often come from a proxy when the service is down.',
			charged: PERHAPS,
			advice: 'With a status of 500 or more, try again later. Otherwise check the Base URL.',
		}),
		entryOf(UNREADABLE, {
			means:
				'The answer is not JSON, or not in the expected form. The description shows how it begins.',
			charged: PERHAPS,
		}),
		filled(noAnswerText(true, NaN), NUMBER, '<number>', {
			means: 'The connection was made, but no answer came.',
			charged: PERHAPS,
		}),
		entryOf(STOPPED_EARLY, {
			means:
				'An answer was still to come when _Stop_ was pressed, or when the workflow had taken as long as it may.',
			charged: PERHAPS,
			advice:
				'If the request was to start a job, look with _Job > Get History_ whether it is there before you order it again.',
		}),
		entryOf(noAnswerText(false, NaN), {
			means: 'The connection was lost after the request had been sent.',
			charged: PERHAPS,
		}),
		filled(cutOffText('tooSlow', NaN), NUMBER, '<number>', {
			means: 'The answer began but did not end.',
			charged: PERHAPS,
		}),
		filled(
			cutOffText('tooLarge', NaN),
			/\d+/.exec(cutOffText('tooLarge', NaN).message)![0],
			'<number>',
			{
				means: 'No answer of the API is that large. Perhaps the Base URL leads to something else.',
				charged: PERHAPS,
			},
		),
		entryOf(GAVE_UP, {
			means: 'The request waited in line too long and was never sent.',
			charged: NOTHING,
			advice:
				'Run again when less is going on. A demo account has so few requests that it needs a longer _Options > Timeout_.',
		}),
	],
};
