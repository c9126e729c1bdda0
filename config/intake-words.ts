import { z } from 'zod';

const words = (what: string) => z.array(z.string().min(1).max(60)).max(300).describe(what);

export const languageWords = z.strictObject({
	ui: words('Words that mean a user interface; whole words, phrases allowed.'),
	noUi: words('Words that mean there is none, such as "headless".'),
	negations: words('Words that turn the word after them into its opposite.'),
	yes: words('Words that mean yes where a field asks for yes or no.'),
	unknown: words('Answers that mean "not decided yet".'),
});
export type LanguageWords = z.infer<typeof languageWords>;

const list = (text: string) => text.split(',').map((word) => word.trim());

export const DEFAULT_WORDS: Record<string, LanguageWords> = {
	en: {
		ui: list(
			'ui, user interface, gui, frontend, front-end, front end, dashboard, dashboards, screen, screens, web app, webapp, web application, web page, webpage, website, web site, mobile app, landing page, web form, order form, contact form, login form, forms, button, buttons, admin panel, web shop, online shop, online store, app screen, wireframe, mockup, layout, sidebar, navbar, widget, widgets, desktop app, web interface, graphical interface, portal',
		),
		noUi: list('headless, command line only, cli only, api only, backend only, terminal only, no interface'),
		negations: list(
			"no, not, without, never, none, don't, dont, doesn't, doesnt, isn't, isnt, won't, wont, neither, nor, needn't, avoid, skip, instead of, rather than, nothing like, cannot, can't",
		),
		yes: list('yes, true, done, complete, y'),
		unknown: list(
			"not sure, i don't know, i dont know, don't know, dont know, no idea, idk, unsure, later, decide later, tbd, undecided, n/a, not decided, skip, pass, ?",
		),
	},
	de: {
		ui: list(
			'oberfläche, benutzeroberfläche, bedienoberfläche, dashboard, bildschirm, bildschirme, webseite, website, internetseite, web-app, webapp, handy-app, formular, formulare, knopf, schaltfläche, schaltflächen, startseite, webshop, onlineshop, online-shop, maske, masken, weboberfläche, frontend, gui, ui, benutzerschnittstelle',
		),
		noUi: list('headless, nur kommandozeile, nur api, ohne oberfläche, nur backend'),
		negations: list(
			'kein, keine, keinen, keinem, keiner, keines, nicht, ohne, nie, niemals, weder, noch, statt, anstatt',
		),
		yes: list('ja, wahr, fertig, vollständig'),
		unknown: list('weiß nicht, weiss nicht, keine ahnung, unklar, später, offen, egal, nicht sicher, unsicher'),
	},
	fr: {
		ui: list(
			'interface, interface utilisateur, tableau de bord, écran, écrans, site web, site internet, application web, application mobile, formulaire, formulaires, bouton, boutons, page web, boutique en ligne, frontend, ihm, ui',
		),
		noUi: list('sans interface, ligne de commande uniquement, api uniquement, headless'),
		negations: list('pas, sans, aucun, aucune, jamais, ni, plutôt que, pas de'),
		yes: list('oui, vrai, terminé, complet'),
		unknown: list('je ne sais pas, aucune idée, plus tard, pas sûr, pas sûre, à décider'),
	},
	es: {
		ui: list(
			'interfaz, interfaz de usuario, panel, tablero, pantalla, pantallas, sitio web, página web, aplicación web, aplicación móvil, formulario, formularios, botón, botones, tienda en línea, frontend, ui',
		),
		noUi: list('sin interfaz, solo api, solo línea de comandos, headless'),
		negations: list('no, sin, ningún, ninguna, nunca, jamás, ni, en lugar de'),
		yes: list('sí, si, verdadero, hecho, completo'),
		unknown: list('no sé, no lo sé, ni idea, más tarde, no estoy seguro, no estoy segura, por decidir'),
	},
	zh: {
		ui: list('界面, 用户界面, 仪表盘, 仪表板, 屏幕, 网站, 网页, 网店, 前端, 表单, 按钮, 小程序'),
		noUi: list('无界面, 仅接口, 仅命令行'),
		negations: list('不, 没有, 无, 不要, 不需要, 无需, 别'),
		yes: list('是, 对, 完成, 真'),
		unknown: list('不知道, 不确定, 以后再说, 待定, 没想好'),
	},
};
