import type { LightsLock, SiteMode } from '../../core/overseer/site.ts';
import type { Command } from './command.ts';

const modes: readonly SiteMode[] = ['open', 'admin', 'lockdown'];
const locks: readonly LightsLock[] = ['none', 'on', 'off'];

/** `/admin …`: rules for the whole site. */
export const adminCommands: readonly Command[] = [
	{
		path: 'admin mode',
		action: 'admin.mode',
		help: 'command.admin.mode',
		example: '/admin mode lockdown',
		async run({ text, t, person }, { site, log }) {
			const mode = modes.find((candidate) => candidate === text('value'));
			if (mode === undefined) return { refused: 'refused.unknownCommand' };
			await site.setMode(mode);
			log.info({ by: person.id, mode }, 'site mode set');
			return { content: t('done.mode', { mode }) };
		},
	},
	{
		path: 'admin lights-lock',
		action: 'admin.lights_lock',
		help: 'command.admin.lights-lock',
		example: '/admin lights-lock on',
		async run({ text, t, person }, { site, log }) {
			const lock = locks.find((candidate) => candidate === text('value'));
			if (lock === undefined) return { refused: 'refused.unknownCommand' };
			await site.setLightsLock(lock);
			log.info({ by: person.id, lock }, 'lights lock set');
			return { content: t('done.lights', { lock }) };
		},
	},
	{
		path: 'admin pause',
		action: 'admin.pause',
		help: 'command.admin.pause',
		example: '/admin pause on',
		async run({ text, t, person }, { site, log }) {
			const paused = text('value') === 'on';
			await site.setPaused(paused);
			log.info({ by: person.id, paused }, 'kill switch set');
			return { content: t(paused ? 'done.paused' : 'done.resumed') };
		},
	},
];
