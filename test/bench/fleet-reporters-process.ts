import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';

/*
 * Reporters on another machine, for the benchmark: `<url> <token> <connections> <sessions a request> <events a session> <requests>`.
 * Prepares every body, says `ready`, sends at the word `go`, and prints how it went.
 */
const [url = '', token = '', ...numbers] = process.argv.slice(2);
const [connections = 1, sessions = 1, perSession = 1, requests = 1] = numbers.map(Number);
const agent = new Agent({ keepAlive: true, maxSockets: connections });
/** What makes a report one kilobyte long on the wire. */
const words = 'the migration of the schema went on and the tests of the store are green again, '.repeat(20);
const EVENT_BYTES = 1_024;

function event(nativeId: string, n: number, kind: string) {
	const make = (text: string) => ({
		eventId: `${nativeId}-${n}`,
		n,
		at: Date.now(),
		session: { nativeId, name: nativeId },
		kind,
		data: { text, toPerson: true },
	});
	return make(words.slice(0, EVENT_BYTES - JSON.stringify(make('')).length));
}

function bodies(connection: number): string[] {
	const ids = Array.from({ length: sessions }, (_, index) => `agent-${connection}-${index}`);
	return Array.from({ length: requests + 1 }, (_, at) => {
		const events = ids.flatMap((id) =>
			Array.from({ length: perSession }, (_, of) =>
				event(id, at * perSession + of + 1, at + of === 0 ? 'started' : 'text'),
			),
		);
		return JSON.stringify({ source: 'script', events });
	});
}

function post(body: string): Promise<void> {
	return new Promise((resolve, reject) => {
		const headers = {
			authorization: `Bearer ${token}`,
			'content-type': 'application/json',
			'content-length': Buffer.byteLength(body),
		};
		const sent = request(`${url}/fleet/events`, { method: 'POST', agent, headers }, (response) => {
			response.resume();
			response.on('end', () =>
				response.statusCode === 200 ? resolve() : reject(new Error(`HTTP ${response.statusCode}`)),
			);
		});
		sent.on('error', reject);
		sent.end(body);
	});
}

const prepared = Array.from({ length: connections }, (_, connection) => bodies(connection));
// The sessions are made before the time begins.
for (const [first] of prepared) await post(first ?? '');
console.log('ready');
createInterface({ input: process.stdin }).once('line', async () => {
	const startedAt = performance.now();
	await Promise.all(
		prepared.map(async ([, ...rest]) => {
			for (const body of rest) await post(body);
		}),
	);
	const ms = performance.now() - startedAt;
	console.log(JSON.stringify({ events: connections * sessions * perSession * requests, ms }));
	process.exit(0);
});
