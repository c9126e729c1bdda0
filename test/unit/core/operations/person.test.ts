import { describe, expect, test } from 'vitest';
import { isAbout, jsonWithoutPerson, withoutPerson } from '../../../../core/operations/person.ts';

const person = { id: '710000000000000001', names: ['Alex', 'Al', 'J. (Alex) *'] };

describe('one person in texts', () => {
	test('OPS-16 ids go everywhere, in keys too; names only as words of their own', () => {
		const value = { [person.id]: 1, list: ['<@!710000000000000001> hi', 'Alexander and Alex'], at: 5, none: null };
		expect(withoutPerson(value, person)).toEqual({
			'deleted-person': 1,
			list: ['@someone hi', 'Alexander and someone'],
			at: 5,
			none: null,
		});
	});

	test('OPS-16 short names and odd characters neither hit ordinary words nor break', () => {
		expect(withoutPerson('Al fresco, J. (Alex) *!', person)).toBe('Al fresco, someone!');
		expect(isAbout('ALEX was here', person)).toBe(true);
		expect(isAbout('al dente', person)).toBe(false);
		expect(isAbout('Alexandria', person)).toBe(false);
	});

	test('OPS-16 JSON stays JSON, plain text stays text, other values stay as they were written', () => {
		expect(JSON.parse(jsonWithoutPerson('{"a":"Alex \\"x\\""}', person))).toEqual({ a: 'someone "x"' });
		expect(jsonWithoutPerson('Alex, 5', person)).toBe('someone, 5');
		expect(jsonWithoutPerson('12', person)).toBe('12');
	});
});
