import { z } from 'zod/v3';

import { systemClock } from '../clock/clock';
import { fillPath } from '../request/buildRequest';
import { unwrap } from '../service/bodies';
import { unreadable } from '../service/failures';
import { sendWithRetry } from '../service/retry';
import type { Service } from '../service/service';
import { CATALOG_PATH, OPERATIONS_FIELD } from '../spec/music/catalog';
import { MUSIC_OPERATIONS } from '../spec/music/operations';
import { READ } from '../spec/statuses';
import type { CreateOperation } from '../spec/types';
import { operationEntrySchema, toOperation } from './operationEntry';

/** The operations of the music studio, from the service or from the built-in tables. */
export interface MusicCatalog {
	operations: readonly CreateOperation[];
	/** The answer of the service; `undefined` where the built-in tables serve. */
	live?: unknown;
}

/**
 * Reads the catalog (section "Music catalog") at the path set in the credential; without one the
 * built-in tables serve. Entries that cannot be read are left out, the others are kept.
 *
 * @param language such as `en`, for labels and help
 * @throws ServiceError when the path is set, but gives no catalog
 */
export async function loadCatalog(
	service: Service,
	language: string,
	clock = systemClock,
): Promise<MusicCatalog> {
	const path = service.path(CATALOG_PATH);
	if (path === undefined) return { operations: MUSIC_OPERATIONS };
	const request = { method: 'GET', path: fillPath(path, { language }) } as const;
	const body = await sendWithRetry(service, request, clock);
	const entries = z.array(z.unknown()).safeParse(unwrap(body)?.[OPERATIONS_FIELD]);
	if (!entries.success) throw unreadable(READ, JSON.stringify(body));
	const operations = entries.data.flatMap((entry) => {
		const read = operationEntrySchema.safeParse(entry);
		return read.success ? [toOperation(read.data)] : [];
	});
	return { operations, live: body };
}
