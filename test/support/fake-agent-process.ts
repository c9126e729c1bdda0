/**
 * A small coding agent that speaks pi's RPC mode: it keeps a session file, asks when told to `ask`, works until aborted when told
 * to `work`, and does anything else at once. Its process id goes into `pids` beside the session files.
 */
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createJsonLines } from '../../adapters/fleet/json-lines.ts';

interface Said {
	readonly role: string;
	readonly content: { readonly type: 'text'; readonly text: string }[];
	readonly stopReason?: string;
}

const option = (name: string) => process.argv[process.argv.indexOf(name) + 1] ?? '';
const folder = option('--session-dir');
const given = process.argv.includes('--session') ? option('--session') : undefined;
const isKept = given !== undefined && existsSync(given);
const lines = isKept ? readFileSync(given, 'utf8').trim().split('\n') : [];
const id = isKept ? (JSON.parse(lines[0] ?? '{}') as { id: string }).id : randomUUID();
const file = given ?? join(folder, `${id}.jsonl`);
const messages = lines.slice(1).map((line) => (JSON.parse(line) as { message: Said }).message);
let name: string | undefined;
let running: string | undefined;
let dialog: string | undefined;
const queue: string[] = [];

appendFileSync(join(folder, 'pids'), `${process.pid}\n`);

const say = (value: object) => process.stdout.write(`${JSON.stringify(value)}\n`);
const said = (role: string, text: string, more: object = {}): Said => ({
	role,
	content: [{ type: 'text', text }],
	...more,
});

function keep(message: Said): void {
	messages.push(message);
	say({ type: 'message_end', message });
	const header = { type: 'session', version: 3, id, timestamp: new Date().toISOString(), cwd: process.cwd() };
	const kept = messages.map((each) => ({ type: 'message', message: each }));
	// Like pi: nothing is written before the first answer.
	if (messages.some(({ role }) => role === 'assistant'))
		writeFileSync(file, `${[header, ...kept].map((line) => JSON.stringify(line)).join('\n')}\n`);
}

function begin(text: string): void {
	running = text;
	say({ type: 'agent_start' });
	keep(said('user', text));
	if (text.startsWith('ask')) {
		dialog = randomUUID();
		const question = 'Which schema should I use?';
		const options = ['v1 (keep)', 'v2 (migrate)'];
		const args = { question, choices: options.map((label) => ({ label })) };
		say({ type: 'tool_execution_start', toolCallId: dialog, toolName: 'ask_person', args });
		say({ type: 'extension_ui_request', id: dialog, method: 'select', title: question, options });
		return;
	}
	if (!text.startsWith('work')) end(said('assistant', `did: ${text}`));
}

function end(last: Said): void {
	running = undefined;
	dialog = undefined;
	keep(last);
	say({ type: 'agent_end', messages: [last] });
	const next = queue.shift();
	if (next !== undefined) begin(next);
}

const commands: Record<string, (command: Record<string, unknown>) => unknown> = {
	get_state: () => ({
		sessionId: id,
		sessionFile: file,
		sessionName: name,
		isStreaming: running !== undefined,
		model: { id: 'm', provider: 'p' },
	}),
	get_available_models: () => ({ models: [{ id: 'm', provider: 'p' }] }),
	get_session_stats: () => ({ cost: messages.filter(({ role }) => role === 'assistant').length / 100 }),
	get_messages: () => ({ messages }),
	set_session_name(command) {
		name = String(command['name']);
		say({ type: 'session_info_changed', name });
	},
	prompt(command) {
		const text = String(command['message']);
		if (running === undefined) setImmediate(() => begin(text));
		else queue.push(text);
	},
	abort() {
		if (running !== undefined) end(said('assistant', 'stopped half-way', { stopReason: 'aborted' }));
	},
};

process.stdin.on(
	'data',
	createJsonLines(
		(value) => {
			const command = value as Record<string, unknown>;
			const type = String(command['type']);
			if (type === 'extension_ui_response') {
				if (command['id'] !== dialog || command['cancelled'] === true) return;
				say({ type: 'tool_execution_end', toolCallId: dialog, toolName: 'ask_person' });
				end(said('assistant', `took ${String(command['value'])}`));
				return;
			}
			const data = commands[type]?.(command);
			say({ type: 'response', id: command['id'], command: type, success: true, data });
		},
		() => undefined,
	),
);
process.stdin.on('end', () => process.exit(0));
