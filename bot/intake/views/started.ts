import type { Translate } from '../../catalogue.ts';
import type { Served } from '../../interactions/serve.ts';
import { codeBlock } from '../../views/view.ts';
import type { Started } from '../start-intake.ts';
import { unavailableView } from './said-once.ts';

/** What came of starting an intake. `text`: the wish, given back where it could not be kept. */
export function startedView(started: Started, text: string, t: Translate): Served {
	switch (started.kind) {
		case 'opened': {
			const key = started.isPublic && started.wantedPrivate ? 'intake.openedPublic' : 'intake.opened';
			return { view: { content: t(key, { thread: `<#${started.threadId}>` }) }, outcome: 'done' };
		}
		case 'exists':
			return {
				view: {
					content:
						started.threadId === undefined
							? t('intake.gone')
							: t('intake.alreadyOpen', { thread: `<#${started.threadId}>` }),
				},
				outcome: 'done',
			};
		case 'off':
			return { view: { content: t('intake.off') }, outcome: 'refused' };
		case 'no_text':
			return { view: { content: t('intake.noIntent') }, outcome: 'refused' };
		case 'too_short':
			return { view: { content: t('intake.wishTooShort') }, outcome: 'refused' };
		case 'not_here':
			return { view: { content: t('intake.notHere') }, outcome: 'refused' };
		case 'refused':
			return {
				view: { content: t('intake.cannotOpen', { code: started.code, permissions: started.permissions }) },
				outcome: 'refused',
			};
		case 'unavailable': {
			const view = unavailableView(started.reason, started.kept, t);
			return {
				view: {
					...view,
					content:
						started.kept && started.threadId !== undefined
							? t('intake.opened', { thread: `<#${started.threadId}>` })
							: codeBlock(text, 1_800),
				},
				outcome: started.kept ? 'done' : 'refused',
			};
		}
	}
}
