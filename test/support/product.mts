import {
	NodeHelpers,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IPollFunctions,
} from 'n8n-workflow';

import { MediaGenApi } from '../../credentials/MediaGenApi.credentials.ts';
import { MediaGenAccount } from '../../nodes/Account/MediaGenAccount.node.ts';
import { MediaGenImage } from '../../nodes/Image/MediaGenImage.node.ts';
import { MediaGenMusic } from '../../nodes/Music/MediaGenMusic.node.ts';
import type { Clock } from '../../nodes/shared/clock/clock.ts';
import { workers } from '../../nodes/shared/durable/round.ts';
import { executeCatalog } from '../../nodes/shared/durable/execute.ts';
import {
	ACCOUNT_CATALOG,
	IMAGE_CATALOG,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from '../../nodes/shared/spec/catalogs.ts';
import { pollTrigger } from '../../nodes/shared/trigger/pollTrigger.ts';
import { MediaGenTrigger } from '../../nodes/Trigger/MediaGenTrigger.node.ts';
import { MediaGenVideo } from '../../nodes/Video/MediaGenVideo.node.ts';

/*
 * The one way from the tests to the product: what n8n does with a node, and nothing else. Only this file and those
 * in test/whiteBox.mts import from `nodes/` and `credentials/`.
 */

export type { Clock };

const TYPES = {
	image: MediaGenImage,
	video: MediaGenVideo,
	music: MediaGenMusic,
	account: MediaGenAccount,
	trigger: MediaGenTrigger,
};

const CATALOGS = {
	image: IMAGE_CATALOG,
	video: VIDEO_CATALOG,
	music: MUSIC_CATALOG,
	account: ACCOUNT_CATALOG,
};

/** Which node; all but the trigger run over items. */
export type Kind = keyof typeof TYPES;
export type ItemKind = keyof typeof CATALOGS;

export const KINDS = Object.keys(TYPES) as Kind[];

const types = new Map<Kind, INodeType>();

/** The node as n8n loads it. */
export function nodeType(kind: Kind): INodeType {
	const type = types.get(kind) ?? new TYPES[kind]();
	types.set(kind, type);
	return type;
}

/** The credential as n8n loads it. */
export const CREDENTIAL = new MediaGenApi();

const completed = new Map<string, string>();

/**
 * The parameters of a saved node as n8n hands them to it: with a default for what is not saved, and without what the
 * form hides.
 */
export function parametersOf(kind: Kind, saved: IDataObject, node: INode): IDataObject {
	const text = JSON.stringify([kind, node.type, saved]);
	const known = completed.get(text);
	if (known !== undefined) return JSON.parse(known) as IDataObject;
	const { description } = nodeType(kind);
	const name = node.type.endsWith('Tool') ? `${description.name}Tool` : description.name;
	const given = NodeHelpers.getNodeParameters(
		description.properties,
		saved as INodeParameters,
		true,
		false,
		node,
		{ ...description, name },
	);
	completed.set(text, JSON.stringify(given));
	return given as IDataObject;
}

/**
 * Runs a node over the items of its context.
 *
 * @throws NodeApiError, NodeOperationError
 */
export const runNode = async (
	kind: ItemKind,
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> => await executeCatalog(context, CATALOGS[kind], clock);

/**
 * A poll of the trigger.
 *
 * @throws NodeApiError, NodeOperationError
 */
export const pollNode = async (
	context: IPollFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][] | null> => await pollTrigger(context, clock);

/** A process of n8n has ended: the next one knows nothing of it. */
export const endProcess = (): void => workers.clear();
