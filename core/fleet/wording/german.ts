import type { FeedCause, FeedKind } from '../feed-event.ts';
import type { SessionState } from '../session-state.ts';
import type { FleetWording } from './fleet-wording.ts';

const MINUTE_MS = 60_000;

const STATES: Readonly<Record<SessionState, string>> = {
	starting: 'startet',
	working: 'arbeitet',
	waiting: 'wartet',
	idle: 'pausiert',
	finished: 'fertig',
	failed: 'gescheitert',
	stopped: 'beendet',
};

/** What the plain notice tells of; other kinds keep their own names. */
const HAPPENED: Partial<Readonly<Record<FeedKind, string>>> = {
	question: 'fragt',
	answered: 'hat eine Antwort bekommen',
	message: 'schreibt',
	finished: 'ist fertig',
	failed: 'ist gescheitert',
	stopped: 'ist beendet',
	stale: 'meldet sich nicht mehr',
	watch_fired: 'wurde beobachtet',
};

const ROLES: Readonly<Record<FeedCause['role'], string>> = {
	session: 'Sitzung',
	person: 'Person',
	concierge: 'Concierge',
	system: 'System',
};

/** `40 s`, `2 min`, `3 h`, `5 Tage`. */
function time(ms: number): string {
	const minutes = Math.floor(Math.max(0, ms) / MINUTE_MS);
	if (minutes < 1) return `${Math.floor(Math.max(0, ms) / 1_000)} s`;
	if (minutes < 60) return `${minutes} min`;
	const hours = Math.floor(minutes / 60);
	return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} Tage`;
}

function dollars(usd: number): string {
	return `${usd.toFixed(2).replace('.', ',')} $`;
}

export const GERMAN: FleetWording = {
	time,
	ago: (at, now) => {
		if (now - at < 10_000) return 'gerade eben';
		return `vor ${time(now - at).replace('Tage', 'Tagen')}`;
	},
	state: (state) => STATES[state],
	noReason: 'ohne Angabe von Gründen',

	off: 'aus',
	noModel: 'kein Modell: Wer jemanden braucht, meldet das Programm',
	noPrice: (model) => `kein Preis für ${model}: model.prices setzen oder das Budget auf 0`,
	overBudget: (usd) => `Tagesbudget von ${dollars(usd)} verbraucht, bis morgen wird er nicht geweckt`,
	modelFailed: (code, times) => `Modell gestört: ${code}${times === 1 ? '' : ` (${times}-mal)`}`,
	held: (wakes) => `angehalten: in dieser Stunde schon ${wakes}-mal geweckt`,
	needsYou: (words, when, more) => `du wirst gebraucht: ${words} (${when})${more > 0 ? ` und ${more} weitere` : ''}`,
	failed: (name, reason) => `${name} ist gescheitert: ${reason}`,
	asks: (name, question) => `${name} fragt: ${question}`,
	works: (count) =>
		count === 0 ? 'nichts läuft' : `${count} ${count === 1 ? 'Sitzung arbeitet' : 'Sitzungen arbeiten'}`,
	costToday: (usd) => `heute ${dollars(usd)}`,
	fresh: (count) => `${count} neu`,
	shortWorks: (count) => (count === 0 ? 'alles ruhig' : `${count} bei der Arbeit`),
	shortNeed: (name, more) => `du wirst gebraucht: ${name}${more > 0 ? ` +${more}` : ''}`,

	endedMark: 'zu Ende',
	noReportSince: (when) => `letzte Meldung ${when}; vielleicht arbeitet sie noch`,
	runs: (what, when) => `führt ${what} aus, begonnen ${when}`,
	asksThis: (question) => `fragt: ${question}`,
	failedWith: (reason) => `gescheitert: ${reason}`,
	endedWith: (reason) => `zu Ende: ${reason}`,
	lastWords: (summary) => `zuletzt: ${summary}`,
	where: (source, host) => `${source} auf ${host}`,
	costs: (todayUsd, totalUsd) => `heute ${dollars(todayUsd)}, insgesamt ${dollars(totalUsd)}`,
	muted: 'stumm: keine Karten und Erwähnungen',

	silentSince: (when) => `letzte Meldung ${when}`,
	startedAt: (started, reported, number) =>
		`begonnen ${started}, letzte Meldung ${reported}${number > 0 ? ` (Nummer ${number})` : ''}`,
	runsFor: (length) => `Dauer ${length}`,
	file: (path) => `Datei ${path}`,
	nativeId: (id) => `eigene Kennung ${id}`,

	causedBy: (who, role) => `durch ${who} (${ROLES[role]})`,
	byConcierge: 'durch den Concierge',
	askedBy: (who) => `gefragt von ${who}`,
	wokenBy: (name, kind, more) =>
		`geweckt von ${name}: ${kind.replaceAll('_', ' ')}${more > 0 ? ` und ${more} weiteren` : ''}`,
	wokenByClock: 'geweckt von seinem Takt',
	wokenByStart: 'geweckt beim Einschalten',

	stillWaits: (name, waited, question) => `${name} wartet immer noch auf eine Antwort (${waited}): ${question}`,
	noSessions: 'Es sind keine Sitzungen bekannt.',
	stateFor: (state, since) => `${STATES[state]} seit ${since.replace('Tage', 'Tagen')}`,
	runsSince: (what, when) => `, führt ${what} aus, begonnen ${when}`,
	silentFor: (since) => `, ohne Meldung seit ${since.replace('Tage', 'Tagen')}`,
	asksInline: (question) => ` fragt ${question}`,
	andMore: (count) => `und ${count} weitere`,
	fleet: 'Flotte',
	happened: (name, kind, when, text) => `${name} ${HAPPENED[kind] ?? kind} (${when}): ${text}`,
	modelNotice: (failures, code) =>
		`Das Modell des Concierge ist ${failures}-mal hintereinander ausgefallen (${code}). Bis es wieder geht, schreibt das Programm diese Liste.`,
	whatHappened: 'Was geschehen ist:',
	theFleet: 'Die Flotte:',
	asItStands: (why) => `${why} So steht es um die Flotte:`,
	notAnswered: 'Deine Frage konnte nicht beantwortet werden.',
	switchedOff: 'Der Concierge wurde ausgeschaltet.',
	modelFailedOnce: (code) => `Das Modell des Concierge ist ausgefallen (${code}).`,
	limited: (_why, at) =>
		`Die Grenze für Anfragen an das Sprachmodell ist erreicht. Der Concierge wurde nicht gefragt und deine Frage ist nicht aufgehoben; frag nach ${at} noch einmal.`,
};
