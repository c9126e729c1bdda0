import { WebSocket } from 'ws';

type Json = Readonly<Record<string, unknown>>;

const clientId = 'http://127.0.0.1/';
const deadlineMs = 60_000;

/** The owner's access to a Home Assistant under test, through its own public interfaces. */
export interface RealHomeClient {
	/** One WebSocket command with its own login; rejects with Home Assistant's message when it fails. */
	command(message: Json): Promise<unknown>;
	state(entityId: string): Promise<{ readonly state: string; readonly attributes: Json } | undefined>;
	states(): Promise<readonly { readonly entity_id: string; readonly state: string; readonly attributes: Json }[]>;
	callService(domain: string, service: string, data: Json): Promise<void>;
	/** Whether all integrations are loaded. */
	isRunning(): Promise<boolean>;
}

/** Creates the owner of a fresh Home Assistant and logs in as that owner. */
export async function onboardRealHome(url: string): Promise<RealHomeClient> {
	const user = {
		name: 'Owner',
		username: 'owner',
		password: 'only-for-this-test',
		language: 'en',
		client_id: clientId,
	};
	const created = await requestJson(`${url}/api/onboarding/users`, { json: user });
	const form = { grant_type: 'authorization_code', code: String(created['auth_code']), client_id: clientId };
	const login = await requestJson(`${url}/auth/token`, { form });
	const accessToken = String(login['access_token']);
	const authorization = `Bearer ${accessToken}`;

	async function get(path: string): Promise<Response> {
		return fetch(url + path, { headers: { authorization }, signal: AbortSignal.timeout(deadlineMs) });
	}

	return {
		command: (message) => sendCommand(url, accessToken, message),
		async state(entityId) {
			const response = await get(`/api/states/${entityId}`);
			return response.status === 404 ? undefined : ((await response.json()) as { state: string; attributes: Json });
		},
		async states() {
			return (await (await get('/api/states')).json()) as { entity_id: string; state: string; attributes: Json }[];
		},
		async callService(domain, service, data) {
			await requestJson(`${url}/api/services/${domain}/${service}`, { json: data, authorization });
		},
		async isRunning() {
			const config = (await (await get('/api/config')).json()) as Json;
			return config['state'] === 'RUNNING';
		},
	};
}

interface Body {
	readonly json?: Json;
	readonly form?: Record<string, string>;
	readonly authorization?: string;
}

async function requestJson(url: string, { json, form, authorization }: Body): Promise<Json> {
	const response = await fetch(url, {
		method: 'POST',
		headers: {
			...(json && { 'content-type': 'application/json' }),
			...(authorization !== undefined && { authorization }),
		},
		body: json ? JSON.stringify(json) : new URLSearchParams(form),
		signal: AbortSignal.timeout(deadlineMs),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${new URL(url).pathname} answered ${response.status}: ${text.slice(0, 200)}`);
	return JSON.parse(text) as Json;
}

function sendCommand(url: string, accessToken: string, message: Json): Promise<unknown> {
	const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/websocket`);
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => reject(new Error(`no answer to ${String(message['type'])}`)), deadlineMs);
		socket.on('error', reject);
		socket.on('close', () => reject(new Error('closed before the answer')));
		socket.on('message', (raw) => {
			const answer = JSON.parse(String(raw)) as Json;
			if (answer['type'] === 'auth_required') socket.send(JSON.stringify({ type: 'auth', access_token: accessToken }));
			if (answer['type'] === 'auth_ok') socket.send(JSON.stringify({ id: 1, ...message }));
			if (answer['type'] === 'auth_invalid') reject(new Error('the owner is refused'));
			if (answer['type'] !== 'result') return;
			clearTimeout(timer);
			if (answer['success'] === true) resolve(answer['result']);
			else reject(new Error(JSON.stringify(answer['error'])));
		});
	}).finally(() => socket.terminate());
}
