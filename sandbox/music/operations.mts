import type { CreateOperation, Operation } from '../../nodes/shared/spec/types.ts';
import type { SandboxSettings } from '../settings.mts';
import { entryOperation } from './entryOperation.mts';

/** Row of the open points: where music operations are submitted. */
const SUBMIT_PATH = 'musicSubmitPath';

/** Whether it is one of the music studio. */
export function isMusic({ kind, path }: Operation): boolean {
	return kind === 'create' && typeof path !== 'string' && path.openPoint === SUBMIT_PATH;
}

/** Operations that the spec tables know. */
export function tableOperations({ catalogs }: SandboxSettings): CreateOperation[] {
	return catalogs
		.flatMap(({ operations }) => operations)
		.filter((operation): operation is CreateOperation => isMusic(operation));
}

/** Operations that only the live catalog knows. */
export function liveOperations({ musicOperations }: SandboxSettings): CreateOperation[] {
	return musicOperations.map(entryOperation);
}
