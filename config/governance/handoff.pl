% The constitution: what must hold for every packet that leaves the intake. The same articles stand in the program as
% plain code; here they can be read, cited and added to. How to add one: docs/governance.md.

% ---- The packet is what it says it is ----

article(packet_well_formed, "The packet is complete",
    "Every figure and name that the other articles rest on is stated, and stated once.").

deny(packet_well_formed, ["The packet states its ", What, " ", Count, " times; it has to be once."]) :-
    stated_once(What, Count),
    Count =\= 1.

stated_once(sender, Count) :- aggregate_all(count, packet_from(_), Count).
stated_once(receiver, Count) :- aggregate_all(count, packet_to(_), Count).
stated_once(subject, Count) :- aggregate_all(count, packet_subject(_), Count).
stated_once(trigger, Count) :- aggregate_all(count, trigger(_), Count).
stated_once('reason for ending', Count) :- aggregate_all(count, cause(_), Count).
stated_once('round count', Count) :- aggregate_all(count, round_count(_), Count).
stated_once('round limit', Count) :- aggregate_all(count, max_rounds(_), Count).
stated_once('number of question sets', Count) :- aggregate_all(count, question_sets(_), Count).
stated_once('number of facts', Count) :- aggregate_all(count, fact_count(_), Count).

% ---- First call asks (G162-1, CONST-032-008, CONST-032-010) ----

article(first_call_asks, "The first call asks",
    "Nothing is handed on before the person was asked at least once, however complete the wish looked.").

deny(first_call_asks, "The packet would leave before a single question was put to the person.") :-
    question_sets(Sets),
    Sets < 1.

% ---- Round limit (G213, CONST-032-011) ----

article(rounds_within_limit, "At most four rounds",
    "A person is asked for four rounds at most, and no setting changes that.").

deny(rounds_within_limit, ["The intake went to round ", Rounds, "; the limit is 4."]) :-
    round_count(Rounds),
    Rounds > 4.
deny(rounds_within_limit, ["The round limit was changed to ", Limit, "; it is 4."]) :-
    max_rounds(Limit),
    Limit =\= 4.
deny(rounds_within_limit, [Sets, " sets of questions were asked; at most 3 can be."]) :-
    question_sets(Sets),
    Sets > 3.

% ---- Honest completion (CONST-032-003) ----

article(completion_honest, "Complete only when it was said or the limit was reached",
    "A packet calls itself complete only when completion was signalled; every other ending is marked as forced.").

deny(completion_honest, ["The packet calls itself ", Trigger, " although it ended by ", Cause, "."]) :-
    trigger(Trigger),
    cause(Cause),
    \+ ending(Trigger, Cause).
deny(completion_honest, ["The round limit is given as the reason, but only ", Rounds, " of 4 rounds were held."]) :-
    cause(round_limit),
    round_count(Rounds),
    Rounds < 4.

ending(complete, signal).
ending(forced, round_limit).
ending(forced, finish_now).
ending(forced, auto_lock).

% ---- Business analyst only (CONST-032-009) ----

article(only_to_analyst, "To the business analyst, always and only",
    "The intake hands its requirements to U:BA and to nobody else, under its own name.").

deny(only_to_analyst, ["The packet is addressed to ", To, "; it may only go to U:BA."]) :-
    packet_to(To),
    To \== 'U:BA'.
deny(only_to_analyst, ["The packet is sent as ", From, "; it may only be sent as U:Cx."]) :-
    packet_from(From),
    From \== 'U:Cx'.
deny(only_to_analyst, ["The packet's subject is ", Subject, "; it has to be requirements."]) :-
    packet_subject(Subject),
    Subject \== requirements.

% ---- Facts grounded (CONST-032-001, CONST-032-004, CONST-032-006) ----

article(facts_grounded, "Every fact rests on the person's own words",
    "No requirement leaves that cannot be traced to something the person wrote.").

deny(facts_grounded, ["Nothing the person wrote supports ", Fact, "."]) :-
    requirement(Fact),
    \+ supported(Fact).

supported(Fact) :-
    fact_at(Place, Fact),
    fact_evidence(Place, Quotes),
    Quotes >= 1.

% ---- Facts whole (CONST-032-005) ----

article(facts_whole, "No fact is lost or slipped in on the way",
    "The facts that were checked are exactly the facts that leave.").

deny(facts_whole, ["The packet announces ", Said, " facts but holds ", Count, "."]) :-
    fact_count(Said),
    aggregate_all(count, requirement(_), Count),
    Count =\= Said.
deny(facts_whole, ["A fact is listed that is not among the requirements: ", Fact, "."]) :-
    fact_at(_, Fact),
    \+ requirement(Fact).

% ---- No secrets ----

article(no_secrets, "No passwords or keys in a requirement",
    "What looks like a password, a private key or an access token does not travel with the requirements.").

deny(no_secrets, ["Requirement ", Place, " holds what looks like a secret (", Kind, "). Say where it is kept instead of what it is."]) :-
    fact_at(Place, Fact),
    word_in(Fact, Word),
    secret(Word, Kind).

% Every atom and string in a term.
word_in(Term, Term) :-
    atom(Term).
word_in(Term, Term) :-
    string(Term).
word_in(Term, Word) :-
    compound(Term),
    Term =.. [_|Parts],
    member(Part, Parts),
    word_in(Part, Word).

secret(Word, Kind) :-
    secret_sign(Kind, Start, Least),
    sub_atom(Word, Before, _, _, Start),
    atom_length(Word, Length),
    Length - Before >= Least,
    !.

% A sign of each kind, and how long the text has to be from there on.
secret_sign('private key', '-----BEGIN ', 16).
secret_sign('GitHub token', ghp_, 20).
secret_sign('GitHub token', github_pat_, 30).
secret_sign('Slack token', 'xoxb-', 20).
secret_sign('API key', 'sk-', 24).
secret_sign('AWS key', 'AKIA', 20).
secret_sign('Google key', 'AIza', 30).
secret_sign('web token', 'eyJ', 40).
