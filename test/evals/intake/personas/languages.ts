import { finalText, type Persona, slot } from '../persona.ts';

/** People who write in other languages. */
export const LANGUAGES: readonly Persona[] = [
	{
		id: 'german',
		title: 'a club treasurer, in German',
		language: 'de',
		wish: 'Unser Sportverein braucht eine Übersicht über die Beiträge von 240 Mitgliedern.',
		mind: {
			ask: [
				'D1: Wer trägt die Zahlungen ein?\nD3: Welche Angaben gehören zu einem Beitrag?\nD4: Wo sehen die Mitglieder ihren Stand?',
				'D7: Welche Grenzen setzen Zeit oder Geld?',
				[
					'REQUIREMENTS_COMPLETE: ja',
					'PROJEKTNAME: Vereinsbeiträge',
					'AUFGABENZUSAMMENFASSUNG: Eine Übersicht über die Beiträge von 240 Mitgliedern eines Sportvereins.',
					'ESKALIEREN_AN: niemand',
					'PROLOG_FAKTEN:',
					'user_role(mitglied, 240). % "240 Mitgliedern"',
					'user_role(kassenwart). % "Der Kassenwart trägt sie ein"',
					'data_field(beitrag, betrag). % "Betrag und Datum"',
					'requires_ui(true).',
					'budget(500, euro). % "höchstens 500 Euro"',
					'has_payment(lastschrift). % "Lastschrift brauchen wir nicht"',
				].join('\n'),
			],
			final: [''],
		},
		slots: [
			slot('wer', /wer trägt/i, 'Der Kassenwart trägt sie ein.', /kassenwart/i),
			slot('angaben', /angaben/i, 'Betrag und Datum. Lastschrift brauchen wir nicht.', /betrag/i),
			slot('ansicht', /wo sehen/i, 'Auf unserer Webseite.', /webseite|requires ui\(true\)/i),
			slot('geld', /geld/i, 'Es darf höchstens 500 Euro kosten.', /500/),
		],
		gold: {
			facts: [
				'budget(500,euro).',
				'data_field(beitrag,betrag).',
				'requires_ui(true).',
				'user_role(kassenwart).',
				'user_role(mitglied,240).',
			],
			excluded: ['negated'],
			ui: true,
			trigger: 'complete',
			covered: ['D1', 'D3', 'D4', 'D7'],
		},
	},
	{
		id: 'french',
		title: 'a restaurant owner, in French',
		language: 'fr',
		wish: 'Je veux gérer les réservations de mon restaurant de 45 couverts.',
		mind: {
			ask: [
				'D1: Qui prend les réservations ?\nD4: Comment les clients réservent-ils ?\nD6: Où le logiciel doit-il fonctionner ?',
				finalText('reservations', 'Gérer les réservations d’un restaurant de 45 couverts.', [
					'has_feature(reservations). % "gérer les réservations de mon restaurant"',
					'data_volume(couverts, 45). % "45 couverts"',
					'user_role(serveurs). % "Les serveurs prennent les réservations"',
					'interface(telephone). % "par téléphone"',
					'has_feature(site_web). % "pas de site web"',
					'deploy_on(tablette). % "sur la tablette du bar"',
				]),
			],
			final: [''],
		},
		slots: [
			slot('qui', /qui prend/i, 'Les serveurs prennent les réservations.', /serveurs/i),
			slot(
				'comment',
				/comment les clients/i,
				'Les clients appellent par téléphone, pas de site web.',
				/t[eé]l[eé]phone/i,
			),
			slot('ou', /où/i, 'Il fonctionne sur la tablette du bar.', /tablette/i),
		],
		gold: {
			facts: [
				'data_volume(couverts,45).',
				'deploy_on(tablette).',
				'has_feature(reservations).',
				'interface(telephone).',
				'user_role(serveurs).',
			],
			excluded: ['negated'],
			ui: false,
			trigger: 'complete',
			covered: ['D1', 'D4', 'D6'],
		},
	},
	{
		id: 'chinese',
		title: 'a shop owner, in Chinese',
		language: 'zh',
		wish: '我想要一个网店卖手工茶杯，有300种商品。',
		mind: {
			ask: [
				'D1: 谁来管理库存？\nD4: 顾客怎么付款？\nD7: 有什么期限？',
				finalText('tea_cups', '一个卖手工茶杯的网店，有300种商品。', [
					'has_feature(\'网店\'). % "一个网店卖手工茶杯"',
					'data_volume(\'商品\', 300). % "有300种商品"',
					'user_role(\'店员\', 2). % "两个店员管理库存"',
					'has_payment(\'微信支付\'). % "用微信支付"',
					'has_payment(\'信用卡\'). % "不要信用卡"',
					'requires_ui(true).',
				]),
			],
			final: [''],
		},
		slots: [
			slot('库存', /库存/, '两个店员管理库存。', /店员/),
			slot('付款', /付款/, '用微信支付，不要信用卡。', /微信支付/),
			slot('期限', /期限/, '以后再说', /以后再说/),
		],
		gold: {
			facts: [
				"data_volume('商品',300).",
				"has_feature('网店').",
				"has_payment('微信支付').",
				'requires_ui(true).',
				"user_role('店员',2).",
			],
			excluded: ['negated'],
			ui: true,
			trigger: 'complete',
			covered: ['D1', 'D4', 'D7'],
			notCaptured: ['期限'],
		},
	},
	{
		id: 'spanish',
		title: 'a farmer, in Spanish',
		language: 'es',
		wish: 'Quiero una aplicación móvil para registrar la leche de mis 60 vacas.',
		mind: {
			ask: [
				'D3: ¿Qué datos se guardan de cada vaca?\nD5: ¿Qué pasa cuando no hay señal?',
				finalText('registro_leche', 'Una aplicación móvil para registrar la leche de 60 vacas.', [
					'data_volume(vacas, 60). % "mis 60 vacas"',
					'data_field(vaca, litros). % "Los litros por la mañana"',
					'quality(sin_señal). % "Tiene que funcionar sin señal"',
					'requires_ui(true).',
				]),
			],
			final: [''],
		},
		slots: [
			slot('datos', /datos/i, 'Los litros por la mañana y el número de la vaca.', /litros/i),
			slot('señal', /señal/i, 'Tiene que funcionar sin señal.', /señal/i),
		],
		gold: {
			facts: ['data_field(vaca,litros).', 'data_volume(vacas,60).', "quality('sin_señal').", 'requires_ui(true).'],
			excluded: [],
			ui: true,
			trigger: 'complete',
			covered: ['D3', 'D5'],
		},
	},
];
