/** Speaks as much of pi's RPC mode as its keeper needs, and misbehaves when told to by PI_MOOD. */
import { createJsonLines } from '../../adapters/fleet/json-lines.ts';

const mood = process.env['PI_MOOD'] ?? '';
const say = (value: object) => process.stdout.write(`${JSON.stringify(value)}\n`);

if (mood === 'leaves') process.exit(3);
if (mood === 'noise') process.stdout.write('not json\n\u2028{"half":\n[]\n7\n');
const answers: Record<string, (command: Record<string, unknown>) => unknown> = {
	get_state: () => ({
		sessionId: 'native-1',
		sessionFile: '/nowhere/native-1.jsonl',
		model: { id: 'm', provider: 'p' },
		env: process.env,
	}),
	get_available_models: () => ({ models: [{ id: 'm', provider: 'p' }] }),
	get_session_stats: () => ({ cost: 0 }),
	get_messages: () => ({ messages: [{ role: 'user', content: JSON.stringify(process.env) }] }),
};
process.stdin.on(
	'data',
	createJsonLines(
		(value) => {
			const command = value as Record<string, unknown>;
			const type = String(command['type']);
			if (mood === 'mute' || (mood === 'deaf' && type === 'prompt')) return;
			const success = mood !== 'cross' || type !== 'prompt';
			const error = success ? {} : { error: 'No API key' };
			say({ type: 'response', id: command['id'], command: type, success, data: answers[type]?.(command), ...error });
		},
		() => undefined,
	),
);
if (mood === 'stays') {
	process.on('SIGTERM', () => undefined);
	setInterval(() => undefined, 1_000);
} else process.stdin.on('end', () => process.exit(0));
