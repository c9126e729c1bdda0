import { spawnSync } from 'node:child_process';

export interface Ran {
	readonly ok: boolean;
	readonly output: string;
}

/** promtool on PATH, or the one that PROMTOOL names; undefined when there is none. */
export function findPromtool(env: NodeJS.ProcessEnv): ((args: readonly string[], input?: string) => Ran) | undefined {
	const program = env['PROMTOOL'] || 'promtool';
	const run = (args: readonly string[], input = ''): Ran => {
		const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8', timeout: 60_000 });
		return { ok: status === 0, output: `${stdout ?? ''}${stderr ?? ''}` };
	};
	return run(['--version']).ok ? run : undefined;
}
