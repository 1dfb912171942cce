import { SETTINGS_PLACE } from '../../../../nodes/shared/parameters/names.ts';
import { NOTHING, type ErrorEntry, type ErrorGroup } from './entry.mts';

/** About a field of an operation: its label, its name at the service, the rule, the value. */
const FIELD_RULES: ErrorEntry = {
	message: '<field> (<name>) <rule>, but is <value>',
	also: [
		'<field> is empty',
		'<field> (<name>) <rule>, but has <number>',
		'<field> (<name>) <rule>, but has <number> characters: "<start>…"',
	],
	cases: [
		[
			'is empty, so the service would choose: enter a value, or correct the expression',
			'The expression of this field returns nothing. The node does not drop the field, because you would pay for what the service chooses.',
		],
		[
			'is an expression that returns nothing, so the job would be made without it: correct the expression, or let it return an empty text',
			'The field is for a picture or a video, and you would pay for a job without it. A name in the expression may be wrong: names have capital and small letters. Where some items have no picture on purpose, write `{{ $json.photo ?? "" }}`.',
		],
		['must be true or false', 'This is a switch: an expression must return `true` or `false`.'],
		['must be a text', 'An expression gives a list or an object.'],
		['must be a number', 'The text is not a number.'],
		['must be a whole number', 'No fractions.'],
		['must be between <number> and <number>', 'The bounds are those of the service.'],
		['must be at least <number>', 'The bounds are those of the service.'],
		['must be at most <number>', 'The bounds are those of the service.'],
		['must be in steps of <number>', 'Such as 0.25, not 0.255.'],
		['must be in steps of <number> from <number>', 'Such as 5, 15 or 25 in steps of 10 from 5.'],
		[
			'must be one of <values>',
			'The service knows no other values. An expression gives the value of an option, not its label.',
		],
		['must have at most <number> characters', 'Longer texts are refused by the service.'],
		['must be an identifier', 'The value cannot be part of an address: it is empty, `.` or `..`.'],
		['must be a URL', 'A text that is the address of a file.'],
		[
			'must be a URL or the name of a binary field, such as data',
			'A text: the address of a file, or the name of one that the item has. For a file that you have dragged into the field, enter its name instead, such as `Your_photo`.',
		],
		[
			'must be a URL starting with http(s)://',
			'The service cannot reach files on your machine. Upload the file somewhere first, and enter its URL.',
		],
		['must be a list of URLs', 'URLs, one a line, or an expression that gives a list of them.'],
		['must have at least <number> URLs', 'Too few URLs.'],
		['must have <number> to <number> URLs', 'Too few or too many URLs.'],
		['must be a JSON object', 'Names and values in braces, such as `{"mode": "i2v"}`.'],
		['must have at least one field with a value', 'The operation needs these fields.'],
		['has a field without a name', 'One of the pairs has a value and no name.'],
		[
			'has a field named "<name>": remove the space before or after the name',
			'The service would take it for another field. The space may be one that cannot be seen.',
		],
		[
			'has the field "<name>" more than once: give it once; a list of values comes from an expression, or from JSON',
			'Only one of the values would be sent.',
		],
		[
			'has fields of the same name: give it once; a list of values comes from an expression, or from JSON',
			'An object in the JSON has a name twice, and only one of the values would be sent.',
		],
		[
			'has the number <number>, which would be sent as <number>: put it in quotes, to send a text',
			'The integer has more digits than a number in JavaScript can hold.',
		],
		['has a number that JSON does not have: <number>', 'An expression gives `NaN` or `Infinity`.'],
		['cannot be written as JSON', 'An expression gives a value that is too deep, or has no JSON.'],
		[
			'contains itself: it cannot be written as JSON',
			'An expression gives a value that contains itself.',
		],
		[
			'has a …: it cannot be written as JSON',
			'An expression gives a value with a function or a symbol in it.',
		],
		['has more than <number> levels of JSON', 'Lists and objects stand too deep in one another.'],
		[
			'has an entry that is not a name and a value',
			'An expression for all pairs gives something else than a list of objects with `name` and `value`.',
		],
		[
			'has half of a character, such as of an emoji: cut the text in another place',
			'An expression such as `slice` has cut the text within a character. `[...text].slice(0, 50).join("")` cuts between characters.',
		],
		[
			'must not set <fields>: this operation has a field for it',
			'Remove that name here, and use the field of the form.',
		],
		[
			'is not a field of this operation',
			'A field of another operation was left over, or a name is misspelt.',
		],
		['must be <value> here', 'The operation sets this value itself.'],
		[
			'can be used only when <condition>',
			'The service does not take the field otherwise. Empty it, or change the other field.',
		],
		['is required when <condition>', 'With that choice, the operation needs this field.'],
		['is required, unless you give <field>', 'One of these fields has to be filled in.'],
		['is required together with <field>', 'Each is useless without the other.'],
	],
	means:
		'A value breaks a rule of its field. If several rules are broken, one message lists them all, separated by semicolons.',
	advice:
		'Correct the value. If it is an expression, look at what it gives for the item that the error names. [Reference](reference.md) has the rules of every field.',
};

