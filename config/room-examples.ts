/** Two whole rooms for the example file; between them every setting of a room occurs. */
export const roomExamples = [
	{
		id: 'living',
		title: 'Living room',
		channelId: '123456789012345678',
		adminChannelId: '123456789012345679',
		lights: [
			{ entityId: 'light.shelf', label: 'shelf lamp' },
			{ entityId: 'light.corner', label: 'corner lamp', show: 'color' },
			{ entityId: 'switch.reading_outlet', label: 'reading lamp' },
		],
		lift: { driver: 'cover', entityId: 'cover.tv_lift', travelMs: 25_000 },
		neato: {
			driver: 'vacuum',
			entityId: 'vacuum.robot',
			chargingEntityId: 'binary_sensor.robot_charging',
			errorEntityId: 'sensor.robot_error',
			clearErrorsEntityId: 'button.robot_clear_errors',
		},
		rovers: [
			{
				id: 'rover1',
				label: 'Red rover',
				source: 'entities',
				drivingEntityId: 'binary_sensor.rover1_driving',
				driverEntityId: 'sensor.rover1_driver',
				dockedEntityId: 'binary_sensor.rover1_docked',
				chargingEntityId: 'binary_sensor.rover1_charging',
				hazardEntityId: 'sensor.rover1_hazard',
			},
			{ id: 'rover2', source: 'http' },
		],
		scripts: [{ entityId: 'script.movie_night', label: 'movie night' }],
		buttonBoxEntityIds: ['input_number.box_1', 'input_number.box_2', 'input_number.box_3', 'input_number.box_4'],
		lightsLockButtonEntityId: 'input_button.lights_lock',
		presenceEntityIds: ['binary_sensor.living_presence'],
	},
	{
		id: 'workshop',
		title: 'Workshop',
		channelId: '123456789012345680',
		lift: { driver: 'switches', upEntityId: 'switch.bench_up', downEntityId: 'switch.bench_down', interlockMs: 9_000 },
		neato: {
			driver: 'esphome',
			buttons: {
				houseClean: 'button.neato_house_clean',
				resume: 'button.neato_resume',
				sendToBase: 'button.neato_send_to_base',
				locate: 'button.neato_locate',
				clearErrors: 'button.neato_clear_errors',
				pause: 'button.neato_pause',
			},
			sensors: {
				charging: 'binary_sensor.neato_charging',
				robotState: 'sensor.neato_robot_state',
				uiState: 'sensor.neato_ui_state',
				error: 'sensor.neato_error',
				alert: 'sensor.neato_alert',
			},
			resumeAfterMs: 3_000,
		},
	},
];
