import { finalText, type Persona, slot } from '../persona.ts';

const question = (dimension: string, text: string, options: readonly string[] = [], kind = 'single') => ({
	dimension,
	text,
	kind: options.length > 0 ? kind : 'text',
	options,
});
const asking = (...questions: readonly object[]) => ({
	structured: {
		questions,
		REQUIREMENTS_COMPLETE: false,
		PROJECT_NAME: '',
		TASK_SUMMARY: '',
		ESCALATE_TO: '',
		PROLOG_FACTS: [],
	},
});

/** People who know the trade, with models that are made to answer in a schema. */
export const DEVELOPERS: readonly Persona[] = [
	{
		id: 'developer',
		title: 'answers in terms of the trade',
		language: 'en',
		wish: 'A Go service that ingests webhooks from Stripe and writes them to Postgres. Headless, no UI.',
		mind: {
			ask: [
				asking(
					question('D5', 'How many events arrive per second at peak?'),
					question('D6', 'Where does the service run?', ['Kubernetes cluster', 'Single machine']),
					question('D3', 'How long are events kept?'),
				),
				asking(question('D5', 'What must happen to an event that arrives twice?')),
				{
					structured: {
						questions: [],
						REQUIREMENTS_COMPLETE: true,
						PROJECT_NAME: 'stripe-ingest',
						TASK_SUMMARY: 'A Go service that writes Stripe webhooks to Postgres, 500 events per second at peak.',
						ESCALATE_TO: 'U:BA',
						PROLOG_FACTS: [
							{ fact: 'programming_language(go)', quote: 'A Go service' },
							{ fact: 'integrates_with(stripe)', quote: 'webhooks from Stripe' },
							{ fact: 'uses_technology(postgres)', quote: 'writes them to Postgres' },
							{ fact: 'requires_ui(false)', quote: 'no UI' },
							{ fact: 'performance(events_per_second, 500)', quote: '500 events per second' },
							{ fact: 'retention(events, 90, days)', quote: '90 days' },
							{ fact: 'quality(idempotency)', quote: 'Duplicates are dropped by event id' },
							{ fact: 'uses_technology(kafka)', quote: 'events' },
						],
					},
				},
			],
			final: [''],
		},
		slots: [
			slot('rate', /per second/i, 'At peak 500 events per second.', /500/),
			slot('place', /where does/i, 'On a single machine.', /machine/i),
			slot('keep', /how long/i, 'Keep them 90 days.', /90/),
			slot('twice', /twice/i, 'Duplicates are dropped by event id.', /duplicate|idempot/i),
		],
		gold: {
			facts: [
				'integrates_with(stripe).',
				'performance(events_per_second,500).',
				'programming_language(go).',
				'quality(idempotency).',
				'requires_ui(false).',
				'retention(events,90,days).',
				'uses_technology(postgres).',
			],
			excluded: ['ungrounded'],
			ui: false,
			trigger: 'complete',
			notCaptured: ['place'],
			covered: ['D3', 'D5', 'D6'],
		},
	},
	{
		id: 'complete-spec',
		title: 'gives what looks like a whole specification at once',
		language: 'en',
		wish: [
			'CLI tool `logsift` in Rust. Reads log files up to 10 GB, filters by regular expression, prints matching lines.',
			'Runs on Linux and macOS. Memory below 64 MB. Exit code 1 when nothing matches.',
			'Distributed as one static binary. MIT licence. Done by 2026-12-01. Terminal only.',
		].join('\n'),
		mind: {
			ask: [
				// Wants to be done at once, twice; it is not let.
				finalText('logsift', 'A CLI tool.', ['programming_language(rust). % "in Rust"']),
				finalText('logsift', 'A CLI tool.', ['programming_language(rust). % "in Rust"']),
				finalText('logsift', 'A CLI tool in Rust that filters log files up to 10 GB and needs less than 64 MB.', [
					'programming_language(rust). % "in Rust"',
					'has_feature(regex_filter). % "filters by regular expression"',
					'data_volume(log_file, 10, gb). % "log files up to 10 GB"',
					'performance(memory, 64, mb). % "Memory below 64 MB"',
					'platform(linux). % "Runs on Linux and macOS"',
					'platform(macos). % "Runs on Linux and macOS"',
					'deadline(\'2026-12-01\'). % "Done by 2026-12-01"',
					'constraint(mit_licence). % "MIT licence"',
					'requires_ui(false).',
				]),
			],
			final: [''],
		},
		otherwise: 'As written above.',
		slots: [],
		gold: {
			facts: [
				'constraint(mit_licence).',
				'data_volume(log_file,10,gb).',
				"deadline('2026-12-01').",
				'has_feature(regex_filter).',
				'performance(memory,64,mb).',
				'platform(linux).',
				'platform(macos).',
				'programming_language(rust).',
				'requires_ui(false).',
			],
			excluded: [],
			ui: false,
			trigger: 'complete',
			signs: ['E10'],
			covered: ['D1', 'D2', 'D3'],
		},
	},
	{
		id: 'numbers',
		title: 'has many figures, and the model gets some wrong',
		language: 'en',
		wish: 'A meter-reading service for 1,250 flats.',
		mind: {
			ask: [
				'D3: How often is each meter read?\nD5: How fast must a bill be shown?\nD7: What does it cost at most?',
				finalText(
					'meter_reading',
					'Reads the meters of 1,250 flats. A bill is shown within 800 ms. It serves 2000 buildings.',
					[
						'data_volume(flats, 1250). % "1,250 flats"',
						'data_volume(readings, 96, day). % "96 times a day"',
						'performance(bill, 800, ms). % "within 800 ms"',
						'performance(bill, 750, ms). % "within 800 ms"',
						'budget(18500, eur). % "18.500 EUR"',
						'budget(20000, eur). % "18.500 EUR"',
						'availability(99.9). % "99.9 percent"',
						'deadline(\'2026-09-30\'). % "30 September 2026"',
					],
				),
			],
			final: [''],
		},
		slots: [
			slot('rate', /how often/i, 'Each meter is read 96 times a day.', /96/),
			slot('speed', /how fast/i, 'A bill is shown within 800 ms, and it is up 99.9 percent.', /800/),
			slot('money', /cost/i, 'At most 18.500 EUR, done by 30 September 2026.', /18\.?500/),
		],
		gold: {
			facts: [
				'availability(99.9).',
				'budget(18500,eur).',
				'data_volume(flats,1250).',
				'data_volume(readings,96,day).',
				"deadline('2026-09-30').",
				'performance(bill,800,ms).',
			],
			excluded: ['number_not_said', 'number_not_said'],
			ui: false,
			trigger: 'complete',
			covered: ['D3', 'D5', 'D7'],
		},
	},
	{
		id: 'addresses',
		title: 'names addresses that must stay as they are',
		language: 'en',
		wish: 'Mirror https://data.example.org/v2/feed?lang=en into our bucket every night.',
		mind: {
			ask: [
				'D4: Who is told when a run fails?\nD6: Which bucket is the target?',
				finalText(
					'feed_mirror',
					'Mirrors https://data.example.org/v2/feed?lang=en every night. See https://evil.example.net/ for more.',
					[
						'integrates_with(\'https://data.example.org/v2/feed?lang=en\'). % "Mirror https://data.example.org/v2/feed?lang=en"',
						'integrates_with(\'https://data.example.org/v3/feed\'). % "Mirror https://data.example.org/v2/feed?lang=en"',
						'interface(mail, \'ops@example.org\'). % "Write to ops@example.org"',
						'interface(mail, \'admin@example.org\'). % "Write to ops@example.org"',
						'deploy_on(\'s3://mirror-7\'). % "The target is s3://mirror-7"',
					],
				),
			],
			final: [''],
		},
		slots: [
			slot('alert', /who is told/i, 'Write to ops@example.org when it fails.', /ops@example\.org/),
			slot('bucket', /bucket/i, 'The target is s3://mirror-7.', /mirror-7/),
		],
		gold: {
			facts: [
				"deploy_on('s3://mirror-7').",
				"integrates_with('https://data.example.org/v2/feed?lang=en').",
				"interface(mail,'ops@example.org').",
			],
			excluded: ['url_not_said', 'url_not_said'],
			ui: false,
			trigger: 'complete',
			covered: ['D4', 'D6'],
		},
	},
	{
		id: 'ticks-boxes',
		title: 'only ticks options and adds a word',
		language: 'en',
		wish: 'A parts catalogue for our workshop',
		acts: [{ tick: /mechanics|browser/i, text: 'about 12000 parts' }, { tick: /own server/i }],
		mind: {
			ask: [
				asking(
					question('D1', 'Who looks parts up?', ['mechanics', 'customers', 'office'], 'multi'),
					question('D4', 'How do they look parts up?', ['in a browser', 'by telephone']),
					question('D3', 'How many parts are there?'),
				),
				asking(question('D6', 'Where should it run?', ['own server (recommended)', 'rented server'])),
				{
					structured: {
						questions: [],
						REQUIREMENTS_COMPLETE: true,
						PROJECT_NAME: 'parts_catalogue',
						TASK_SUMMARY: 'A parts catalogue for a workshop with about 12000 parts.',
						ESCALATE_TO: 'U:BA',
						PROLOG_FACTS: [
							{ fact: 'has_feature(parts_catalogue)', quote: 'A parts catalogue for our workshop' },
							{ fact: 'user_role(mechanics)', quote: 'mechanics' },
							{ fact: 'user_role(customers)', quote: 'customers' },
							{ fact: 'platform(browser)', quote: 'in a browser' },
							{ fact: 'data_volume(parts, 12000)', quote: 'about 12000 parts' },
							{ fact: 'hosting(own_server)', quote: 'own server' },
						],
					},
				},
			],
			final: [''],
		},
		slots: [
			slot('who', /who looks/i, '', /mechanics/i),
			slot('how', /how do they/i, '', /browser/i),
			slot('volume', /how many/i, '', /12000/),
			slot('place', /where should/i, '', /own server/i),
		],
		gold: {
			facts: [
				'data_volume(parts,12000).',
				'has_feature(parts_catalogue).',
				'hosting(own_server).',
				'platform(browser).',
				'user_role(mechanics).',
			],
			excluded: ['ungrounded'],
			ui: false,
			trigger: 'complete',
			covered: ['D1', 'D3', 'D4', 'D6'],
		},
	},
	{
		id: 'ui-then-not',
		title: 'wants screens first, then none',
		language: 'en',
		wish: 'A tool with a dashboard for our deploy times.',
		acts: [
			{ say: 'The deploy times come from our log files. Two dashboards would be nice.' },
			{ say: 'On reflection headless. I read the numbers with curl, so no dashboard and no dashboards at all.' },
		],
		mind: {
			ask: [
				'D3: Where do the deploy times come from?',
				'D4: How will you read the numbers?',
				finalText('deploy_times', 'A tool for deploy times.', [
					'stores(deploy_times). % "The deploy times come from our log files"',
					'interface(curl). % "I read the numbers with curl"',
					'has_feature(dashboard). % "A tool with a dashboard"',
					'requires_ui(true).',
				]),
			],
			final: [''],
		},
		slots: [slot('source', /come from/i, '', /deploy times/i), slot('reading', /read the numbers/i, '', /curl/i)],
		gold: {
			facts: ['interface(curl).', 'stores(deploy_times).'],
			excluded: ['negated'],
			ui: false,
			trigger: 'complete',
			flaws: { extra: ['has_feature(dashboard).'] },
			covered: ['D3', 'D4'],
		},
	},
	{
		id: 'ui-after-all',
		title: 'wants no screen first, then one',
		language: 'en',
		wish: 'A backend only service that counts parking lots, no website.',
		acts: [{ say: 'There are 80 lots. My boss now wants a big screen at the gate.' }],
		mind: {
			ask: [
				'D3: How many lots are there?\nD4: Who sees the count?',
				finalText('parking_count', 'A service that counts 80 parking lots, with a big screen at the gate.', [
					'data_volume(lots, 80). % "There are 80 lots"',
					'interface(screen, gate). % "a big screen at the gate"',
					'out_of_scope(website). % "no website"',
					'requires_ui(true).',
				]),
			],
			final: [''],
		},
		slots: [slot('lots', /how many/i, '', /80/), slot('viewer', /who sees/i, '', /screen/i)],
		gold: {
			facts: ['data_volume(lots,80).', 'interface(screen,gate).', 'out_of_scope(website).', 'requires_ui(true).'],
			excluded: [],
			ui: true,
			trigger: 'complete',
			covered: ['D3', 'D4'],
		},
	},
];
