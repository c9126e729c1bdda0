% What does not stop a packet but must not go unseen: the person and the business analyst are told.

article(nothing_known, "No requirement could be kept",
    "A packet without a single supported fact goes on only with that said aloud.").

flag(nothing_known, "No fact could be supported by what was said; the business analyst gets the conversation alone.") :-
    fact_count(0).

article(facts_set_aside, "Facts were set aside",
    "What the model wrote and nobody said is left out, and the person is told so (CONST-032-001).").

flag(facts_set_aside, [Count, " of the model's facts had no support or could not be read and were left out."]) :-
    excluded_count(Count),
    Count > 0.

article(subject_not_discussed, "Subjects that were never discussed",
    "What nobody asked about is handed on as missing, not as agreed.").

flag(subject_not_discussed, ["Not discussed: ", List, "."]) :-
    findall(Name, (dimension_name(Dimension, Name), dimension_status(Dimension, open)), Names),
    Names \== [],
    atomic_list_concat(Names, ', ', List).

dimension_name(d1, 'functional scope').
dimension_name(d2, 'tech stack').
dimension_name(d3, 'data model').
dimension_name(d4, interfaces).
dimension_name(d5, quality).
dimension_name(d6, deployment).
dimension_name(d7, constraints).

article(interface_not_discussed, "A user interface without a word about it",
    "A wish with screens needs its interfaces talked about.").

flag(interface_not_discussed, "A user interface is wanted, but what it shows was not settled.") :-
    ui_requirements(true),
    \+ dimension_status(d4, answered).

article(wanted_and_excluded, "Wanted and not wanted at once",
    "Two requirements that contradict each other are pointed out before anybody builds one of them.").

flag(wanted_and_excluded, [Thing, " is asked for and ruled out."]) :-
    requirement(out_of_scope(Thing)),
    requirement(has_feature(Thing)).

article(depends_on_unknown, "A dependency on nothing",
    "What a part depends on has to be part of the wish, and not itself.").

flag(depends_on_unknown, [Part, " depends on itself."]) :-
    requirement(depends_on(Part, Part)).
flag(depends_on_unknown, [Part, " depends on ", Other, ", which is not among the requirements."]) :-
    requirement(depends_on(Part, Other)),
    Part \== Other,
    \+ spoken_of(Other).

spoken_of(Thing) :-
    requirement(Fact),
    Fact \= depends_on(_, _),
    Fact =.. [_, Thing|_].

article(written_by_code, "Written without the model",
    "What the program had to write because the model gave nothing is marked as such.").

flag(written_by_code, ["The model gave no usable ", What, "; the program wrote it from the conversation."]) :-
    stand_in(What).

article(human_wanted, "Somebody is asked for",
    "A packet that asks for a human goes to U:BA all the same and is marked.").

flag(human_wanted, "The intake asked for a human to look at this.") :-
    requires_escalation(true).
