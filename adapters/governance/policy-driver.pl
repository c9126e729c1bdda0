% Reads policy files, refuses what a policy may not say, and evaluates one packet. Files are read term by term and never
% consulted, so no directive, no term expansion and no load hook of a policy runs.
:- module(policy_driver, [load_policies/5, evaluate/6]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(aggregate)).
:- use_module(library(pairs)).

:- dynamic fact_predicate/2, article/5, ruled/1, defined/4, called/2, unread/1, problem/4, ready/0.

% load_policies(+Files, +FactPredicates, +Vetting, -Outcome, -Rows)
% Files: [[Name, Text]…]; FactPredicates: [[Name, Arity]…]; Vetting: strict, or none (bodies are not looked at).
% Outcome: problems, and Rows [[File, Line, error or warning, Message]…]; or articles, and Rows [[Id, Title, About, File, Line]…].
load_policies(Files, FactPredicates, Vetting, Outcome, Rows) :-
    set_prolog_flag(autoload, false),
    forall(member([Text, Arity], FactPredicates), (atom_string(Name, Text), assertz(fact_predicate(Name, Arity)))),
    catch(maplist(read_file, Files, Lists), Error, (error_text(Error, Said), report(policies, 1, error, Said), Lists = [])),
    append(Lists, Clauses),
    forall(member(Clause, Clauses), note_definition(Clause)),
    forall(member(Clause, Clauses), check_clause(Vetting, Clause)),
    check_whole(Vetting),
    findall([File, Line, Kind, Message], problem(File, Line, Kind, Message), Problems),
    (   Problems == []
    ->  build(Clauses),
        findall([Id, Title, About, File, Line], article(Id, Title, About, File, Line), Rows),
        Outcome = articles
    ;   Rows = Problems,
        Outcome = problems
    ).

report(File, Line, Kind, Message) :- assertz(problem(File, Line, Kind, Message)).
report(File, Line, Kind, Format, Arguments) :-
    format(string(Message), Format, Arguments),
    report(File, Line, Kind, Message).

% ---- reading ----

read_file([File, Text], Clauses) :-
    setup_call_cleanup(open_string(Text, Stream), read_clauses(Stream, File, Clauses), close(Stream)).

read_clauses(Stream, File, Clauses) :-
    catch(read_one(Stream, File, Read), Error, Read = failed(Error)),
    (   Read == end
    ->  Clauses = []
    ;   Read = failed(Error)
    ->  report_syntax(File, Error),
        read_clauses(Stream, File, Clauses)
    ;   Clauses = [Read|Rest],
        read_clauses(Stream, File, Rest)
    ).

read_one(Stream, File, Read) :-
    read_term(Stream, Term, [ module(policy), syntax_errors(error), term_position(Position),
                              variable_names(Names), singletons(Singles), double_quotes(string), back_quotes(codes), dotlists(false) ]),
    stream_position_data(line_count, Position, Line),
    (   Term \== end_of_file
    ->  Read = clause(File, Line, Term, Names, Singles)
    ;   at_end_of_stream(Stream)
    ->  Read = end
    ;   report(File, Line, error, "end_of_file stands in the middle: nothing after it would be read"),
        read_one(Stream, File, Read)
    ).

report_syntax(File, error(syntax_error(What), stream(_, Line, _, _))) :- !,
    assertz(unread(File)),
    (   syntax_words(What, Words) -> true ; Words = What ),
    report(File, Line, error, "syntax: ~w", [Words]).
report_syntax(File, Error) :-
    error_text(Error, Said),
    report(File, 1, error, Said).

syntax_words(operator_expected, "something is missing before this line's end: a full stop, a comma or a closing bracket").
syntax_words(end_of_file, "the file ends in the middle of a rule: the full stop is missing").
syntax_words(end_of_clause, "the rule ends too early").
syntax_words(end_of_clause_expected, "the full stop is missing").
syntax_words(end_of_file_in_quoted(_), "a quote is opened and never closed").
syntax_words(end_of_file_in_block_comment, "a comment is opened and never closed").
syntax_words(cannot_start_term, "a term cannot begin here").
syntax_words(illegal_number, "this is no number").
syntax_words(undefined_char_escape(Char), Words) :- format(string(Words), "\\~w is no escape; a backslash is written \\\\", [Char]).

