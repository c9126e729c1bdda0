import type { Erased, Held, Person, PersonHolder } from './person.ts';

/** All names under which any place knows the person. Ask before erasing: names are found in what is erased. */
export async function findPerson(id: string, holders: readonly PersonHolder[]): Promise<Person> {
	const names = new Set<string>();
	for (const holder of holders) for (const name of (await holder.names?.(id)) ?? []) names.add(name);
	return { id, names: [...names].sort() };
}

/** Everything that is held about a person, place by place; places without anything are listed too. */
export async function exportPerson(person: Person, holders: readonly PersonHolder[]): Promise<Held[]> {
	const held: Held[] = [];
	for (const holder of holders)
		held.push({ holder: holder.name, about: holder.about, items: await holder.export(person) });
	return held;
}

/** Erases place by place. What one place rejects with stops the rest: run it again when the cause is gone. */
export async function erasePerson(person: Person, holders: readonly PersonHolder[]): Promise<Erased[]> {
	const erased: Erased[] = [];
	for (const holder of holders) erased.push({ holder: holder.name, ...(await holder.erase(person)) });
	return erased;
}
