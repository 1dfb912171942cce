import { randomUUID } from 'node:crypto';

import axios from 'axios';

import type { Credential, SavedWorkflow } from '../../tools/lib/n8nClient.mts';
import { submitForm } from './formPages.mts';
import type { SharedN8n } from './sharedN8n.mts';

/** A form that takes a photo, and a node that makes a video from it, without anybody uploading the photo. */

/** The start of a PNG, and text that tells it from others. */
export const PHOTO = Buffer.from(`\x89PNG\r\n\x1a\n${'seaside'.repeat(200)}`, 'latin1');

export const photo = (bytes: Buffer = PHOTO): File =>
	new File([new Uint8Array(bytes)], 'beach.png', { type: 'image/png' });

interface Given {
	file?: File | File[];
	parameters?: object;
	credential?: Credential;
}

/** Saves the workflow, and fills in its form; the video node is called "MediaGen". */
export async function submitPhoto(n8n: SharedN8n, given: Given = {}): Promise<SavedWorkflow> {
	const { file = photo(), parameters, credential = n8n.credential } = given;
	const { id, name } = credential;
	const workflow = await n8n.client.createWorkflow({
		name: randomUUID(),
		nodes: [
			{
				name: 'Form',
				type: 'n8n-nodes-base.formTrigger',
				typeVersion: 2.3,
				parameters: {
					formTitle: 'Photo',
					formFields: {
						values: [
							{
								fieldLabel: 'Photo',
								fieldType: 'file',
								multipleFiles: Array.isArray(file),
								requiredField: true,
							},
						],
					},
				},
				webhookId: randomUUID(),
			},
			{
				name: 'MediaGen',
				type: 'n8n-nodes-mediagen.mediaGenVideo',
				typeVersion: 1,
				credentials: { mediaGenApi: { id, name } },
				parameters: {
					resource: 'vidA31',
					operation: 'generate',
					prompt: 'The waves come in',
					model: 'modelA_fast',
					aspectRatio: '16:9',
					imageUrls: 'Photo',
					...parameters,
				},
			},
		],
		connections: { Form: { main: [[{ node: 'MediaGen', type: 'main', index: 0 }]] } },
	});
	await submitForm(n8n, workflow, 'Form', [file]);
	return workflow;
}

/** The addresses of photos that the service was sent. */
export function addressesSent({ sandbox }: SharedN8n): string[] {
	return sandbox.jobs.flatMap(({ body }) => body.imageUrls as string[]);
}

/** What the service gets at an address, without a login. */
export async function fetched(address: string) {
	const answer = await axios.get(address, {
		responseType: 'arraybuffer',
		proxy: false,
		validateStatus: () => true,
	});
	const { data, status, headers } = answer;
	return { status, type: headers['content-type'], bytes: Buffer.from(data) };
}
