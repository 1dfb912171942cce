/** Uploaded audio files (sections "Music catalog" and "Limits"). */

/** A format of files that the service takes. */
export interface UploadFormat {
	label: string;
	/** MIME type. */
	mime: string;
	/** Of file names, without the dot. */
	extension: string;
}

export const UPLOAD_FORMATS: readonly UploadFormat[] = [
	{ label: 'MP3', mime: 'audio/mpeg', extension: 'mp3' },
	{ label: 'WAV', mime: 'audio/wav', extension: 'wav' },
];

/** "Up to 8 minutes", in whole seconds: encoders add a fraction of one. */
export const MAX_UPLOAD_SECONDS = 480;

/** How a file travels is not shown; the first is taken unless the credential says otherwise. */
export const UPLOAD_MODES = [
	{
		value: 'multipart',
		label: 'Multipart Form',
		description: 'The file itself, in a form with the other fields as text',
	},
	{
		value: 'url',
		label: 'JSON with URL',
		description: 'The address of the file as a JSON text; the service fetches it',
	},
	{
		value: 'base64',
		label: 'JSON with Base64',
		description: 'The file itself as a JSON text in base64; it is held in memory',
	},
] as const;

export type UploadMode = (typeof UPLOAD_MODES)[number]['value'];

/** The credential's property that says how a file travels. */
export const UPLOAD_SETTING = { name: 'uploadAs', label: 'Upload Files As' } as const;
