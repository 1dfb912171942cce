/**
 * What the notices of a panel say about the price, read as a person reads them.
 *
 * @param units how many units the job is charged for, where they say what one costs
 */
export function priceInNotices([amount = '', ...doubts]: readonly string[], units: number) {
	const exact = doubts.length === 0;
	if (amount === 'This job is free.') return { credits: 0, exact };
	const [, credits = NaN, perUnit] =
		/^This job costs (\d+) credits?( a second)?\.(?: Publishing it would save \d+\.)?$/.exec(
			amount,
		) ?? [];
	return { credits: Number(credits) * (perUnit ? units : 1), exact };
}

/** Whether a property of a panel is a notice of the price: its amount, or why that is in doubt. */
export const isPriceNotice = ({ name }: { name: string }) => /^price(Doubt)?$/.test(name);