% ---- checking ----

parts((Head :- Body), Head, Body) :- !.
parts(Head, Head, true).

note_definition(clause(File, Line, Term, _, _)) :-
    parts(Term, Head, _),
    (   plain_head(Head)
    ->  functor(Head, Name, Arity),
        (   defined(Name, Arity, _, _) -> true ; assertz(defined(Name, Arity, File, Line)) ),
        (   Term = article(Id, Title, About), atom(Id), \+ article(Id, _, _, _, _), text(Title), text(About)
        ->  assertz(article(Id, Title, About, File, Line))
        ;   rule_head(Head, Id), atom(Id), \+ ruled(Id)
        ->  assertz(ruled(Id))
        ;   true
        )
    ;   true
    ).

plain_head(Head) :-
    callable(Head), Head \= (:- _), Head \= (?- _), Head \= (_ --> _), Head \= (_ => _), Head \= _:_,
    functor(Head, Name, Arity),
    \+ allowed(Name, Arity), \+ control(Name, Arity), \+ fact_predicate(Name, Arity).

text(Value) :- string(Value), !.
text(Value) :- atom(Value), Value \== [].

check_clause(Vetting, clause(File, Line, Term, Names, Singles)) :-
    parts(Term, Head, Body),
    forall(member(Single=_, Singles), check_single(File, Line, Single)),
    (   \+ plain_head(Head)
    ->  bad_head(Head, Message),
        report(File, Line, error, Message)
    ;   check_head(File, Line, Head, Body),
        check_owner(File, Line, Head),
        (   Vetting == strict -> check_body(Body, at(File, Line, Names)) ; true )
    ).

check_single(File, Line, Name) :-
    report(File, Line, warning, "variable ~w stands only once: a typing error, or write _~w", [Name, Name]).

bad_head(Head, "a clause cannot begin with a variable") :- var(Head), !.
bad_head((:- _), "directives are not run in a policy; leave it out") :- !.
bad_head((?- _), "queries are not run in a policy; leave it out") :- !.
bad_head((_ --> _), "grammar rules are not read; write the rule with :-") :- !.
bad_head((_ => _), "rules are written with :-") :- !.
bad_head(_:_, "a policy has no modules; leave the prefix out") :- !.
bad_head(Head, "a clause begins with a name, as in deny(some_article, Because) :- …") :- \+ callable(Head), !.
bad_head(Head, Message) :-
    functor(Head, Name, Arity),
    (   fact_predicate(Name, Arity)
    ->  format(string(Message), "~q is a fact of the packet; a policy can ask for it, not state it", [Name/Arity])
    ;   format(string(Message), "~q is built in and cannot be defined again", [Name/Arity])
    ).

check_head(File, Line, Head, Body) :-
    (   Head = article(Id, Title, About)
    ->  check_article(File, Line, Id, Title, About, Body)
    ;   rule_head(Head, Id)
    ->  (   \+ atom(Id)
        ->  report(File, Line, error, "the first argument of deny and flag is the name of an article")
        ;   article(Id, _, _, _, _)
        ->  true
        ;   report(File, Line, error, "article ~q is not declared: add article(~q, \"title\", \"what it protects\").", [Id, Id])
        )
    ;   functor(Head, Name, Arity), memberchk(Name, [article, deny, flag])
    ->  (Name == article -> Right = 3 ; Right = 2),
        report(File, Line, error, "~w takes ~w arguments, not ~w", [Name, Right, Arity])
    ;   true
    ).

rule_head(deny(Id, _), Id).
rule_head(flag(Id, _), Id).

check_article(File, Line, Id, Title, About, Body) :-
    (   Body \== true -> report(File, Line, error, "an article is stated, it has no conditions") ; true ),
    (   atom(Id), text(Title), text(About)
    ->  (   article(Id, _, _, File, Line) -> true
        ;   article(Id, _, _, Other, At), report(File, Line, error, "article ~q is already declared in ~w, line ~w", [Id, Other, At]) )
    ;   report(File, Line, error, "an article is article(name, \"title\", \"what it protects\").")
    ).