const OPTION_RULES: ErrorEntry = {
	message: 'Options > <option> <rule>, but is <value>',
	cases: [
		['must be a number of seconds', 'Such as 90.'],
		['must be at least 1 second', 'Shorter is not possible.'],
		['needs the number of a row', 'Rows count from 1, as in the error that names them.'],
		['counts rows from 1', 'The first row is 1.'],
		['needs a prompt', 'To leave a row as it is, remove it from the option.'],
		['must be at most <number> seconds (a year)', 'Longer is not possible.'],
		[
			'must be a number of credits',
			'Such as 500. An expression that gives nothing does not remove the limit.',
		],
		['must be at least 0', 'A limit cannot be negative.'],
		['must be a number of jobs', 'Such as 3.'],
		['must be at least 1', 'One job has to run.'],
		['must be at most <number>', 'The service runs no more jobs of one account at a time.'],
		['must be a number of MB', 'Such as 200.'],
		['must be greater than 0', 'A file has a size.'],
		['must be one of <values>', 'An expression gives the value of an option, not its label.'],
		['must be some of <values>', '_Output Fields_ of a tool has names of these fields alone.'],
		['must be true or false', 'A switch.'],
		['must be a text', 'An expression gives a list or an object.'],
	],
	means: 'An option has a value that it cannot have.',
	advice: 'Correct the option, or remove it to have its default.',
};

