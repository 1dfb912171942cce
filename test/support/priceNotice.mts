/** What the line of a panel says about the price, read as a person reads it. */
export function priceInNotices([text = '', ...others]: readonly string[]) {
	if (text === 'This job is free.' && others.length === 0) return { credits: 0, exact: true };
	const [, most, credits = NaN] = /^This job costs (at most )?(\d+) credits?\.$/.exec(text) ?? [];
	return { credits: others.length === 0 ? Number(credits) : NaN, exact: !most };
}

/** Whether a property of a panel is the line of the price. */
export const isPriceNotice = ({ name }: { name: string }) => name === 'price';
