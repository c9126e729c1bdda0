import type { ConfigProblem } from './config-error.ts';

const secretName = /(^|_)(token|secret|password|passwd|pass|pwd|api_?key|access_?key|private_?key|credentials?)$/;

const addressWithPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/\s]*:[^/\s]*@/i;

/** Values that are credentials whatever their name: bot token, Anthropic key, JWT, address with a password. */
const secretValue = [
	/^(Bot )?[A-Za-z0-9_-]{23,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}$/,
	/\bsk-ant-[A-Za-z0-9_-]{10,}/,
	/^(Bearer )?eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}$/,
	addressWithPassword,
];

const snake = (name: string) =>
	name
		.replace(/([a-z0-9])([A-Z])/g, '$1_$2')
		.replace(/[- ]/g, '_')
		.toLowerCase();

/** The variable that a secret found at this place belongs into. */
function variableFor(path: string): string {
	const words = snake(path);
	if (/discord|bot/.test(words)) return 'DISCORD_TOKEN';
	if (/home|hass|assistant/.test(words)) return 'HOME_ASSISTANT_TOKEN';
	if (/anthropic|model|api_?key/.test(words)) return 'ANTHROPIC_API_KEY';
	if (/redis/.test(words)) return 'REDIS_URL';
	if (/http|admin|password/.test(words)) return 'ADMIN_PASSWORD';
	if (/rover|room/.test(words)) return 'ROOM_TOKENS';
	return 'the variable that .env.example names for it';
}

/** Secrets written into the settings file, found by name and by look. `isKnown` says which names are real settings. */
export function findSecrets(root: unknown, isKnown: (path: readonly PropertyKey[]) => boolean): ConfigProblem[] {
	const problems: ConfigProblem[] = [];
	const visit = (value: unknown, path: readonly PropertyKey[]) => {
		if (Array.isArray(value)) {
			value.forEach((item, index) => {
				visit(item, [...path, index]);
			});
		} else if (typeof value === 'object' && value !== null) {
			for (const [key, item] of Object.entries(value)) visit(item, [...path, key]);
		}
		if (path.length === 0 || (typeof value === 'object' && value !== null)) return;
		const byName = secretName.test(snake(String(path.at(-1)))) && !isKnown(path);
		if (!byName && !(typeof value === 'string' && secretValue.some((pattern) => pattern.test(value)))) return;
		const name = path.join('.');
		problems.push({
			source: 'file',
			path: name,
			got: 'a secret in the settings file',
			hint: addressWithPassword.test(String(value))
				? 'take user name and password out of the address: secrets come from the environment'
				: `take it out and set ${variableFor(name)} in .env or the environment; if this file was shared, make a new secret`,
		});
	};
	visit(root, []);
	return problems;
}
