import { mkdir } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { untilAborted } from '../until-aborted.ts';
import { childEnv } from './child-env.ts';
import type { PiDeps } from './pi-deps.ts';
import { createPiSession, type PiSession, type PiStateAnswer } from './pi-session.ts';

export interface LaunchWish {
	/** Checked already. */
	readonly directory: string;
	readonly model?: string;
	readonly file?: string;
	/** Id that a resumed session must have. */
	readonly nativeId?: string;
}

export type Launched =
	| { readonly kind: 'ready'; readonly session: PiSession; readonly state: PiStateAnswer }
	| { readonly kind: 'failed'; readonly code: 'not_installed' | 'not_ready' | 'no_such_file'; readonly why: string };

const MODEL_NAME = /^[A-Za-z0-9][\w./:@+-]{0,199}$/;
// Compiled, it is a .js file beside the compiled reporters.
const ASK_TOOL_FILE = fileURLToPath(new URL(`../reporters/pi-ask-tool${extname(import.meta.url)}`, import.meta.url));

/** Starts pi and waits until it answers; whatever goes wrong, nothing of it is left running. */
export async function launchPi(
	deps: PiDeps,
	wish: LaunchWish,
	endGraceMs: number,
	signal: AbortSignal,
): Promise<Launched> {
	const { settings } = deps;
	if (wish.model !== undefined && !MODEL_NAME.test(wish.model)) {
		return { kind: 'failed', code: 'not_ready', why: 'that is no name of a model' };
	}
	try {
		await mkdir(deps.sessionsDir, { recursive: true });
	} catch (error) {
		deps.log.warn({ err: error }, 'the folder for session files could not be made');
		return { kind: 'failed', code: 'not_ready', why: 'the folder for session files could not be made' };
	}
	const model = wish.model ?? settings.model;
	const args = ['--mode', 'rpc', '--session-dir', deps.sessionsDir, '--no-extensions', '-e', ASK_TOOL_FILE];
	if (settings.provider !== undefined && !model?.includes('/')) args.push('--provider', settings.provider);
	if (model !== undefined) args.push('--model', model);
	if (wish.file !== undefined) args.push('--session', wish.file);

	let session: PiSession;
	try {
		session = createPiSession({ command: settings.command, args, directory: wish.directory, env: childEnv(deps.env) });
	} catch (error) {
		deps.log.warn({ err: error }, 'pi could not be started');
		return { kind: 'failed', code: 'not_installed', why: 'pi could not be started' };
	}
	const fail = async (code: 'not_installed' | 'not_ready' | 'no_such_file', why: string): Promise<Launched> => {
		await session.end(endGraceMs);
		return { kind: 'failed', code, why };
	};
	const state = await untilAborted(session.ready(settings.readyTimeoutMs), signal, undefined);
	if (signal.aborted) return fail('not_ready', 'the start was called off');
	if (state === undefined) {
		const gone = await Promise.race([session.process.exit, Promise.resolve(undefined)]);
		if (gone?.startError?.code === 'ENOENT' || gone?.startError?.code === 'EACCES') {
			return fail('not_installed', `${settings.command} was not found or may not be run`);
		}
		deps.log.warn({ said: gone?.said, code: gone?.code }, 'pi did not become ready');
		return fail(
			'not_ready',
			gone === undefined ? 'pi did not answer in time' : `pi ended with ${gone.code ?? gone.signal}`,
		);
	}
	if (wish.nativeId !== undefined && state.sessionId !== wish.nativeId) {
		return fail('no_such_file', 'pi opened another session than the one in the file');
	}
	const missing = await missingModel(session, state, model);
	return missing === undefined ? { kind: 'ready', session, state } : fail('not_ready', missing);
}

/** pi takes any name of a model and fails with it later. */
async function missingModel(
	session: PiSession,
	state: PiStateAnswer,
	wanted: string | undefined,
): Promise<string | undefined> {
	if (state.model === undefined) return 'pi has no model: log in with pi, or name one';
	const known = await session.models();
	if (wanted === undefined || known === undefined) return undefined;
	const { id, provider } = state.model;
	const isKnown = known.some((entry) => entry.id === id && (provider === undefined || entry.provider === provider));
	return isKnown ? undefined : `pi has no model ${wanted}, or no key for it`;
}
