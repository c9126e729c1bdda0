import { driven, lamp, lamps, rover } from '../room.ts';
import type { Scene } from '../scene.ts';

const asks = (
	id: string,
	about: string,
	text: string,
	more: Omit<Scene, 'id' | 'about' | 'trigger' | 'talk'>,
): Scene => ({
	id,
	about,
	trigger: 'direct_address',
	talk: [['sam', text]],
	...more,
});

/** Questions about the room: answered from the state, and nothing is switched to find out. */
export const questions: readonly Scene[] = [
	asks('question-lamp-off', 'a dark lamp is asked about (X04)', 'overseer, is the bench light on?', {
		expect: { modes: ['CHAT'], says: [/\b(off|dark|no|not on)\b/i], saysNot: [/^yes/i, /bench (light )?is on/i] },
	}),
	asks('question-lamp-on', 'a lit lamp is asked about', 'overseer is the shelf lamp on?', {
		expect: { modes: ['CHAT'], says: [/\b(on|lit|yes|burns|glows)\b/i], saysNot: [/\bis off\b/i] },
	}),
	asks('question-tag', 'a question dressed as a statement', "overseer, the bench lamp is off, isn't it?", {
		expect: { modes: ['CHAT'], says: [/\b(off|dark|yes|right|it is)\b/i] },
	}),
	asks('question-color', 'the colour stands in the state', 'what colour is the color strip, overseer?', {
		expect: { modes: ['CHAT'], says: [/purple/i] },
	}),
	asks('question-which-lamps', 'several lamps at once', 'overseer which lamps are on right now?', {
		expect: { modes: ['CHAT'], says: [/shelf/i], saysNot: [/bench\b(?!.*\b(off|dark|rest|not)\b)/i] },
	}),
	asks('question-lift', 'where the lift is', 'overseer, where is the lift?', {
		expect: { modes: ['CHAT'], says: [/\b(down|below|bottom)\b/i], saysNot: [/\bis up\b/i] },
	}),
	asks('question-lift-moving', 'the lift moves', 'overseer is the lift moving?', {
		world: { lift: { position: 'opening', busy: true, available: true } },
		expect: {
			modes: ['CHAT'],
			says: [/\b(moving|yes|rising|on its way|opening|up)\b/i],
			locked: ['lift_up', 'lift_down'],
		},
	}),
	asks('question-vacuum', 'what the vacuum does', 'overseer what is the vacuum doing?', {
		world: { neato: { connected: true, state: 'cleaning', charging: false, canClearErrors: true } },
		expect: { modes: ['CHAT'], says: [/clean|floor|dust|eat/i], saysNot: [/docked|charging/i] },
	}),
	asks('question-vacuum-error', 'what ails the vacuum', 'overseer, what is wrong with the vacuum?', {
		world: {
			neato: { connected: true, state: 'error', error: 'brush stuck', charging: false, canClearErrors: true },
		},
		expect: { modes: ['CHAT'], says: [/brush|stuck/i] },
	}),
	asks('question-driver', 'who drives', 'overseer who is driving rover2?', {
		world: { rovers: [rover('rover1'), driven('rover2', 'casey'), rover('rover3')] },
		expect: { modes: ['CHAT'], says: [/casey/i] },
	}),
	asks('question-nobody-drives', 'nobody drives, and none is made up', 'overseer is anyone driving?', {
		expect: { modes: ['CHAT'], says: [/\b(nobody|no ?one|none|no|not|empty|docks?)\b/i] },
	}),
	asks('question-unknown', 'the state does not say it', 'overseer, is the window open?', {
		expect: { modes: ['CHAT'], saysNot: [/window is (open|closed|shut)/i, /\b(yes|no)[,. ]/i] },
	}),
	asks('question-gone-lamp', 'the lamp does not answer', 'overseer, is the shelf lamp on?', {
		world: { lights: lamps(lamp('shelf', 'unavailable', { available: false })) },
		expect: {
			modes: ['CHAT'],
			says: [/answer|reach|offline|unavailable|know|cannot|can't|silent|tell|see/i],
			saysNot: [/lamp is (on|off)\b/i, /shelf( light| lamp)? is (on|off)\b/i],
		},
	}),
	asks('question-mode', 'the mode is no secret', 'overseer what mode is the house in?', {
		site: { mode: 'admin' },
		expect: {
			modes: ['CHAT'],
			says: [/admin/i],
			locked: ['lift_up', 'lift_down', 'neato_start', 'ha_set_entity', 'ha_set_light'],
		},
	}),
	asks('question-who', 'who it is', 'overseer, who are you?', {
		expect: { modes: ['CHAT'], saysNot: [/assistant|language model|control-first|how (can|may) i help/i] },
	}),
	asks('question-memory', 'the notes are read first', 'overseer what do you remember?', {
		memory: ['alex hates the purple strip', '', ''],
		expect: {
			modes: ['CHAT'],
			calls: [{ tool: 'memory_read' }],
			says: [/alex|purple|strip/i],
			saysNot: [/\(empty\)|slot|memory_read/i],
		},
	}),
];
