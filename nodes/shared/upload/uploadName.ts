import type { UploadFormat } from '../spec/music/uploads';

/**
 * The name under which a file is uploaded: its own, with the extension of what it is, since a
 * service may go by that.
 */
export function uploadName(name: string, { extension }: UploadFormat): string {
	const own = name.split(/[\\/]/).pop()?.trim() || 'audio';
	return own.toLowerCase().endsWith(`.${extension}`) ? own : `${own}.${extension}`;
}
