import { isLoopbackHost } from '../../config/required-secrets.ts';
import type { HttpSecrets } from './deps.ts';

/** The server would be open to the network without a password. */
class PublicBindError extends Error {
	override readonly name = 'PublicBindError';
	readonly code = 'public_bind_refused';

	constructor(host: string) {
		super(
			`http.host ${host} is reachable from outside this machine and ADMIN_PASSWORD is not set. Set one, or listen on 127.0.0.1.`,
		);
	}
}

/** Something else listens there already. */
export class PortInUseError extends Error {
	override readonly name = 'PortInUseError';
	readonly code = 'port_in_use';

	constructor(host: string, port: number) {
		super(`${host}:${port} is in use. Stop the other program, or choose another http.port (0 = any free one).`);
	}
}

/** @throws {PublicBindError} when the address is not loopback and nothing guards the pages. */
export function assertBind(host: string, secrets: HttpSecrets): void {
	if (!isLoopbackHost(host) && !secrets.adminPassword) throw new PublicBindError(host);
}
