// The import table of docs/architecture.md, as rules. A room may import only what its row allows.
const rooms = ['config', 'core', 'prompts', 'tools', 'adapters', 'jobs', 'bot', 'demo', 'test'];
const except = (...allowed) => `^(${rooms.filter((room) => !allowed.includes(room)).join('|')})/|^main[^/]*\\.ts$`;
const forbidRooms = (from, allowed, extra = {}) => ({
	name: `${from}-rooms`,
	comment: `${from} may import ${allowed.join(', ')}`,
	severity: 'error',
	from: { path: `^${from}/` },
	to: { path: except(from, ...allowed), ...extra },
});
const onlyPackages = (from, packages, builtins = true) => ({
	name: `${from}-packages`,
	severity: 'error',
	from: { path: `^${from}/` },
	to: {
		path: '^node_modules/|^node:',
		pathNot: packages.map((name) => `^node_modules/${name}/`).concat(builtins ? ['^node:'] : []),
		dependencyTypesNot: builtins ? ['core'] : [],
	},
});
const pureBuiltins =
	'^(node:)?(fs|fs/promises|net|http|https|http2|child_process|worker_threads|dgram|dns|tls|timers|timers/promises|cluster|process)$';

module.exports = {
	forbidden: [
		{
			name: 'no-cycles',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		forbidRooms('config', []),
		forbidRooms('core', ['config']),
		forbidRooms('prompts', ['core', 'config']),
		forbidRooms('tools', ['core', 'config']),
		forbidRooms('adapters', ['core', 'config']),
		forbidRooms('jobs', ['core', 'prompts', 'tools', 'config']),
		forbidRooms('bot', ['core', 'config'], { pathNot: '^jobs/contracts\\.ts$' }),
		{
			name: 'nobody-imports-main-test-demo',
			severity: 'error',
			from: { path: '^(config|core|prompts|tools|adapters|jobs|bot)/' },
			to: { path: '^(demo|test)/|^main[^/]*\\.ts$' },
		},
		{
			name: 'adapters-stay-apart',
			comment: 'One outside system must not lean on another; the Redis connection module is the exception.',
			severity: 'error',
			from: { path: '^adapters/([^/]+)/' },
			to: { path: '^adapters/', pathNot: ['^adapters/$1/', '^adapters/redis/connection\\.ts$'] },
		},
		onlyPackages('config', ['zod', 'yaml']),
		{ ...onlyPackages('core', ['zod', 'jsonrepair', 'fastest-levenshtein']), name: 'core-packages' },
		onlyPackages('tools', ['zod']),
		onlyPackages('prompts', ['zod']),
		onlyPackages('jobs', ['bullmq', 'zod', 'ioredis', 'node-cron']),
		onlyPackages('bot', ['discord\\.js', '@discordjs/[^/]+', 'discord-api-types', 'zod']),
		{ name: 'core-is-pure', severity: 'error', from: { path: '^core/' }, to: { path: pureBuiltins } },
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '^(dist|demo/[^/]+/page)/' },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
		enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
	},
};
