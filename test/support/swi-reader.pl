% Reads blocks of text term by term, as SWI-Prolog does, and tells what it read. Nothing is consulted or called.
% Standard input: one block a line, as `all` or `first` and decimal code points. Standard output: one JSON line for each:
% a list of terms, and "error" at its end when reading failed.
:- use_module(library(readutil)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- initialization(main, main).

main :-
    set_stream(user_input, encoding(utf8)),
    set_stream(user_output, encoding(utf8)),
    repeat,
    read_line_to_string(user_input, Line),
    (   Line == end_of_file
    ->  !
    ;   split_string(Line, " ", " ", [Mode|Words]),
        convlist([Word, Code]>>(Word \== "", number_string(Code, Word)), Words, Codes),
        string_codes(Text, Codes),
        answer(Mode, Text),
        nl,
        fail
    ).

answer(Mode, Text) :-
    setup_call_cleanup(open_string(Text, Stream), read_terms(Stream, Mode, Items), close(Stream)),
    write('['),
    put_items(Items),
    write(']').

read_terms(Stream, Mode, Items) :-
    catch(( read_term(Stream, Term, [module(probe), syntax_errors(error), variable_names(_)]), Read = read(Term) ), _, Read = failed),
    (   Read == failed
    ->  Items = [error]
    ;   Read = read(End), End == end_of_file, at_end_of_stream(Stream)
    ->  Items = []
    ;   Mode == "first"
    ->  Read = read(Term1), Items = [term(Term1)]
    ;   Read = read(Term1), Items = [term(Term1)|Rest],
        read_terms(Stream, Mode, Rest)
    ).

put_items([]).
put_items([Item]) :- !, put_item(Item).
put_items([Item|Rest]) :- put_item(Item), write(','), put_items(Rest).

put_item(error) :- write('"error"').
put_item(term(Term)) :- put_term(Term).

put_term(Term) :- var(Term), !, write('{"v":1}').
put_term(Term) :- Term == [], !, write('{"l":[]}').
put_term(Term) :- is_dict(Term), !, write('{"d":1}').
put_term(Term) :- atom(Term), !, write('{"a":'), put_text(Term), write('}').
put_term(Term) :- string(Term), !, write('{"s":'), put_text(Term), write('}').
put_term(Term) :- integer(Term), !, write('{"i":"'), write(Term), write('"}').
put_term(Term) :- number(Term), !, write('{"f":"'), write(Term), write('"}').
put_term(Term) :- is_list(Term), !, write('{"l":['), put_list(Term), write(']}').
put_term(Term) :- compound(Term), !,
    compound_name_arguments(Term, Name, Arguments),
    write('{"c":['), put_name(Name), write(',['), put_list(Arguments), write(']]}').
put_term(_) :- write('{"o":1}').

put_name(Name) :- atom(Name), !, put_text(Name).
put_name(_) :- write('null').

put_list([]).
put_list([Last]) :- !, put_term(Last).
put_list([Term|Rest]) :- put_term(Term), write(','), put_list(Rest).

put_text(Text) :-
    string_codes(Text, Codes),
    write('"'),
    maplist(put_json_code, Codes),
    write('"').

put_json_code(Code) :- ( Code < 32 ; Code =:= 34 ; Code =:= 92 ; Code >= 127 ), Code =< 65535, !, format('\\u~|~`0t~16r~4+', [Code]).
put_json_code(Code) :- put_char_code(Code).

put_char_code(Code) :- char_code(Char, Code), write(Char).
