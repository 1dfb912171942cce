import fastify from 'fastify';

interface Question {
	model: string;
	messages: Array<{ role: string; content?: unknown; tool_call_id?: string }>;
	tools?: Array<{ function: Tool }>;
	stream?: boolean;
}

/** A tool as a model is offered it. */
interface Tool {
	name: string;
	/** JSON Schema. */
	parameters: { properties: Record<string, object> };
}

export interface ChatModel {
	/** Base URL for n8n's OpenAI credential. */
	url: string;
	/** What each tool has answered, by name. */
	answers: Record<string, string>;
	close(): Promise<void>;
}

/**
 * Stands in for a language model (chat completions, as OpenAI has them): it calls each tool that it is
 * offered once, and answers with what the tools gave.
 *
 * @param input what it calls each tool with
 */
export async function startChatModel(input: object): Promise<ChatModel> {
	const app = fastify();
	const seen: Pick<ChatModel, 'answers'> = { answers: {} };
	app.post<{ Body: Question }>('/chat/completions', async ({ body }, reply) => {
		seen.answers = answersIn(body);
		const answer = { id: 'chat', created: 0, model: body.model };
		const { message, finish_reason } = choiceFor(body, input);
		const choice = { index: 0, finish_reason };
		if (!body.stream) {
			return { ...answer, object: 'chat.completion', choices: [{ ...choice, message }] };
		}
		const chunk = {
			...answer,
			object: 'chat.completion.chunk',
			choices: [{ ...choice, delta: message }],
		};
		return await reply
			.type('text/event-stream')
			.send(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
	});
	const url = await app.listen({ host: '127.0.0.1', port: 0 });
	return Object.assign(seen, { url, close: async () => await app.close() });
}

/** The identifier of the call to a tool. */
const callOf = (tool: string) => `call_${tool}`;

function answersIn({ messages, tools = [] }: Question): Record<string, string> {
	const answers = messages.filter(({ role }) => role === 'tool');
	const entries = tools.flatMap(({ function: { name } }) => {
		const answer = answers.find(({ tool_call_id: id }) => id === callOf(name));
		return answer ? [[name, String(answer.content)]] : [];
	});
	return Object.fromEntries(entries);
}

function choiceFor(question: Question, input: object) {
	const answers = Object.values(answersIn(question));
	const { tools = [] } = question;
	if (answers.length > 0 || tools.length === 0) {
		const content = answers.join('\n');
		return { message: { role: 'assistant', content }, finish_reason: 'stop' };
	}
	const toolCalls = tools.map(({ function: { name, parameters } }, index) => {
		// A tool that a person has to approve takes its own fields inside `toolParameters`.
		const isGated = 'toolParameters' in parameters.properties;
		const given = isGated ? { toolParameters: input, hitlParameters: {} } : input;
		const call = { name, arguments: JSON.stringify(given) };
		return { index, id: callOf(name), type: 'function', function: call };
	});
	return {
		message: { role: 'assistant', content: '', tool_calls: toolCalls },
		finish_reason: 'tool_calls',
	};
}
