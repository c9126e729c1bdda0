import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { InboxItem } from '../../../core/fleet/inbox-item.ts';
import type { Log } from '../../../core/ports.ts';
import type { Handed, Reporter } from '../reporters/reporter.ts';
import { claudeHook } from './claude-hook.ts';
import { answerClaude, type ClaudeState, FRESH_CLAUDE, mapClaudeHook, runningChange } from './map-claude-hook.ts';

export interface ClaudeBridge {
	readonly url: string;
	/** Hands an item of the inbox to Claude Code. */
	onItem(nativeId: string, item: InboxItem): Promise<Handed>;
	close(): Promise<void>;
}

export interface ClaudeBridgeDeps {
	/** Known by the hooks file as well. */
	readonly token: string;
	readonly port: number;
	readonly log: Log;
	readonly newId: () => string;
	/** How often a session whose request waits is said to be still there; a minute when absent. */
	readonly aliveMs?: number;
	reporter(): Reporter;
}

const BODY_MAX = 2_000_000;
const BODY_MS = 2_500;
const ALIVE_MS = 60_000;

/**
 * Takes the hooks of Claude Code on this machine. Every hook is answered at once, except a request for permission: its
 * response waits for a person, while Claude Code's own dialog stays usable and the first answer counts. Whatever goes
 * wrong, the response is an empty object, which lets Claude Code go on by itself.
 */
export async function createClaudeBridge(deps: ClaudeBridgeDeps): Promise<ClaudeBridge> {
	const states = new Map<string, ClaudeState>();
	const waiting = new Map<string, (body: unknown) => void>();

	function take(raw: unknown, response: ServerResponse): void {
		const read = claudeHook.safeParse(raw);
		if (!read.success) {
			respond(response, {});
			return;
		}
		const hook = read.data;
		const mapped = mapClaudeHook(states.get(hook.session_id) ?? FRESH_CLAUDE, hook, deps.newId());
		const before = states.get(hook.session_id)?.open ?? [];
		if (hook.hook_event_name === 'SessionEnd') states.delete(hook.session_id);
		else states.set(hook.session_id, mapped.state);
		// Answered at the terminal, or over: nobody waits for these any more.
		for (const { id } of before) if (!mapped.state.open.some((open) => open.id === id)) waiting.get(id)?.({});
		deps.reporter().report(
			{
				nativeId: hook.session_id,
				...(hook.cwd === undefined ? {} : { directory: hook.cwd.slice(0, 4_096) }),
				...(hook.transcript_path === undefined ? {} : { file: hook.transcript_path.slice(0, 4_096) }),
				...(hook.model === undefined ? {} : { model: hook.model.slice(0, 200) }),
			},
			mapped.reports,
		);
		if (mapped.asked === undefined) {
			respond(response, {});
			return;
		}
		const { id } = mapped.asked;
		waiting.set(id, (body) => {
			waiting.delete(id);
			respond(response, body);
		});
		response.once('close', () => waiting.delete(id));
	}

	const server = createServer((request, response) => {
		response.on('error', () => undefined);
		if (request.headers.authorization !== `Bearer ${deps.token}` || request.method !== 'POST') {
			request.resume();
			response.writeHead(request.method === 'POST' ? 401 : 404).end();
			return;
		}
		void readJson(request)
			.then((raw) => take(raw, response))
			.catch((error: unknown) => {
				deps.log.warn({ err: error }, 'a hook could not be read');
				respond(response, {});
			});
	});
	server.on('error', (error) => deps.log.error({ err: error }, 'the bridge for hooks has trouble'));
	// A person may take a day over an answer.
	server.requestTimeout = 0;
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(deps.port, '127.0.0.1', () => {
			server.off('error', reject);
			resolve();
		});
	});

	// Its connection stands, so it is there; otherwise nothing is known of it between two hooks.
	const alive = setInterval(() => {
		for (const [nativeId, { open }] of states) {
			if (!open.some(({ id }) => waiting.has(id))) continue;
			deps.reporter().report({ nativeId }, [{ kind: 'alive', data: {} }]);
		}
	}, deps.aliveMs ?? ALIVE_MS);
	alive.unref();

	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async onItem(nativeId, item) {
			if (item.kind !== 'answer' || item.ref === undefined || item.answer === undefined) {
				return { ok: false, why: 'Claude Code takes only answers from outside; write at its terminal' };
			}
			const state = states.get(nativeId);
			const answered = state === undefined ? undefined : answerClaude(state, item.ref, item.answer);
			if (answered === undefined) return { ok: false, why: 'the question is not open any more' };
			if (answered.requestId !== undefined) {
				const reply = waiting.get(answered.requestId);
				if (reply === undefined) return { ok: false, why: 'Claude Code does not wait for it any more' };
				reply(answered.response);
			}
			states.set(nativeId, answered.state);
			const change = runningChange(state ?? FRESH_CLAUDE, answered.state.running);
			const closed = { kind: 'question_closed' as const, data: { ref: item.ref, how: 'answered' as const } };
			deps.reporter().report({ nativeId }, [closed, ...change]);
			return { ok: true };
		},
		async close() {
			clearInterval(alive);
			for (const reply of [...waiting.values()]) reply({});
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function respond(response: ServerResponse, body: unknown): void {
	if (response.writableEnded || response.destroyed) return;
	response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
	const timer = setTimeout(() => request.destroy(new Error('the body did not come in time')), BODY_MS);
	try {
		const chunks: Buffer[] = [];
		let size = 0;
		for await (const chunk of request as AsyncIterable<Buffer>) {
			size += chunk.length;
			if (size > BODY_MAX) throw new Error('the body is too big');
			chunks.push(chunk);
		}
		return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
	} finally {
		clearTimeout(timer);
	}
}
