import type { RejectedBinary } from './binary.ts';

/** Text of the error when no Redis can be had: what was tried, and one command for each platform. */
export function noRedisAdvice(tried: {
	rejected: readonly RejectedBinary[];
	problems: readonly string[];
	localRedis: boolean;
}): string {
	return [
		'No Redis was found and none could be started.',
		...tried.rejected.map(({ path, why }) => `  - ${path}: ${why}`),
		...tried.problems.map((problem) => `  - ${problem}`),
		...(tried.localRedis
			? [
					'A Redis answers on 127.0.0.1:6379. It is not taken unasked, because it may be somebody else’s cache. To use it:',
					'  REDIS_URL=redis://127.0.0.1:6379',
				]
			: []),
		'Otherwise one command:',
		'  Debian, Ubuntu:  sudo apt-get install redis-server',
		'  Fedora, RHEL:    sudo dnf install valkey',
		'  Alpine:          apk add valkey',
		'  Arch:            sudo pacman -S valkey',
		'  macOS:           brew install valkey',
		'  Docker:          docker run -d -p 127.0.0.1:6379:6379 valkey/valkey --appendonly yes --maxmemory-policy noeviction',
		'                   and REDIS_URL=redis://127.0.0.1:6379',
		'  only to try it:  REDIS=ephemeral (inside this process; nothing is kept)',
	].join('\n');
}
