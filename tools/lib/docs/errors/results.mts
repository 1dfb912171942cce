import type { ErrorEntry, ErrorGroup } from './entry.mts';

const RETRIED = 'The node has tried several times.';

const NOT_DOWNLOADED =
	'Read the job again with _Job > Get Status_ and _Download File_ on, or get the URL in the item with an HTTP Request node.';

const PERMANENT =
	'Open the URL of the item in a browser. If it has expired, read the job again with _Job > Get Status_.';

export const RESULTS: ErrorGroup = {
	title: 'Results and files',
	intro:
		'A file that cannot be downloaded does not make the item fail: the item has the URL and `downloadErrors` with the reason, and a hint says so. Most reasons begin with "The media address".',
	charged: 'The job is paid for, and its result exists. Downloading costs nothing.',
	entries: [
		{
			message: 'Row <number>: <URL> was not downloaded. <reason>',
			means: 'A hint about one file. The reason is one of those below.',
			advice: NOT_DOWNLOADED,
		},
		{
			message:
				'Row <number>: job <job ID> is completed and paid for, but its record has no URL at <field>, also when read again. <what the item has instead> If the result is in another field, enter its path in Options > Result Field. It may also come later: read the job with Job > Get Status and this ID.',
			means:
				'A hint, not an error. The service says that the job is completed, and does not say where the result is. The node has read the record four times. The item has what else the record says as `result`; or the whole record, with _Simplify_ off.',
			charged: 'The job.',
			advice:
				'Look for the result in the item. If it is there, enter its path in _Options > Result Field_. Otherwise read the job with _Job > Get Status_ some minutes later.',
		},
		{
			message:
				'The record has an address without its host at <path>: mediaUrl is what it leads to from the Base URL.',
			means:
				'A hint, not an error. The address begins with `/`: the node has put the scheme and the host of the Base URL before it. Files are downloaded from there without the API key.',
			charged: 'The job.',
			advice:
				'If nothing is found there, ask the service which host its media is on, and put that before the path in `mediaUrl`.',
		},
		{
			message: 'Row <number>: no media URL to download from was found',
			means: "The job's record has no URL, or the URL is where the node does not look.",
			advice:
				'Look at the record (_Options > Simplify_ off). If there is a URL in it, enter its path in _Options > Result Field_.',
		},
		{
			message: 'The media address answered with status <status>',
			means: '403 and 404 often mean that the link has expired. A 5xx is usually temporary.',
			advice: PERMANENT,
		},
		{
			message: 'The media address cannot be reached: <reason>',
			also: ['The media address cannot be reached: the connection was closed'],
			means: `The n8n server cannot connect to the host of the file. ${RETRIED}`,
			advice: 'Check whether the n8n server may connect to that host.',
		},
		{
			message: 'The media address redirects more than <number> times',
			means: 'Perhaps the address leads to a page that asks for a login.',
			advice: PERMANENT,
		},
		{
			message: 'The media address is no http or https address',
			means:
				'The address begins with `data:` or `ftp:`, for example. The node downloads only from http and https addresses.',
			advice: 'Use the URL in another node.',
		},
		{
			message: 'The media address is inside a private network, and the service is not',
			means:
				'The node does not open such addresses, so that a service on the internet cannot make n8n read from your network.',
			advice: 'If you trust the address, get the file with an HTTP Request node.',
		},
		{
			message: 'The media address sent an empty file',
			also: [
				'The media address sent nothing for <number> seconds',
				'The download broke off: <reason>',
			],
			means: `The download was not completed. ${RETRIED}`,
			advice: NOT_DOWNLOADED,
		},
		{
			message: 'The download did not end within <number> minutes',
			means: 'The connection is too slow for this file.',
			advice: NOT_DOWNLOADED,
		},
		{
			message: 'There was no time left to download it',
			means: 'The execution was stopped, or the poll of the trigger had to end.',
			advice: NOT_DOWNLOADED,
		},
		{
			message: 'The file is larger than <number> MB: raise Options > Max File Size',
			means: "The limit keeps files from filling n8n's disk.",
			advice: 'Raise the limit, and read the job again with _Job > Get Status_.',
		},
		{
			message: 'n8n could not store the file: <reason>',
			means: 'The disk or the file storage of n8n is full or not writable.',
			advice: 'Look at the log of n8n.',
		},
		{
			message:
				'At most <number> files of an item are downloaded; left out: <number>. Their URLs are in the item',
			means: 'The job has more files than the node downloads for one item.',
			advice: 'Get the others with an HTTP Request node.',
		},
		{
			message:
				'The record has several URLs that may be the result. mediaUrl is the first, at <path>; details.otherUrls has those at <paths>. To choose another, enter its path in Options > Result Field.',
			means: 'A hint, not an error: nothing tells the node which URL is the result.',
			advice: 'Look at the URLs. If the first is wrong, enter the path of the right one.',
		},
		{
			message:
				'Options > Result Field: no URL was found at <path>. The record has URLs at <paths>.',
			means: 'A hint, not an error: the option names a place that the record does not have.',
			advice: 'Enter one of the paths that the hint names, or remove the option.',
		},
	] satisfies ErrorEntry[],
};
