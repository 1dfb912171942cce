import type { IDataObject } from 'n8n-workflow';

/** What the notice of a panel says of the price, read as a person reads it. */

/** The switches that a notice can have a price for. */
const SWITCHES = {
	sound: 'Sound',
	generate_audio: 'Generate Audio',
	prompt_directory_optin: 'Publish in Prompt Directory',
	enableFallback: 'Enable Fallback',
};

/** Labels of the switches that are on. */
function switchedOn({ additionalFields, ...values }: IDataObject): string[] {
	const all: IDataObject = { ...values, ...(additionalFields as IDataObject) };
	return Object.entries(SWITCHES).flatMap(([name, label]) => (all[name] === true ? [label] : []));
}

/** Credits that a notice names for these switches; where it names none, they change nothing. */
function namedFor(text: string, on: string[]): number {
	const [, credits = NaN] = /costs (?:at most )?(\d+) credits?/.exec(text) ?? [];
	const named = (which: string) => new RegExp(`(\\d+) with ${which}(?=[,.:])`).exec(text)?.[1];
	const together = on.length > 1 ? (named(on.join(' and ')) ?? named('both')) : undefined;
	const [alone] = on.flatMap((label) => named(label) ?? []);
	return Number(together ?? alone ?? credits);
}

/**
 * The price that a notice names for a form.
 *
 * @param values the parameters of the node
 * @param units those that the job is charged by, where it is
 */
export function priceInNotice(text: string, values: IDataObject, units: number) {
	if (text === 'This job is free.') return { credits: 0, exact: true };
	const on = switchedOn(values);
	const credits = namedFor(text, on);
	const isLess = on.some((label) => text.includes(`less with ${label}`));
	return {
		credits: text.includes('a second') ? credits * units : credits,
		exact: !text.includes('at most') && !isLess,
	};
}