% A helper of one file must not grow by accident through a second one.
check_owner(File, Line, Head) :-
    functor(Head, Name, Arity),
    (   memberchk(Name/Arity, [article/3, deny/2, flag/2]) -> true
    ;   defined(Name, Arity, File, _) -> true
    ;   defined(Name, Arity, Other, At),
        report(File, Line, error, "~q is already defined in ~w, line ~w; give it another name", [Name/Arity, Other, At])
    ).

check_whole(Vetting) :-
    (   article(_, _, _, _, _) -> true
    ;   problem(_, _, _, _) -> true
    ;   report(policies, 1, error, "no article is declared, so nothing would ever be refused")
    ),
    % What nothing calls may be called in a rule that could not be read.
    (   Vetting == strict, \+ unread(_)
    ->  forall(( defined(Name, Arity, File, Line), \+ memberchk(Name, [article, deny, flag]), \+ called(Name, Arity) ),
               report(File, Line, warning, "nothing uses ~q: a typing error, or leave it out", [Name/Arity])),
        forall(( article(Id, _, _, File, Line), \+ ruled(Id) ),
               report(File, Line, warning, "article ~q has no rule that could break it: add deny(~q, Because) :- ...", [Id, Id]))
    ;   true
    ).

% check_body(+Goal, +Where): every goal that can be reached is one of ours, a fact, or on the list below.
check_body(Goal, Where) :- var(Goal), !,
    complain(Where, "a variable is called; only goals that can be read beforehand are allowed", []).
check_body(Goal, Where) :- \+ callable(Goal), !,
    complain(Where, "~q is no goal", [Goal]).
check_body(Goal, Where) :- inner_goals(Goal, Goals), !,
    forall(member(Inner, Goals), check_inner(Inner, Where)).
check_body(Goal, Where) :-
    functor(Goal, Name, Arity),
    check_call(Name, Arity, Where).

check_inner(goal(Goal), Where) :- check_body(Goal, Where).
check_inner(closure(Closure, Extra), Where) :-
    (   var(Closure) -> check_body(Closure, Where)
    ;   \+ callable(Closure) -> complain(Where, "~q is no goal", [Closure])
    ;   Closure = _:_ -> check_call((:), 2, Where)
    ;   functor(Closure, Name, Given), Arity is Given + Extra,
        (   control(Name, Arity) -> complain(Where, "~q cannot be handed to another goal; write a rule for it", [Name/Arity])
        ;   check_call(Name, Arity, Where)
        )
    ).

check_call(Name, Arity, _) :- defined(Name, Arity, _, _), !,
    (   called(Name, Arity) -> true ; assertz(called(Name, Arity)) ).
check_call(Name, Arity, _) :- ( fact_predicate(Name, Arity) ; allowed(Name, Arity) ), !.
check_call(Name, Arity, Where) :-
    findall(Other, ( defined(Name, Other, _, _) ; fact_predicate(Name, Other) ; allowed(Name, Other) ), Arities),
    (   Arities \== [] -> complain(Where, "~q is not known; it takes ~w arguments", [Name/Arity, Arities])
    ;   functor(Probe, Name, Arity), predicate_property(system:Probe, defined)
    ->  complain(Where, "~q is not allowed in a policy", [Name/Arity])
    ;   complain(Where, "~q is not known: no rule, no fact and not on the list of allowed predicates", [Name/Arity])
    ).

complain(at(File, Line, Names), Format, Arguments) :-
    \+ \+ ( maplist(bind_name, Names), report(File, Line, error, Format, Arguments) ).

control(Name, Arity) :- memberchk(Name/Arity,
    [ (',')/2, (;)/2, (->)/2, (*->)/2, (\+)/1, (^)/2, forall/2, findall/3, findall/4, aggregate_all/3, bagof/3, setof/3, once/1, ignore/1 ]).
control(call, Arity) :- Arity >= 1.
control(maplist, Arity) :- between(2, 6, Arity).
control(Name, Arity) :- memberchk(Name/Arity, [ include/3, exclude/3, partition/4, foldl/4, foldl/5, foldl/6 ]).

