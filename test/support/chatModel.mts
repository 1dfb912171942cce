import fastify from 'fastify';

interface Question {
	model: string;
	messages: Array<{ role: string; content?: unknown }>;
	tools?: Array<{ function: { name: string } }>;
	stream?: boolean;
}

export interface ChatModel {
	/** Base URL for n8n's OpenAI credential. */
	url: string;
	close(): Promise<void>;
}

/**
 * Stands in for a language model (chat completions, as OpenAI has them): it calls the first tool
 * that it is offered, once, and says what that has answered.
 *
 * @param input what it calls the tool with
 */
export async function startChatModel(input: object): Promise<ChatModel> {
	const app = fastify();
	app.post<{ Body: Question }>('/chat/completions', async ({ body }, reply) => {
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
	return { url, close: async () => await app.close() };
}

function choiceFor({ messages, tools = [] }: Question, input: object) {
	const answers = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
	const name = tools[0]?.function.name;
	if (answers.length > 0 || name === undefined) {
		const content = answers.map(String).join('\n');
		return { message: { role: 'assistant', content }, finish_reason: 'stop' };
	}
	const call = { name, arguments: JSON.stringify(input) };
	const toolCalls = [{ index: 0, id: 'call_1', type: 'function', function: call }];
	return {
		message: { role: 'assistant', content: '', tool_calls: toolCalls },
		finish_reason: 'tool_calls',
	};
}
