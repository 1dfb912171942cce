import axios from 'axios';

/** The file at an address. */
export async function bytesAt(url: string): Promise<Buffer> {
	const { data } = await axios.get(url, { responseType: 'arraybuffer', proxy: false });
	return Buffer.from(data);
}