inner_goals((A, B), [goal(A), goal(B)]).
inner_goals((A ; B), [goal(A), goal(B)]).
inner_goals((A -> B), [goal(A), goal(B)]).
inner_goals((A *-> B), [goal(A), goal(B)]).
inner_goals(\+ A, [goal(A)]).
inner_goals(_ ^ A, [goal(A)]).
inner_goals(forall(A, B), [goal(A), goal(B)]).
inner_goals(findall(_, A, _), [goal(A)]).
inner_goals(findall(_, A, _, _), [goal(A)]).
inner_goals(aggregate_all(_, A, _), [goal(A)]).
inner_goals(bagof(_, A, _), [goal(A)]).
inner_goals(setof(_, A, _), [goal(A)]).
inner_goals(once(A), [goal(A)]).
inner_goals(ignore(A), [goal(A)]).
inner_goals(Call, [closure(Closure, Extra)]) :- Call =.. [call, Closure|Rest], length(Rest, Extra).
inner_goals(Map, [closure(Closure, Extra)]) :- Map =.. [maplist, Closure|Rest], length(Rest, Extra), Extra >= 1.
inner_goals(include(Closure, _, _), [closure(Closure, 1)]).
inner_goals(exclude(Closure, _, _), [closure(Closure, 1)]).
inner_goals(partition(Closure, _, _, _), [closure(Closure, 1)]).
inner_goals(foldl(Closure, _, _, _), [closure(Closure, 3)]).
inner_goals(foldl(Closure, _, _, _, _), [closure(Closure, 4)]).
inner_goals(foldl(Closure, _, _, _, _, _), [closure(Closure, 5)]).

% What a policy may use. Nothing here reads or writes outside its arguments, changes a rule, prints, or calls a goal.
allowed(Name, Arity) :- memberchk(Name/Arity,
    [ true/0, fail/0, false/0, (!)/0, (=)/2, (\=)/2, (==)/2, (\==)/2, (@<)/2, (@>)/2, (@=<)/2, (@>=)/2, compare/3,
      (is)/2, (=:=)/2, (=\=)/2, (<)/2, (>)/2, (=<)/2, (>=)/2, succ/2, plus/3, between/3,
      var/1, nonvar/1, atom/1, number/1, integer/1, float/1, atomic/1, compound/1, callable/1, is_list/1, string/1, ground/1,
      functor/3, arg/3, (=..)/2, copy_term/2,
      atom_length/2, atom_concat/3, sub_atom/5, atom_chars/2, atom_codes/2, char_code/2, atom_number/2, atom_string/2,
      number_codes/2, number_string/2, string_concat/3, string_length/2, sub_string/5, string_lower/2, string_upper/2,
      string_chars/2, string_codes/2, string_code/3, split_string/4, atomic_list_concat/2, atomic_list_concat/3,
      upcase_atom/2, downcase_atom/2,
      length/2, member/2, memberchk/2, append/2, append/3, nth0/3, nth1/3, last/2, reverse/2, msort/2, sort/2, sort/4,
      sum_list/2, max_list/2, min_list/2, max_member/2, min_member/2, list_to_set/2, subtract/3, intersection/3, union/3,
      delete/3, numlist/3, select/3, selectchk/3, is_set/1, subset/2,
      pairs_keys_values/3, pairs_keys/2, pairs_values/2 ]).

% ---- building ----

build(Clauses) :-
    set_module(policy:base(system)),
    @(use_module(library(lists)), policy),
    @(use_module(library(apply)), policy),
    @(use_module(library(aggregate)), policy),
    @(use_module(library(pairs)), policy),
    forall(fact_predicate(Name, Arity), dynamic(policy:Name/Arity)),
    dynamic(policy:deny/2), dynamic(policy:flag/2), dynamic(policy:article/3),
    forall(defined(Name, Arity, _, _), dynamic(policy:Name/Arity)),
    forall(member(clause(_, _, Term, _, _), Clauses), assertz(policy:Term)),
    assertz(ready).

% ---- evaluating ----

