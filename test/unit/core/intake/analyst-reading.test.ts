import { describe, expect, test } from 'vitest';
import { readAsAnalyst } from '../../../../core/intake/analyst-reading.ts';
import { handoffFor } from '../../../support/handoff.ts';

describe('the business analyst', () => {
	test('INT-22 says what is clear, what is missing and why, and what is assumed', () => {
		const reading = readAsAnalyst(handoffFor());
		expect(reading.clear).toEqual([{ dimension: 'D1', name: 'Functional scope', requirements: ['R1 Feature: mugs'] }]);
		expect(reading.missing.map(({ dimension, why }) => `${dimension} ${why}`)).toEqual([
			'D2 not_asked',
			'D3 not_answered',
			'D4 left_for_later',
			'D5 no_requirement',
			'D6 not_asked',
			'D7 not_asked',
		]);
		expect(reading.assumed).toEqual(['No user interface is wanted: nobody asked for one.']);
		expect(reading.next).toBe('plan');
		expect(readAsAnalyst(handoffFor())).toEqual(reading);
	});

	test('INT-22 without a word on what it should do, it asks; when a person is named, it asks that person', () => {
		const bare = readAsAnalyst(
			handoffFor({
				body: { requirements: [], trigger: 'forced', cause: 'round_limit', stand_ins: ['all'], UI_REQUIREMENTS: true },
			}),
		);
		expect(bare.next).toBe('clarify');
		expect(bare.assumed).toHaveLength(3);
		expect(readAsAnalyst(handoffFor({ body: { requires_escalation: true } })).next).toBe('ask_a_person');
	});
});
