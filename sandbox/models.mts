/** Made up: the document does not show the entries of the model listings. */

export const IMAGE_MODELS = [
	{ id: 'sandbox-sketch', name: 'Sandbox Sketch', aspect_ratios: ['1:1'] },
	{ id: 'sandbox-paint', name: 'Sandbox Paint', aspect_ratios: ['1:1', '3:2', '2:3'] },
];

/** With what the document says the entries have: capabilities, ratios, durations, quality modes. */
export const VIDEO_MODELS = [
	{
		id: 'sandbox-reel',
		name: 'Sandbox Reel',
		capabilities: ['text_to_video'],
		aspect_ratios: ['16:9', '9:16'],
		durations: [5],
		quality_modes: ['standard'],
	},
	{
		id: 'sandbox-feature',
		name: 'Sandbox Feature',
		capabilities: ['text_to_video', 'image_to_video', 'video_to_video'],
		aspect_ratios: ['16:9', '9:16', '1:1'],
		durations: [5, 10, 15],
		quality_modes: ['standard', 'pro'],
	},
];
