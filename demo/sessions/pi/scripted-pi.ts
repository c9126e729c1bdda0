import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createJsonLines } from '../../../adapters/fleet/json-lines.ts';
import { createPiAgent } from './pi-agent.ts';
import { openPiSession } from './pi-store.ts';

/* Speaks pi's RPC mode on its pipes and plays a small agent, so that sessions can be started where no pi is installed. */

const { values } = parseArgs({
	strict: false,
	allowPositionals: true,
	options: { 'session-dir': { type: 'string' }, session: { type: 'string' } },
});
const write = (value: object) => process.stdout.write(`${JSON.stringify(value)}\n`);
const file = typeof values.session === 'string' ? values.session : undefined;
const folder = typeof values['session-dir'] === 'string' ? values['session-dir'] : '.';
const session = openPiSession({ folder, file, id: randomUUID(), directory: process.cwd() });
const agent = createPiAgent({ session, write, stepMs: Number(process.env.MAJORDOMO_DEMO_STEP_MS ?? 4_000) });

const model = { id: 'scripted', provider: 'demo' };
let name: string | undefined;

type Command = Readonly<Record<string, unknown>>;
const commands: Readonly<Record<string, (command: Command) => unknown>> = {
	get_state: () => ({
		sessionId: session.id,
		sessionFile: session.path,
		...(name === undefined ? {} : { sessionName: name }),
		isStreaming: agent.isRunning(),
		model,
	}),
	get_available_models: () => ({ models: [model] }),
	get_session_stats: () => ({ cost: session.costUsd() }),
	get_messages: () => ({ messages: session.messages() }),
	set_session_name(command) {
		name = String(command['name']);
		return undefined;
	},
	prompt: (command) => agent.prompt(String(command['message']), command['streamingBehavior'] === 'steer'),
	abort: () => agent.abort(),
};

function serve(value: unknown): void {
	const command = value as Command;
	const type = String(command['type']);
	if (type === 'extension_ui_response') {
		agent.answer(command);
		return;
	}
	const run = Object.hasOwn(commands, type) ? commands[type] : undefined;
	const base = { type: 'response', id: command['id'], command: type };
	if (run === undefined) write({ ...base, success: false, error: `unknown command: ${type}` });
	else write({ ...base, success: true, data: run(command) });
}

process.stdin.on(
	'data',
	createJsonLines(serve, () => undefined),
);
process.stdin.on('end', () => process.exit(0));
