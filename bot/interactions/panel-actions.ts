/** A panel's button is a command with its options filled in: one way in for permissions, locks and wording. */
export interface PanelAction {
	readonly path: string;
	readonly options: Readonly<Record<string, string>>;
}

const actions: Readonly<Record<string, PanelAction>> = {
	pause: { path: 'admin pause', options: { value: 'on' } },
	resume: { path: 'admin pause', options: { value: 'off' } },
	stage: { path: 'overseer stage', options: {} },
	clear: { path: 'overseer clear', options: { what: 'context' } },
	prompt: { path: 'panel prompt', options: {} },
};

/** The command behind a component, or undefined when this version has no such button. `selected`: a select's choice. */
export function toPanelAction(action: string, roomId: string, selected: string | undefined): PanelAction | undefined {
	const found = Object.hasOwn(actions, action) ? actions[action] : undefined;
	if (found === undefined) return undefined;
	return {
		path: found.path,
		options: { ...found.options, ...(selected === undefined ? {} : { value: selected }), room: roomId },
	};
}