export const VALUES: ErrorGroup = {
	title: 'Operation and values',
	intro:
		'The node checks all items before it starts the first job. With _On Error: Continue_, items with wrong values become errors, and the others go on.',
	charged: NOTHING,
	entries: [
		{
			message:
				'<Resource or Operation> is the expression <expression>, and n8n does not evaluate expressions in this field',
			means:
				'These two fields decide what the form looks like, so they cannot differ from item to item.',
			advice:
				'Choose from the list. If items need different operations, use a Switch node with a MediaGen node in each branch.',
		},
		{
			message: '<Resource or Operation> is empty',
			also: ['"<value>" is no resource of this node', '"<value>" is no operation of <resource>'],
			means:
				'The workflow was written by hand or by a program, and names something that the node does not have.',
			advice:
				'Choose from the list. [Reference](reference.md) has the values as they stand in the JSON of a workflow.',
		},
		FIELD_RULES,
		OPTION_RULES,
		{
			message: 'Options must be a collection, but is <value>',
			also: ['Additional Fields must be a collection, but is <value>'],
			means: 'One expression is used for all options, but it does not return an object.',
			advice: 'Set expressions in the single options instead.',
		},
		{
			message: '<switch> must be true or false, but is <value>',
			means:
				'This happens with _Wait for Completion_, _Return All_ or _Download File_ if an expression returns something else.',
			advice: 'Correct the expression.',
		},
		{
			message: 'Limit (<name>) must be a whole number of at least 1, but is <value>',
			means: 'The number of results to return.',
			advice: 'Enter a number, or turn on _Return All_.',
		},
		{
			message: 'Started With must be one of item, <ways>; but is "<value>"',
			means:
				'The node does not know how the job was started, so it cannot tell where to read its state.',
			advice: 'Choose from the list, or leave _As in the Item_.',
		},
		{
			message: 'Operation (operationId) must be one of the catalog: <operations>; but is "<value>"',
			means: 'The live catalog has no such operation.',
			advice: 'Choose from the list.',
		},
		{
			message: 'Source Job ID (source) must be a job of <operations>, but is one of <operation>',
			means: 'The service makes this only from results of certain operations.',
			advice: 'Connect the node after one of those operations, or enter the ID of such a job.',
		},
		{
			message: 'What "<operation>" needs is not documented by the service: <settings>',
			means: 'The documentation of the service does not show the path of this operation.',
			advice: `Ask the service for it, and enter it in ${SETTINGS_PLACE}. [What the service does not document](openPoints.md) lists these settings.`,
		},
		{
			message:
				'"<setting>" in the credential is "<name>", which is another field of this operation',
			means: 'The node would send two values under one name.',
			advice: `Ask the service for the name of the field, and enter it in ${SETTINGS_PLACE}.`,
		},
		{
			message: `The path <path> has no place for the job's identifier`,
			means: 'A status path has to say where the ID of the job goes.',
			charged:
				'Nothing by reading a job. A job that this run has started is paid for; its item has its ID.',
			advice: `Write \`{job_id}\` into the path in ${SETTINGS_PLACE}.`,
		},
		{
			message: '"<value>" is not an identifier',
			means: 'A job ID that is empty, `.` or `..` cannot be part of an address.',
			advice: 'Check the expression of the ID.',
		},
		{
			message:
				'<field> (<name>) must be the name of a binary property of the item or an http(s) URL',
			also: [
				'<field> (<name>) must be the name of a binary property of the item or an http(s) URL, but is "<text>"',
				'<field> (<name>) must be the name of a binary property of the item or an http(s) URL, but the item has no "<name>"; it has <others>',
			],
			means: 'The item has no file with this name, and the name is not a URL.',
			advice:
				'Enter the name of the binary property as the input panel shows it, such as `data`, or a URL.',
		},
		{
			message: '<field> (<name>) must be an image, but the file "<file>" is empty',
			also: ['<field> (<name>) must be an image, but the file "<file>" is not one, by its content'],
			means:
				'The node looks at the content of the file, not at its name. It may be a page that says that the picture was not found. The same is checked of videos.',
			advice: 'Look at the node that made the file.',
		},
		{
			message:
				'<field> (<name>) cannot be the file "<file>": this n8n keeps files in memory, where they have no address. Set N8N_DEFAULT_BINARY_DATA_MODE=filesystem and start n8n again. Or upload the file to a public host before this node, and enter its URL',
			means:
				'The service fetches pictures and videos by their address. n8n gives a file one only if it keeps it on disk, in its database or in an object store.',
			advice: 'See [Your own pictures and videos](videoNode.md#your-own-pictures-and-videos).',
		},
		{
			message:
				'<field> (<name>) cannot be the file "<file>": the service would fetch it from this n8n, whose address is <address>, and cannot reach that. Set WEBHOOK_URL to the address that n8n has on the internet, and start n8n again. Or upload the file to a public host before this node, and enter its URL',
			means:
				'The address of this n8n is inside a private network, such as `http://localhost:5678`.',
			advice: 'See [Your own pictures and videos](videoNode.md#your-own-pictures-and-videos).',
		},
		{
			message: "The file <file> is no longer in n8n's store (<reason>)",
			means: 'The file was deleted after the node had begun: for example with its execution.',
			advice: 'Run the node that made the file again.',
		},
		{
			message:
				'<field> (<name>) must not be inside a private network, but is "<URL>": n8n fetches files from there only while the Base URL is in one, too. Download it in a node before this one, and use its binary property here',
			means:
				'The address is in the network of the n8n server. The node does not fetch it, so that nobody outside can use n8n to read from that network.',
			advice: 'Get the file with an HTTP Request node, and enter the name of its binary property.',
		},
		{
			message: '<field> (<name>) cannot be read from "<name>": <reason>',
			means: 'n8n cannot read the file, for example because it was deleted.',
			advice: 'Run the node that made the file again.',
		},
		{
			message: '<field> (<name>) must be an audio file, but "<file>" is empty',
			means: 'The file has no content.',
			advice: 'Look at the node that made it.',
		},
		{
			message: '<field> (<name>) must be an MP3 or WAV file, but the content of "<file>" is <type>',
			means: 'The node checks the content of the file, not its name.',
			advice: 'Convert the file.',
		},
		{
			message:
				'<field> (<name>) must not be longer than <number> minutes (<number> seconds), but "<file>" has <number> seconds',
			means: 'The service does not accept longer files.',
			advice: 'Shorten the file.',
		},
	],
};
