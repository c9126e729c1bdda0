/** Whole talks: what the person wrote and what models answered, in the shapes models really use. */
export interface Dialogue {
	readonly name: string;
	readonly language: string;
	/** Person and model in turn; the first is the wish. */
	readonly turns: readonly string[];
	readonly facts: readonly string[];
	/** Reasons of what was set aside, in order. */
	readonly excluded: readonly string[];
	readonly ui: boolean;
	readonly trigger: 'complete' | 'forced';
	readonly project: string;
}

export const DIALOGUES: readonly Dialogue[] = [
	{
		name: 'a bakery, one round, bold fields',
		language: 'en',
		turns: [
			'My bakery loses track of cake orders. I want something where my 3 helpers can see what to bake tomorrow.',
			'Thanks for sharing! A few questions:\n\n**D1 – Functional scope**\n1. Who enters the orders?\n2. What happens when an order changes?\n\n**D4 – Interfaces**\n- Where do the helpers look at the list? [a screen in the bakery | their phones | paper]\n\nLooking forward to your answers!',
			'I enter them when people call. If an order changes I cross it out today. They look at a screen on the wall. No online payment!',
			'**REQUIREMENTS_COMPLETE:** true\n**PROJECT_NAME:** Cake Orders\n**TASK_SUMMARY:** A list of cake orders for a bakery. 3 helpers see on a screen what to bake tomorrow. It will save 40 hours a month.\n**ESCALATE_TO:** none\n**PROLOG_FACTS:**\n```prolog\nhas_feature(order_list). % "what to bake tomorrow"\nuser_role(helper, 3). % "my 3 helpers"\ninterface(wall_screen). % "a screen on the wall"\nrequires_ui(true).\nhas_payment(online).\nout_of_scope(online_payment). % "No online payment"\nhas_feature(loyalty_program).\n```\nLet me know if I missed anything.',
		],
		facts: [
			'has_feature(order_list).',
			'interface(wall_screen).',
			'out_of_scope(online_payment).',
			'requires_ui(true).',
			'user_role(helper,3).',
		],
		excluded: ['negated', 'ungrounded'],
		ui: true,
		trigger: 'complete',
		project: 'cake_orders',
	},
	{
		name: 'a developer, terse, three rounds, thinking and JSON',
		language: 'en',
		turns: [
			'cli that syncs two s3 buckets',
			'<think>Very short. I need direction, size, conflicts.</think>\nD1: Which direction should files be copied? [one way | both ways]\nD5: How many files are there?',
			'one way, 2 million files',
			'{"questions":[{"dimension":"D6","text":"Where does it run?","kind":"single","options":["cron on a server","by hand"]},{"dimension":"D2","text":"Which language should it be written in?","kind":"text","options":[]}],"REQUIREMENTS_COMPLETE":false}',
			'cron. go. no gui, headless',
			'```json\n{"questions":[{"dimension":"D7","text":"Is there a deadline?","kind":"text","options":[]}]}\n```',
			'end of march',
			'{"REQUIREMENTS_COMPLETE":true,"PROJECT_NAME":"s3-sync","TASK_SUMMARY":"A command line tool that copies files one way between two S3 buckets, run by cron.","ESCALATE_TO":"U:Ar","PROLOG_FACTS":[{"fact":"has_feature(one_way_copy)","quote":"one way"},{"fact":"integrates_with(s3)","quote":"two s3 buckets"},{"fact":"data_volume(files, 2000000)","quote":"2 million files"},{"fact":"programming_language(go)","quote":"go"},{"fact":"deploy_on(cron)","quote":"cron"},{"fact":"requires_ui(false)","quote":"no gui"},{"fact":"performance(throughput, 500)","quote":""},{"fact":"deadline(end_of_march)","quote":"end of march"}]}',
		],
		facts: [
			'data_volume(files,2000000).',
			'deadline(end_of_march).',
			'deploy_on(cron).',
			'has_feature(one_way_copy).',
			'integrates_with(s3).',
			'programming_language(go).',
			'requires_ui(false).',
		],
		excluded: ['ungrounded'],
		ui: false,
		trigger: 'forced',
		project: 's3-sync',
	},
	{
		name: 'German, translated labels, wide colons, a mention first',
		language: 'de',
		turns: [
			'Unser Verein mit 120 Mitgliedern braucht eine Weboberfläche für die Ausleihe von Werkzeug.',
			'Ich sage noch nicht REQUIREMENTS_COMPLETE.\nD1: Wer darf Werkzeug ausleihen?\nD3: Welche Angaben gehören zu einem Werkzeug?\nD7: Welche Frist gibt es?',
			'Nur Mitglieder dürfen ausleihen. Zu jedem Werkzeug gehören Name, Zustand und Standort. Keine Frist.',
			'REQUIREMENTS_COMPLETE： ja\nPROJEKTNAME： Werkzeugverleih\nAUFGABENZUSAMMENFASSUNG： Eine Weboberfläche, über die 120 Mitglieder Werkzeug ausleihen.\nESKALIEREN_AN： Frau Keller\nPROLOG_FAKTEN：\nhas_feature(tool_lending)。 % „Ausleihe von Werkzeug“\nuser_role(member, 120). % „mit 120 Mitgliedern“\ndata_field(tool, condition). % „Name, Zustand und Standort“\ndeadline(friday).\n- requires_ui(true).',
		],
		facts: ['data_field(tool,condition).', 'user_role(member,120).'],
		excluded: ['full_width_stop', 'ungrounded', 'bullet'],
		ui: true,
		trigger: 'complete',
		project: 'werkzeugverleih',
	},
];