% evaluate(+Requirements, +Metadata, +Inferences, +MostFindings, -Status, -Findings)
% Both are texts of facts. Each requirement becomes requirement(Term), so no word of it can be taken for a rule.
% Status: ok, or what went wrong in words; Findings: [[deny or flag, Article, Because]...]. What an evaluation states is
% gone after it.
evaluate(Requirements, Metadata, Inferences, Most, Status, Findings) :-
    catch(snapshot(run(Requirements, Metadata, Inferences, Most, Status0, Findings0)), Error,
          ( error_text(Error, Status0), Findings0 = [] )),
    !,
    Status = Status0,
    Findings = Findings0.
evaluate(_, _, _, _, "the policy gave no answer", []).

run(Requirements, Metadata, Inferences, Most, Status, Findings) :-
    (   ready -> true ; throw(no_policy) ),
    state_all(Requirements, requirement),
    state_all(Metadata, metadata),
    call_with_inference_limit(policy_driver:findings(Most, Found), Inferences, Limit),
    (   Limit == inference_limit_exceeded
    ->  Status = "inference limit exceeded", Findings = []
    ;   Status = ok, Findings = Found
    ).

state_all(Text, Kind) :-
    setup_call_cleanup(open_string(Text, Stream), state_terms(Stream, Kind), close(Stream)).

state_terms(Stream, Kind) :-
    read_term(Stream, Term, [ module(policy), syntax_errors(error), double_quotes(string), back_quotes(codes), dotlists(false) ]),
    (   Term == end_of_file
    ->  (   at_end_of_stream(Stream) -> true ; throw(text_after_end_of_file) )
    ;   plain_fact(Term) -> state_fact(Kind, Term), state_terms(Stream, Kind)
    ;   throw(not_a_fact(Term))
    ).

plain_fact(Term) :-
    callable(Term), ground(Term), functor(Term, Name, _), atom(Name),
    atom_codes(Name, [First|_]), code_type(First, csymf), \+ is_dict(Term).

state_fact(requirement, Term) :- assertz(policy:requirement(Term)).
state_fact(metadata, Term) :-
    functor(Term, Name, Arity),
    (   Name \== requirement, fact_predicate(Name, Arity) -> assertz(policy:Term) ; throw(not_a_fact(Term)) ).

findings(Most, Findings) :-
    findall([Kind, Article, Text], limit_solutions(Most, finding(Kind, Article, Text)), Findings).

limit_solutions(Most, Goal) :-
    Count = count(0),
    call(Goal),
    arg(1, Count, Before),
    After is Before + 1,
    nb_setarg(1, Count, After),
    (   After >= Most -> ! ; true ).

finding(Kind, Article, Text) :-
    (   Kind = deny, policy:deny(Article, Because)
    ;   Kind = flag, policy:flag(Article, Because)
    ),
    (   atom(Article), article(Article, _, _, _, _) -> true ; throw(unknown_article) ),
    because_text(Because, Text).

% An explanation is one text or number, or a list of texts, numbers and terms that are put together.
because_text(Because, Text) :-
    (   is_list(Because) -> Pieces = Because ; Pieces = [Because] ),
    (   ground(Pieces) -> true ; throw(explanation_not_ground) ),
    maplist(piece_text, Pieces, Texts),
    atomic_list_concat(Texts, Atom), atom_string(Atom, Whole),
    string_length(Whole, Length),
    (   Length =< 500 -> Text = Whole ; sub_string(Whole, 0, 499, _, Cut), string_concat(Cut, "…", Text) ).

piece_text(Piece, Piece) :- atomic(Piece), Piece \== [], !.
piece_text(Piece, Text) :- format(string(Text), "~q", [Piece]).

error_text(Error, Text) :- catch(error_text_(Error, Text), _, Text = "an error that cannot be shown"), !.
error_text(_, "an error that cannot be shown").
error_text_(error(resource_error(What), _), Text) :- !, format(string(Text), "out of ~w", [What]).
error_text_(error(Formal, _), Text) :- !, format(string(Text), "~W", [Formal, [quoted(true), max_depth(6), numbervars(true)]]).
error_text_(Error, Text) :- format(string(Text), "~W", [Error, [quoted(true), max_depth(6), numbervars(true)]]).

bind_name(Name='$VAR'(Name)).
