/**
 * What a person reads in the line of the price, as credits.
 *
 * @param on labels of the switches that are on, for what they add or save
 * @param seconds the length, where the price is for each
 */
export function priceInNotices(
	[text = '', ...others]: readonly string[],
	on: readonly string[] = [],
	seconds = 1,
): number {
	if (others.length > 0) return NaN;
	if (text === 'This job is free.') return 0;
	const [first = '', ...rest] = text.replace(/\.$/, '').split('; ');
	const [, amount, each] = /(\d+) credits?( a second)?$/.exec(first) ?? [];
	const base = Number(amount) * (each ? seconds : 1);
	return rest.reduce((price, part) => {
		const [, change = 0, way, label = ''] = /^(\d+) (more|less) with (.+)$/.exec(part) ?? [];
		if (!on.includes(label)) return price;
		return price + Number(change) * (way === 'less' ? -1 : 1);
	}, base);
}

/** Whether a property of a panel is the line of the price. */
export const isPriceNotice = ({ name }: { name: string }) => name === 'price';
