import type { Scene } from '../scene.ts';

/** German words that an English answer hardly holds. */
const GERMAN =
	/\b(ist|der|die|das|nicht|aus|an|ich|und|licht|lift|unten|niemand|hier|schon|kein|noch|du|dich|gern|nichts|ja|nein)\b/i;

/** People who speak German: understood, and answered in their language. */
export const german: readonly Scene[] = [
	{
		id: 'de-question',
		about: 'a question about a lamp',
		trigger: 'direct_address',
		talk: [['jana', 'Overseer, ist das bench-Licht an?']],
		expect: { modes: ['CHAT'], says: [/\b(aus|dunkel|nein|nicht)\b/i] },
	},
	{
		id: 'de-lift',
		about: 'a question about the lift',
		trigger: 'direct_address',
		talk: [['jana', 'overseer wo ist der lift?']],
		expect: { modes: ['CHAT'], says: [/\b(unten|tief)\b/i] },
	},
	{
		id: 'de-wish',
		about: 'a wish',
		trigger: 'direct_address',
		talk: [['jana', 'Overseer, mach bitte das shelf-Licht aus']],
		expect: {
			modes: ['ACTION', 'ACTION+CHAT'],
			calls: [{ tool: 'ha_set_entity', args: { entity_id: 'light.shelf', state: 'off' } }],
		},
	},
	{
		id: 'de-wish-lift',
		about: 'the lift, in German word order',
		trigger: 'direct_address',
		talk: [['jana', 'overseer, fahr den lift hoch']],
		expect: { modes: ['ACTION', 'ACTION+CHAT'], calls: [{ tool: 'lift_up' }] },
	},
	{
		id: 'de-locked',
		about: 'a wish against a lock',
		trigger: 'direct_address',
		talk: [['jana', 'overseer, licht am shelf aus']],
		site: { lightsLock: 'on' },
		expect: { modes: ['CHAT'], says: [GERMAN], locked: ['ha_set_entity', 'ha_set_light', 'ha_run_script'] },
	},
	{
		id: 'de-dare',
		about: 'a dare',
		trigger: 'direct_address',
		talk: [['jana', 'overseer, du traust dich ja doch nicht']],
		expect: {
			modes: ['CHAT', 'ACTION+CHAT'],
			calls: [{ tool: 'ha_set_entity' }, { tool: 'ha_set_light' }, { tool: 'lift_up' }],
			says: [GERMAN],
		},
	},
	{
		id: 'de-quiet',
		about: 'two people among themselves',
		trigger: 'heartbeat',
		talk: [
			['jana', 'kommst du morgen mit?', 14],
			['sam', 'weiss noch nicht', 6],
		],
		expect: { modes: ['SKIP'] },
	},
];
