/** Requests as the document has them: one that is accepted, by family and mode. */

export const IMAGE_URL = 'https://media.example/first.png';
export const VIDEO_URL = 'https://media.example/clip.mp4';

export interface VideoRequest {
	/** `resource.operation`. */
	operation: string;
	path: string;
	body: Readonly<Record<string, unknown>>;
	/** What it costs. */
	credits: number;
}

const prompt = 'a kite over the dunes';

const standard: VideoRequest = {
	operation: 'standardVideo.generate',
	path: '/api/v1/generate/video/',
	body: {
		prompt,
		video_model: 'modelA_fast',
		aspect_ratio: '9:16',
		prompt_directory_optin: false,
	},
	credits: 150,
};

const vidA31: VideoRequest = {
	operation: 'vidA31.generate',
	path: '/vidA31/api/generate/',
	body: { prompt, model: 'modelA_fast', aspectRatio: '16:9' },
	credits: 100,
};

const vidB30: VideoRequest = {
	operation: 'vidB30.generate',
	path: '/vidB30/api/generate/',
	body: {
		prompt,
		generationMode: 'text_to_video',
		durationSeconds: 5,
		qualityMode: 'pro',
		sound: false,
		multiShots: false,
		aspectRatio: '16:9',
	},
	credits: 135,
};

const vidB26: VideoRequest = {
	operation: 'vidB26.textToVideo',
	path: '/vidB26/api/generate/',
	body: { prompt, generationMode: 'text_to_video', duration: '5', aspectRatio: '1:1' },
	credits: 55,
};

const vidB26Image: VideoRequest = {
	...vidB26,
	operation: 'vidB26.imageToVideo',
	body: { ...vidB26.body, generationMode: 'image_to_video', imageUrls: [IMAGE_URL] },
};

const vidC: VideoRequest = {
	operation: 'vidC.textToVideo',
	path: '/api/v1/vidC/generate/text-to-video/',
	body: { prompt, aspect_ratio: 'portrait', quality: 'high' },
	credits: 80,
};

/** Neither its path nor its fields are shown. */
const vidCImage: VideoRequest = {
	operation: 'vidC.imageToVideo',
	path: '/open/vidCImagePath/',
	body: { pictures: [IMAGE_URL] },
	credits: 80,
};

const vidD: VideoRequest = {
	operation: 'vidD.generate',
	path: '/vidD/generate/',
	body: {
		prompt,
		aspect_ratio: '16:9',
		resolution: '720p',
		duration: '8',
		generate_audio: true,
	},
	credits: 56,
};

const vidE26: VideoRequest = {
	operation: 'vidE26.textToVideo',
	path: '/vidE26/generate/',
	body: { prompt, mode: 'text-to-video', duration: '10', resolution: '1080p' },
	credits: 210,
};

const vidE26Image: VideoRequest = {
	...vidE26,
	operation: 'vidE26.imageToVideo',
	body: { ...vidE26.body, mode: 'image-to-video', image_url: IMAGE_URL },
};

const vidE26Video: VideoRequest = {
	...vidE26,
	operation: 'vidE26.videoToVideo',
	body: { ...vidE26.body, mode: 'video-to-video', video_url: VIDEO_URL },
};

/** Neither path nor fields are shown; the sandbox cannot tell the modes apart. */
const vidE: VideoRequest = {
	operation: 'vidE.generate',
	path: '/open/vidEPath/',
	body: { mode: 'r2v', input: { text: prompt, references: [IMAGE_URL] } },
	credits: 8,
};

const videoStudio: VideoRequest = {
	operation: 'videoStudio.generate',
	path: '/api/v1/video-studio/generate/',
	body: { model: 'sandbox-reel', prompt, seconds: 5 },
	credits: 8,
};

export const VIDEO_REQUESTS = {
	standard,
	vidA31,
	vidB30,
	vidB26,
	vidB26Image,
	vidC,
	vidCImage,
	vidD,
	vidE26,
	vidE26Image,
	vidE26Video,
	vidE,
	videoStudio,
};
