import { describe, expect, test } from 'vitest';
import { createLog } from '../../../../adapters/observe/log.ts';

function capture(options: Partial<Parameters<typeof createLog>[0]> = {}) {
	const lines: string[] = [];
	const log = createLog({ level: 'debug', ...options, stream: { write: (line) => lines.push(line) } });
	return { log, lines, entries: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('log', () => {
	test('OPS-8 a line is JSON with time, level, message and the ids of its children', () => {
		const { log, entries } = capture({ base: { role: 'bot' } });
		log.child({ correlationId: 'c1' }).child({ room: 'living' }).warn({ waitedMs: 5 }, 'late');
		expect(entries()).toEqual([
			{
				level: 'warn',
				time: expect.stringMatching(/^\d{4}-.*Z$/),
				role: 'bot',
				correlationId: 'c1',
				room: 'living',
				waitedMs: 5,
				msg: 'late',
			},
		]);
	});

	test('OPS-8 lines below the level are not written', () => {
		const { log, lines } = capture({ level: 'warn' });
		log.debug({}, 'a');
		log.info({}, 'b');
		log.error({}, 'c');
		expect(lines).toHaveLength(1);
	});

	test('OPS-8 a secret is found on every way into a line: message, field, child, base, error, nested', () => {
		const secret = 'opensesame';
		const { log, lines } = capture({ secrets: [secret], base: { start: `with ${secret}` } });
		log.info({}, `m ${secret}`);
		log.info({ a: secret, [secret]: 1 }, 'm');
		log.child({ from: secret }).error({ error: new Error(secret, { cause: secret }) }, 'm');
		log.debug({ deep: { list: [{ text: secret }] } }, 'm');
		log.warn({ headers: { authorization: `Bearer ${secret}` } }, 'm');
		expect(lines).toHaveLength(5);
		expect(lines.join('')).not.toContain(secret);
	});

	test('OPS-8 chat text appears at debug only', () => {
		const { log, entries } = capture();
		for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level]({ text: 'hello there' }, 'heard');
		expect(entries().map((entry) => entry['text'])).toEqual(['hello there', ...Array(3).fill('[text, 11 characters]')]);
	});

	test('OPS-8 the readable form carries the same and hides the same', async () => {
		const { log, lines } = capture({ format: 'pretty', secrets: ['opensesame'] });
		log.info({ correlationId: 'c1', note: 'opensesame' }, 'door opened');
		await expect.poll(() => lines.join('')).toMatch(/INFO.*door opened[\s\S]*c1/);
		expect(lines.join('')).not.toContain('opensesame');
	});
});
