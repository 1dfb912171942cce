/**
 * What the line of a panel says about the price, read as a person reads it.
 *
 * @param units how many units the job is charged for, where it says what one costs
 */
export function priceInNotices([text = '', ...others]: readonly string[], units: number) {
	if (text === 'This job is free.' && others.length === 0) return { credits: 0, exact: true };
	const [, most, credits = NaN, perUnit] =
		/^This job costs (at most )?(\d+) credits?( a second)?\.$/.exec(text) ?? [];
	const isOnly = others.length === 0;
	return { credits: isOnly ? Number(credits) * (perUnit ? units : 1) : NaN, exact: !most };
}

/** Whether a property of a panel is the line of the price. */
export const isPriceNotice = ({ name }: { name: string }) => name === 'price';
