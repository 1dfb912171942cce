import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { openSandbox } from './harness.mts';

type Values = Readonly<Record<string, unknown>>;
type MusicShape = NonNullable<NonNullable<SandboxSettingsInput['shapes']>['music']>;

/** A take as the shape `nested` has it. */
export interface ShownTake {
	audio_id: string;
	audio_url: string;
	title: string;
	duration: number;
}

/** A sandbox whose files travel as URLs, unless the settings say otherwise. */
export async function openMusic(music: MusicShape = {}, settings: SandboxSettingsInput = {}) {
	const shapes = { ...settings.shapes, music: { upload: 'url' as const, ...music } };
	const opened = await openSandbox({ mediaBase: 'https://cdn.example', ...settings, shapes });
	const submit = (operation: string, body: Values) =>
		opened.post(`/open/music/${operation}/`, body);
	const status = (id: string) => opened.get(`/open/music/status/${id}/`);
	return {
		...opened,
		submit,
		status,
		/** Submits an operation and waits until it is completed. */
		make: async (operation: string, body: Values) => {
			const { body: created } = await submit(operation, body);
			const id: string = created.data?.generation_id ?? fail(operation, created);
			await opened.clock.advance(5000);
			const { body: record } = await status(id);
			const { tracks, stems } = record.result ?? {};
			return { id, record, takes: (tracks ?? stems ?? []) as ShownTake[] };
		},
	};
}

function fail(operation: string, answer: unknown): never {
	throw new Error(`${operation} was refused: ${JSON.stringify(answer)}`);
}
