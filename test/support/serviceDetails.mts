/** The fields of the credential; all other settings are rows of its list Service Details. */
const FIELDS = [
	...['baseUrl', 'apiKey', 'accountKind', 'headerForm', 'allowHttp', 'uploadAs', 'serviceDetails'],
	...['sessionToken', 'csrfToken', 'authToken'],
];

/** A credential as n8n keeps it, of one whose details are written as fields, such as `{ statusPath: '…' }`. */
export function savedCredential<T extends object>(written: T): T {
	const isField = ([name]: [string, unknown]) => FIELDS.includes(name);
	const entries = Object.entries(written);
	const rows = entries
		.filter((entry) => !isField(entry))
		.map(([what, value]: [string, unknown]) => ({ what, value }));
	return {
		...Object.fromEntries(entries.filter(isField)),
		...(rows.length > 0 && { serviceDetails: { rows } }),
	} as T;
}
