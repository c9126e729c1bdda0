/**
 * Reports a pi session that was started elsewhere, and brings it what people send. Load it with `-e` or from pi's settings;
 * it reads MAJORDOMO_URL and MAJORDOMO_TOKEN and does nothing without them. Nothing in it throws into pi or holds it up,
 * except a question while nobody has answered it.
 */
import { createHouseLink } from './house-link.ts';
import { type ExtensionHost, registerAskTool } from './pi-ask-tool.ts';

interface Message {
	role: string;
	content?: string | { type: string; text?: string }[];
	stopReason?: string;
	errorMessage?: string;
	usage?: { cost?: { total?: number } };
}

interface Context {
	readonly cwd: string;
	readonly sessionManager: { getSessionId(): string; getSessionFile(): string | undefined };
	readonly model?: { id: string };
	abort(): void;
	shutdown(): void;
}

interface Pi extends ExtensionHost {
	on(event: string, handler: (event: Record<string, unknown>, context: Context) => void | Promise<void>): void;
	getSessionName(): string | undefined;
	sendMessage(
		message: { customType: string; content: string; display: boolean; details: object },
		how: { deliverAs: 'steer' | 'followUp'; triggerTurn: boolean },
	): void;
	sendUserMessage(text: string, how: { deliverAs: 'steer' | 'followUp' }): void;
}

/** Longer than the first waits between pi's own tries. */
const RETRY_GRACE_MS = 15_000;
const LAST_WORDS_MS = 2_000;

const wordsOf = ({ content }: Message): string =>
	typeof content === 'string'
		? content
		: (content ?? [])
				.map((part) => part.text ?? '')
				.join('\n')
				.trim();

export default function reportToHouse(pi: Pi): void {
	const { MAJORDOMO_URL: url, MAJORDOMO_TOKEN: token } = process.env;
	if (!url || !token) {
		registerAskTool(pi);
		return;
	}
	let context: Context | undefined;
	let failing: NodeJS.Timeout | undefined;
	let totalUsd = 0;
	let asked = 0;
	const answers = new Map<string, (text: string) => void>();

	const house = createHouseLink({
		url,
		token,
		source: 'pi-extension',
		session: () => {
			if (context === undefined) return undefined;
			const file = context.sessionManager.getSessionFile();
			const name = pi.getSessionName();
			return {
				nativeId: context.sessionManager.getSessionId(),
				directory: context.cwd,
				pid: process.pid,
				...(file ? { file } : {}),
				...(name ? { name } : {}),
				...(context.model ? { model: context.model.id } : {}),
			};
		},
		take(item) {
			if (item.kind === 'answer') {
				const tell = answers.get(item.ref ?? '');
				if (tell === undefined) return 'the question is not open any more';
				const own = item.answer?.text?.trim();
				tell([...(item.answer?.values ?? []), ...(own ? [own] : [])].join('\n'));
			} else if (item.kind === 'abort') context?.abort();
			else if (item.kind === 'stop') context?.shutdown();
			else if (item.from?.role === 'concierge') {
				const message = { customType: 'relay', content: item.text ?? '', display: true, details: { id: item.id } };
				pi.sendMessage(message, { deliverAs: 'followUp', triggerTurn: true });
			} else {
				pi.sendUserMessage(item.text ?? '', { deliverAs: item.mode === 'interrupt' ? 'steer' : 'followUp' });
			}
			return undefined;
		},
	});

	registerAskTool(pi, async ({ question, context: about, choices = [], multi = false }, signal) => {
		const ref = `ask-${Date.now()}-${++asked}`;
		const kind = choices.length > 0 ? 'choice' : 'text';
		const shown = { ref, kind, text: question, choices, multi, freeText: true, ...(about ? { context: about } : {}) };
		house.report('question', { question: shown });
		return new Promise((resolve) => {
			const done = (text: string | undefined, how: 'answered' | 'closed') => {
				if (!answers.delete(ref)) return;
				house.report('question_closed', { ref, how });
				resolve(text);
			};
			answers.set(ref, (text) => done(text, 'answered'));
			signal.addEventListener('abort', () => done(undefined, 'closed'), { once: true });
		});
	});

	pi.on('session_start', (_event, now) => {
		context = now;
		house.report('started', {});
		house.report('idle', {});
	});
	pi.on('agent_start', (_event, now) => {
		context = now;
		if (failing === undefined) house.report('working', {});
		clearTimeout(failing);
		failing = undefined;
	});
	pi.on('message_end', (event) => {
		const message = event['message'] as Message;
		totalUsd += message.usage?.cost?.total ?? 0;
		const text = wordsOf(message);
		const role = message.role === 'assistant' ? 'agent' : 'person';
		if (text && (message.role === 'assistant' || message.role === 'user')) house.report('text', { role, text });
	});
	pi.on('agent_end', (event) => {
		const last = (event['messages'] as Message[]).findLast(({ role }) => role === 'assistant');
		if (last?.stopReason === 'error') {
			const reason = last.errorMessage ?? 'the model failed';
			clearTimeout(failing);
			failing = setTimeout(() => {
				failing = undefined;
				house.report('failed', { reason, totalUsd });
			}, RETRY_GRACE_MS);
			failing.unref();
			return;
		}
		const text = last === undefined ? '' : wordsOf(last);
		if (last?.stopReason === 'aborted') house.report('aborted', { totalUsd });
		else house.report('finished', { totalUsd, ...(text ? { text } : {}) });
	});
	pi.on('session_shutdown', async () => {
		house.report('ended', { reason: 'pi was closed' });
		await house.close(LAST_WORDS_MS);
	});
}
