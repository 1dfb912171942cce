import { UPLOAD_SETTING } from '../../../nodes/shared/spec/music/fields.ts';
import { OPEN_POINTS, type ServiceDetail } from '../../../nodes/shared/spec/openPoints.ts';

/** What a person reads about an open point. */
interface OpenPointText {
	/** What is not shown. */
	open: string;
	/** What we do. */
	policy: string;
}

/** An open point about an answer, a request or a price, with all that changes what we do. */
export interface OtherPoint extends OpenPointText {
	/** Credential setting for a field. */
	field?: ServiceDetail;
	/** Another property of the credential, by its label. */
	credential?: string;
	/** Name of an option of the node. */
	option?: string;
}

/** Paths of which more is to be said than of those of a family. */
const PATHS: Readonly<Record<string, OpenPointText>> = {
	musicSubmitPath: {
		open: 'Path that submits a music operation',
		policy: 'The operations end with an error before any request',
	},
	musicStatusPath: {
		open: 'Status path of Music',
		policy:
			'The node outputs the job with its identifier, and does not wait for it, unless the answer has a link to its status',
	},
	musicCatalogPath: {
		open: 'Path of the music catalog, and how its language is asked for',
		policy:
			'Catalog > Get ends with an error before any request. If the path takes a language, write {language} there',
	},
};

/** What we do where no status path is set: we try other places (`STATUS_LADDER`). */
const SEARCHED =
	'The node looks for the job where the service documents a status of any generation, and in the two histories. What answers with this very job is taken, and later jobs are read there. If nothing does, the node outputs the job with its identifier, and says what was tried';

/** What is to be said of a path that is not shown. */
export function pathText({ name, label, family }: ServiceDetail): OpenPointText {
	const own = PATHS[name];
	if (own) return own;
	if (family) return { open: label.replace('Status Path:', 'Status path of'), policy: SEARCHED };
	return {
		open: label.replace('Path:', 'Path of'),
		policy: 'The operation ends with an error before any request',
	};
}

/** The open points that are not paths. */
export const OTHER_POINTS: readonly OtherPoint[] = [
	{
		open: 'Name of the job identifier, if the answer to a started job is not documented',
		policy:
			'The node first looks for the name that the status path uses, then for the field that the credential names, then for generation_id, task_id, job_id and id, at the top level or in data. If an answer has none of them, the error shows the whole answer',
		field: OPEN_POINTS.identifier,
	},
	{
		open: 'Field that holds the state, if the record of a job is not documented',
		policy:
			'The node takes the field that the credential names. If the credential names none, the node takes the text field that holds one of the four states, in upper or lower case, at the top level or in data. It prefers fields called status or state. A job in an unknown state counts as not finished',
		field: OPEN_POINTS.state,
	},
	{
		open: 'Field of the result URL (image record and others)',
		policy:
			'The node takes what is in the field that the credential names. If the credential names none, the node collects every http(s) URL in the finished record that was not in the request. URLs whose file name or field fits the type of media come first. URLs in one list, such as takes, belong together. If nothing tells several URLs apart, mediaUrl is the first one, and a hint says so. In a field that is documented or named, an address that begins with / counts from the Base URL. The item of a completed record without any URL has what else it says, with a warning',
		field: OPEN_POINTS.resultUrls,
		option: 'resultField',
	},
	{
		open: 'Body of histories, transactions and model listings',
		policy:
			'If the body is an array, or contains exactly one, the entries become items. Any other body is one item. When the generation history says that a job has ended, a node that waits for the job reads its status at once. MediaGen Trigger takes the result from the history entry if it is there, and otherwise reads the status of the job. It leaves out entries without an identifier or a state',
	},
	{
		open: 'Answer to PUT /api/profile/',
		policy: 'The answer becomes the item. If the answer has no body, the item has its status',
	},
	{
		open: 'Answer to one generation too many at a time, and whether it differs from the answer to too many requests',
		policy:
			'A 429 to a request that starts a job may mean either. The node sends that request again later. Until then, it has no more jobs running than at the time of the 429, and goes on checking those. It waits as long as the header Retry-After says, if there is one. Any other answer that refuses the job is an error of its item',
	},
	{
		open: 'Callbacks of image jobs: when they are sent, what they contain, and how to register an address',
		policy:
			'The nodes do not use them. A node that waits for a job asks for its status, and MediaGen Trigger asks which jobs have ended',
	},
	{
		open: 'How a request names the music operation',
		policy:
			'If Path: Music Operation in the credential has {operation}, the ID of the operation, such as upload_cover, takes its place. If not, the node sends the ID in the body, as operation or under the name in the credential',
		field: OPEN_POINTS.musicOperation,
	},
	{
		open: 'How to name the earlier job that an operation works on, if the operation has no field for it',
		policy:
			'The node sends it as source, the name that replace_section and stems use, or under the name in the credential',
		field: OPEN_POINTS.musicSource,
	},
	{
		open: 'Result record of music operations',
		policy:
			'The result URLs become takes, with the audio_id or id of the object that each is in. The rest of the record becomes result',
	},
	{
		open: 'How an uploaded file is sent',
		policy:
			'The node sends it as a multipart form, with the other fields as text. In the credential, you can choose JSON with a URL or with Base64',
		credential: UPLOAD_SETTING.label,
	},
	{
		open: 'Fields of voice_generate after singer_skill_level, and operations listed after it',
		policy: 'Catalog > Other Operation runs any operation, with any fields',
	},
	{
		open: 'Which endpoints are legacy, and which image models the unified and the legacy set have',
		policy:
			'The nodes use every documented endpoint. The service keeps older ones as legacy; for how long is not documented. Model > Get Many lists the image models',
	},
	{
		open: 'Price of POST /api/v1/image/generate',
		policy: 'There is no estimate. creditsUsed is what the answer says',
	},
	{
		open: 'Discount of family B 3.0 for prompt_directory_optin',
		policy: 'Estimates leave the discount out, and say that they are not exact',
	},
	{
		open: 'Whether image-to-video in family C takes prompt_directory_optin, as text-to-video does',
		policy:
			'Estimates have the documented price, without a discount. creditsUsed is what the job has cost',
	},
	{
		open: 'Value of qualityMode that names the standard tier of family B 3.0',
		policy:
			'Estimates for every value except pro have the price of pro, and say that they are not exact',
	},
	{
		open: 'Request fields of Video Studio, of image-to-video in families B 3.0 and C, and of family E',
		policy: 'You enter them as JSON. The node sends them unchanged',
	},
];
