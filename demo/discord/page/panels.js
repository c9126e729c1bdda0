import { el, replaceChildren } from './dom.js';
import { store } from './store.js';

let chosen = 0;
let drawnFor = '';

const isWide = () => window.matchMedia('(min-width: 1100px)').matches;

export function setupPanels() {
	document.getElementById('toggle-panels').addEventListener('click', () => {
		document.body.classList.toggle(isWide() ? 'panels-closed' : 'panels-open');
	});
}

/** Pages of other parts of the demo, as tabs. They are kept alive when their tab is hidden. */
export function drawPanels() {
	const panels = store.house.sidePanels.filter((one) => /^(https?:\/\/|\/)/.test(one.url));
	const aside = document.getElementById('panels');
	const signature = JSON.stringify(panels);
	if (signature === drawnFor) return;
	drawnFor = signature;
	aside.hidden = panels.length === 0;
	document.getElementById('toggle-panels').hidden = panels.length === 0;
	document.body.classList.toggle('has-panels', panels.length > 0);
	const frames = panels.map((panel, index) =>
		el('iframe', { src: panel.url, title: panel.title, testid: `panel-frame-${index}`, hidden: index !== chosen }),
	);
	const tabs = panels.map((panel, index) =>
		el(
			'button',
			{
				type: 'button',
				role: 'tab',
				class: index === chosen ? 'tab active' : 'tab',
				testid: `panel-tab-${index}`,
				onclick: () => {
					chosen = index;
					for (const [at, tab] of tabs.entries()) tab.classList.toggle('active', at === index);
					for (const [at, frame] of frames.entries()) frame.hidden = at !== index;
				},
			},
			panel.title,
		),
	);
	const close = el(
		'button',
		{
			type: 'button',
			class: 'icon-button only-narrow',
			ariaLabel: 'Back to the chat',
			onclick: () => document.body.classList.remove('panels-open'),
		},
		'✕',
	);
	replaceChildren(aside, el('div', { class: 'tabs', role: 'tablist' }, tabs, close), frames);
}
