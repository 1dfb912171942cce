import type { IDataObject } from 'n8n-workflow';

/** All fields of an item, those in `details`, too. */
export const flat = ({ details, ...top }: IDataObject): IDataObject => ({
	...top,
	...(details as IDataObject | undefined),
});
