/** Of a creation that was about to be sent when n8n was killed. */
export const UNDER_WAY =
	'n8n ended while this job was being created; it may exist, and may have been paid for';
