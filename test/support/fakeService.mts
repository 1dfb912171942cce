import type { ServiceRequest } from '../../nodes/shared/service/request.ts';
import { sendInTurn, type Service } from '../../nodes/shared/service/service.ts';
import { ServiceError, type Outcome } from '../../nodes/shared/service/serviceError.ts';

/** A service that gives the listed answers in turn, and repeats the last one. Errors are thrown. */
export function fakeService(answers: unknown[], settings: Record<string, string> = {}) {
	const sent: ServiceRequest[] = [];
	const service: Service = {
		baseUrl: 'https://service.example',
		account: 'fake',
		uploadMode: 'multipart',
		path: (openPoint) => settings[openPoint],
		field: (openPoint) => settings[openPoint] || undefined,
		send: async (request, { granted } = {}) => {
			sent.push(request);
			const answer = answers[Math.min(sent.length, answers.length) - 1];
			const give = async () => {
				if (answer instanceof Error) throw answer;
				return answer;
			};
			return granted ? await sendInTurn(granted, give) : await give();
		},
	};
	return { service, sent };
}

export const fault = (outcome: Outcome, status?: number) =>
	new ServiceError({ message: `fault ${status ?? outcome}`, description: '', outcome, status });
