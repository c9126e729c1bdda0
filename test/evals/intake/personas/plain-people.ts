import { finalText, type Persona, slot } from '../persona.ts';

/** People without a trade in software, who answer in their own way. */
export const PLAIN_PEOPLE: readonly Persona[] = [
	{
		id: 'terse',
		title: 'says as little as possible',
		language: 'en',
		wish: 'booking app for my salon',
		mind: {
			ask: [
				'D1: What should customers be able to book?\nD1: Who works in the salon?\nD4: On which devices will people book?',
				'D7: Is there a deadline?',
				finalText('salon_booking', 'A booking app for a salon with 4 stylists.', [
					'has_feature(haircut_booking). % "haircuts"',
					'user_role(stylist, 4). % "4 stylists"',
					'platform(phone). % "phones"',
					'deadline(may). % "May"',
				]),
			],
			final: [''],
		},
		slots: [
			slot('service', /able to book/, 'haircuts', /haircut/i),
			slot('staff', /who works/i, '4 stylists', /stylist/i),
			slot('device', /devices/i, 'phones', /phone/i),
			slot('deadline', /deadline/i, 'May', /\bmay\b/i),
		],
		gold: {
			facts: ['deadline(may).', 'has_feature(haircut_booking).', 'platform(phone).', 'user_role(stylist,4).'],
			excluded: [],
			ui: false,
			trigger: 'complete',
			covered: ['D1', 'D4', 'D7'],
		},
	},
	{
		id: 'rambling',
		title: 'tells the story of the shop around three facts',
		language: 'en',
		wish: 'So my aunt started this flower shop in 1987, lovely place, corner of the market, and since she retired I have been doing all of it on paper, which honestly is a mess, last week I even delivered the wrong roses to a funeral, imagine. Anyway what I want is something that keeps the orders together so that the driver knows where to go.',
		acts: [
			{
				say: 'Oh the driver, that is Tom, he is great, he has been with us forever. He needs the address and the delivery time, nothing else really. My sister says we should do Instagram too but I do not want that. We deliver 25 bouquets on a normal day, on Mother’s Day it is madness.',
			},
			{
				say: 'Well, where does it run, you ask me things! It has to work on the old laptop in the back room, that is all we have. And it must not cost more than 300 euros a year, my accountant would kill me.',
			},
		],
		mind: {
			ask: [
				'D1: What does the driver need to know about an order?\nD3: How many orders are there on a day?',
				'D6: Where should it run?\nD7: Which limits of money are there?',
				finalText(
					'flower_orders',
					'Keeps the orders of a flower shop together so that the driver knows where to go. It must not cost more than 300 euros a year.',
					[
						'has_feature(order_list). % "keeps the orders together"',
						'user_role(driver). % "so that the driver knows where to go"',
						'data_field(order, address). % "He needs the address and the delivery time"',
						'data_field(order, delivery_time). % "the address and the delivery time"',
						'data_volume(bouquets, 25, day). % "We deliver 25 bouquets on a normal day"',
						'integrates_with(instagram). % "My sister says we should do Instagram too"',
						'deploy_on(old_laptop). % "the old laptop in the back room"',
						'budget(300, euros, year). % "must not cost more than 300 euros a year"',
					],
				),
			],
			final: [''],
		},
		slots: [
			slot('driver data', /driver need/i, '', /address/i),
			slot('volume', /how many/i, '', /25/),
			slot('place', /where should/i, '', /laptop/i),
			slot('money', /money/i, '', /300/),
		],
		gold: {
			facts: [
				'budget(300,euros,year).',
				'data_field(order,address).',
				'data_field(order,delivery_time).',
				'data_volume(bouquets,25,day).',
				'deploy_on(old_laptop).',
				'has_feature(order_list).',
				'user_role(driver).',
			],
			excluded: [],
			ui: false,
			trigger: 'complete',
			flaws: { extra: ['integrates_with(instagram).'] },
			covered: ['D1', 'D3', 'D6', 'D7'],
		},
	},
	{
		id: 'contradictory',
		title: 'says one thing and its opposite',
		language: 'en',
		wish: 'A quiz game for my class. No accounts, children must not log in.',
		acts: [
			{ say: 'There are 30 children. Each child logs in with an account so that I see the score.' },
			{ say: 'No accounts. Only a nickname. The score is shown at the end.' },
		],
		mind: {
			ask: [
				'D1: What do you want to see about each child?\nD5: How many children play at the same time?',
				'D1: How does a child tell the game who it is?',
				finalText('class_quiz', 'A quiz game for a class of 30 children.', [
					'has_feature(quiz_game). % "A quiz game for my class"',
					'has_feature(accounts). % "Each child logs in with an account"',
					'out_of_scope(accounts). % "No accounts"',
					'users_expected(30). % "There are 30 children"',
					'data_field(child, nickname). % "Only a nickname"',
				]),
			],
			final: [''],
		},
		slots: [
			slot('size', /how many/i, '', /30/),
			slot('identity', /who it is/i, '', /nickname/i),
			slot('see', /see about/i, '', /score/i),
		],
		gold: {
			facts: [
				'data_field(child,nickname).',
				'has_feature(accounts).',
				'has_feature(quiz_game).',
				'out_of_scope(accounts).',
				'users_expected(30).',
			],
			excluded: [],
			ui: false,
			trigger: 'complete',
			covered: ['D1', 'D5'],
			notCaptured: ['see'],
		},
	},
	{
		id: 'changes-mind',
		title: 'changes an answer when the result is shown',
		language: 'en',
		wish: 'I want to keep a list of the books in our school library.',
		edit: { when: 'review', round: 1, text: 'There are 5000 books. The library runs on a tablet at the door.' },
		mind: {
			ask: [
				'D3: How many books are there?\nD6: Where does it run?',
				finalText('school_library', 'A list of the books in a school library.', [
					'data_volume(books, 2000). % "There are 2000 books"',
					'deploy_on(office_computer). % "the computer in the office"',
				]),
			],
			final: [
				finalText('school_library', 'A list of 5000 books in a school library.', [
					'data_volume(books, 2000). % "There are 2000 books"',
					'data_volume(books, 5000). % "There are 5000 books"',
					'deploy_on(tablet). % "runs on a tablet at the door"',
				]),
			],
		},
		slots: [
			slot('volume', /how many/i, 'There are 2000 books.', /5000/),
			slot('place', /where/i, 'It runs on the computer in the office.', /tablet/i),
		],
		gold: {
			facts: ['data_volume(books,5000).', 'deploy_on(tablet).'],
			excluded: ['number_not_said'],
			ui: false,
			trigger: 'complete',
			covered: ['D3', 'D6'],
		},
	},
	{
		id: 'later-to-all',
		title: 'puts everything off',
		language: 'en',
		wish: 'something to organise my band',
		otherwise: 'later',
		mind: {
			ask: [
				'D1: What should the band organise with it?\nD3: What does it have to remember?',
				'D4: Who looks at it?\nD6: Where should it run?',
				'D7: By when is it needed?',
			],
			final: [
				finalText('band_organiser', 'Something to organise a band with 5 members.', [
					'project(band). % "something to organise my band"',
					'has_feature(rehearsal_calendar).',
					'users_expected(5).',
				]),
			],
		},
		slots: [],
		gold: {
			facts: ['project(band).'],
			excluded: ['ungrounded', 'ungrounded'],
			ui: false,
			trigger: 'forced',
			signs: ['E12'],
			covered: ['D1', 'D3', 'D4', 'D6', 'D7'],
		},
	},
	{
		id: 'skipper',
		title: 'skips a round and then finishes',
		language: 'en',
		wish: 'Track the water level of our garden tank and tell me when it is below 20 percent.',
		acts: [{ press: 'skip_round' }, { press: 'finish_now' }],
		mind: {
			ask: ['D4: How should you be told?\nD6: Where does it run?', 'D2: Which sensor is there already?'],
			final: [
				finalText('tank_level', 'Tracks the water level of a garden tank and tells when it is below 20 percent.', [
					'has_feature(water_level_tracking). % "Track the water level of our garden tank"',
					'has_feature(alert, 20). % "tell me when it is below 20 percent"',
				]),
			],
		},
		slots: [],
		gold: {
			facts: ['has_feature(water_level_tracking).', 'has_feature(alert,20).'],
			excluded: [],
			ui: false,
			trigger: 'forced',
			covered: ['D2', 'D4', 'D6'],
		},
	},
	{
		id: 'short-messages',
		title: 'answers in several short messages',
		language: 'en',
		wish: 'Our choir needs a place for sheet music.',
		acts: [
			{ messages: ['we are 40 singers', 'everyone reads', 'only Maria uploads', 'PDF files'] },
			{ messages: ['on the web page we have', 'before Christmas'] },
		],
		mind: {
			ask: [
				'**D1 – Functional scope**\n1. Who may add music?\n2. Who may read it?\n\n**D3**\n- What kind of files is it?',
				'D4: Where do people open it?\nD7: By when is it needed?',
				finalText('choir_music', 'A place for the sheet music of a choir of 40 singers.', [
					'has_feature(sheet_music_archive). % "a place for sheet music"',
					'user_role(singer, 40). % "we are 40 singers"',
					'role_can(maria, upload). % "only Maria uploads"',
					'stores(pdf_files). % "PDF files"',
					'requires_ui(true).',
					'deadline(christmas). % "before Christmas"',
				]),
			],
			final: [''],
		},
		slots: [
			slot('upload', /add music/i, '', /maria/i),
			slot('files', /kind of files/i, '', /pdf/i),
			slot('deadline', /by when/i, '', /christmas/i),
		],
		gold: {
			facts: [
				'deadline(christmas).',
				'has_feature(sheet_music_archive).',
				'requires_ui(true).',
				'role_can(maria,upload).',
				'stores(pdf_files).',
				'user_role(singer,40).',
			],
			excluded: [],
			ui: true,
			trigger: 'complete',
			covered: ['D1', 'D3', 'D4', 'D7'],
		},
	},
	{
		id: 'wants-a-human',
		title: 'asks for a person to look at it',
		language: 'en',
		wish: 'We need a register of visitors for the hospital reception. Please let Dr. Okafor decide about privacy.',
		mind: {
			ask: [
				'D3: Which details of a visitor are kept?\nD7: Which laws apply to it?',
				finalText(
					'visitor_register',
					'A register of visitors for a hospital reception.',
					[
						'data_entity(visitor). % "a register of visitors"',
						'data_field(visitor, name). % "Name and ward"',
						'data_field(visitor, ward). % "Name and ward"',
						'compliance(gdpr). % "GDPR applies"',
						'retention(visitor, 30, days). % "deleted after 30 days"',
					],
					'Dr. Okafor',
				),
			],
			final: [''],
		},
		slots: [
			slot('details', /details/i, 'Name and ward.', /ward/i),
			slot('law', /laws/i, 'GDPR applies. Entries are deleted after 30 days.', /gdpr/i),
		],
		gold: {
			facts: [
				'compliance(gdpr).',
				'data_entity(visitor).',
				'data_field(visitor,name).',
				'data_field(visitor,ward).',
				'retention(visitor,30,days).',
			],
			excluded: [],
			ui: false,
			trigger: 'complete',
			covered: ['D3', 'D7'],
			signs: ['escalation'],
		},
	},
];
