#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { createClaudeBridge } from '../adapters/fleet/claude/claude-bridge.ts';
import { createOpencodeFollower } from '../adapters/fleet/opencode/opencode-follower.ts';
import { createFleetClient } from '../adapters/fleet/reporters/fleet-client.ts';
import { createReporter, type ReporterDeps } from '../adapters/fleet/reporters/reporter.ts';
import { sessionReport } from '../core/fleet/report.ts';
import type { Log, LogFields } from '../core/ports.ts';

const USAGE = `Reports coding-agent sessions of this machine to the house.

  majordomo-report send --session ID --kind KIND [--text TEXT] [--name NAME] [--reason TEXT] [--usd TOTAL] [--source NAME]
  majordomo-report claude-code [--port 7799]
  majordomo-report opencode --server http://127.0.0.1:4096

Environment: MAJORDOMO_URL (address of the house), MAJORDOMO_TOKEN (this machine's token),
OPENCODE_SERVER_PASSWORD where opencode has one.`;

/** A reporter must not hold up what calls it. */
const SEND_MS = 3_000;

const log: Log = (() => {
	const line = (level: string) => (fields: LogFields, message: string) => {
		const problem =
			fields['problem'] ?? fields['problems'] ?? (fields['err'] instanceof Error ? fields['err'].message : '');
		console.error(`${level} ${message}${problem === '' ? '' : `: ${String(problem)}`}`);
	};
	const made: Log = {
		debug: () => undefined,
		info: line('info'),
		warn: line('warn'),
		error: line('error'),
		child: () => made,
	};
	return made;
})();

async function main(): Promise<number> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			session: { type: 'string' },
			kind: { type: 'string' },
			text: { type: 'string' },
			name: { type: 'string' },
			reason: { type: 'string' },
			usd: { type: 'string' },
			source: { type: 'string', default: 'script' },
			port: { type: 'string', default: '7799' },
			server: { type: 'string' },
		},
	});
	const [command] = positionals;
	const { MAJORDOMO_URL: url, MAJORDOMO_TOKEN: token } = process.env;
	if (!['send', 'claude-code', 'opencode'].includes(command ?? '')) {
		console.error(USAGE);
		return 2;
	}
	if (!url || !URL.canParse(url) || !token) {
		console.error('Set MAJORDOMO_URL, such as http://127.0.0.1:8750, and MAJORDOMO_TOKEN.');
		return 2;
	}
	const reporterFor = (source: string, onItem?: ReporterDeps['onItem']) =>
		createReporter({
			client: createFleetClient({ url, token, source }),
			source,
			clock: { now: () => Date.now() },
			log,
			newId: randomUUID,
			...(onItem === undefined ? {} : { onItem }),
		});

	if (command === 'send') {
		const totalUsd = values.usd === undefined ? {} : { totalUsd: Number(values.usd) };
		const { text, reason, session = '', name } = values;
		const data = { ...(text === undefined ? {} : { text }), ...(reason === undefined ? {} : { reason }), ...totalUsd };
		const of = { nativeId: session, directory: process.cwd(), ...(name === undefined ? {} : { name }) };
		const read = sessionReport.safeParse({ eventId: 'x', at: Date.now(), session: of, kind: values.kind, data });
		if (!read.success) {
			console.error(read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'));
			return 2;
		}
		const reporter = reporterFor(values.source);
		reporter.report(of, [{ kind: read.data.kind, data: read.data.data }]);
		const isSent = await reporter.drained(SEND_MS);
		if (!isSent) console.error('not sent: the house did not take it in time');
		await reporter.close();
		return isSent ? 0 : 1;
	}

	const stop = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
	if (command === 'claude-code') {
		const bridge = await createClaudeBridge({
			token,
			port: Number(values.port),
			log,
			newId: randomUUID,
			reporter: () => reporter,
		});
		const reporter = reporterFor('claude-code', (id, item) => bridge.onItem(id, item));
		console.log(`Hooks of Claude Code on ${hostname()} go to ${bridge.url}`);
		await new Promise((resolve) => stop.signal.addEventListener('abort', resolve));
		await bridge.close();
		await reporter.close();
		return 0;
	}
	if (values.server === undefined || !URL.canParse(values.server)) {
		console.error('Name the server: --server http://127.0.0.1:4096');
		return 2;
	}
	const password = process.env['OPENCODE_SERVER_PASSWORD'];
	const follower = createOpencodeFollower({
		url: values.server,
		...(password ? { password } : {}),
		log,
		reporter: () => reporter,
	});
	const reporter = reporterFor('opencode', (id, item, signal) => follower.onItem(id, item, signal));
	console.log(`Sessions of ${values.server} are reported`);
	await follower.run(stop.signal);
	await reporter.close();
	return 0;
}

process.exitCode = await main();
