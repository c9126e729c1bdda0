/** A text of a person, and whether it asks for a user interface. */
export interface UiLabel {
	readonly text: string;
	readonly ui: boolean;
}

const label = (ui: boolean, texts: readonly string[]): UiLabel[] => texts.map((text) => ({ text, ui }));

/** Labelled by reading, not by the rules: plain cases, denials, and words that only look like one. */
export const UI_LABELS: readonly UiLabel[] = [
	...label(true, [
		'The manager wants a dashboard with yesterday’s sales.',
		'Members log in on the website and change their address.',
		'I picture three screens: search, details and checkout.',
		'Customers fill in a contact form.',
		'A mobile app for the drivers, offline too.',
		'Not just an API, we also need a frontend for the editors.',
		'The admin panel may be ugly.',
		'It should have one big red button.',
		'No login, but a landing page.',
		'Do not forget the dashboard!',
		'Der Kassierer braucht eine Oberfläche am Tresen.',
		'Auf der Webseite sollen die Termine stehen.',
		'Nicht nur eine API, auch ein Formular für Anmeldungen.',
		'Ein Bildschirm in der Werkstatt zeigt den nächsten Auftrag.',
		'Je voudrais un tableau de bord pour les ventes.',
		'Les parents remplissent un formulaire.',
		'Un site web avec les horaires.',
		'Quiero una página web con el menú.',
		'Un formulario para los pedidos y un botón para enviarlos.',
		'我们要一个网页，让客户自己查订单。',
		'需要一个仪表盘看销售额。',
		'做一个小程序给家长用。',
	]),
	...label(false, [
		'It reads a file, sorts it and writes another file.',
		'Send me a mail when the build fails.',
		'A library for parsing dates.',
		'The guide requires a quick rebuild of the suite.',
		'Information about the platform must be uniform.',
		'We do not want a dashboard, a mail is enough.',
		'No website, no app, just a cron job.',
		'It runs headless on the server.',
		'There is no need for a user interface.',
		'CLI only.',
		'Screens are not needed.',
		'I never asked for a frontend.',
		'Instead of a dashboard send a report by mail.',
		'Keine Oberfläche, nur ein Dienst.',
		'Ein Dashboard ist nicht nötig.',
		'Nur Kommandozeile, bitte.',
		'Das Skript baut die Guides und liefert Informationen.',
		'Pas de site web, un simple script suffit.',
		'Sans tableau de bord.',
		'Una tarea nocturna que copia archivos.',
		'No necesito una página web.',
		'不需要界面，只要接口。',
		'每天晚上把数据备份到另一台服务器。',
		'没有网站，只发邮件。',
	]),
	// Harder ones: the word is there and means something else, or the wish is there without the word.
	...label(false, [
		'Parse the HTML of a competitor’s website every night.',
		'The robot presses a button on the machine.',
	]),
	...label(true, ['People should be able to click through the photos in their browser.']),
];
