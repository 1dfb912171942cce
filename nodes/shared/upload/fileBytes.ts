import { reasonOf } from '../output/openFile';
import { unreadableFile } from './fileErrors';
import type { OpenFile } from '../service/request';

/** The bytes of a file; an error while they are read says which file it is. */
export async function* fileBytes({ chunks, name }: OpenFile): AsyncGenerator<Buffer> {
	const iterator = chunks[Symbol.asyncIterator]();
	for (;;) {
		const { done, value } = await iterator.next().catch((error: unknown) => {
			throw unreadableFile(`The file ${name}`, `reading it broke off (${reasonOf(error)})`);
		});
		if (done) return;
		yield value;
	}
}
