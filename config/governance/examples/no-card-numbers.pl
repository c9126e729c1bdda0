% An operator's own article. To put it in force, copy this file one folder up, change it, and start the bot; a mistake in
% it stops the start and names its line.
%
% The house rule: nobody builds payment by card here without saying under which rules. Packets that want card payment and
% name no compliance requirement do not leave; those that keep card data at all leave with a mark.

% 1. Declare the article: a name of your own, a title, and what it protects. People see all three.
article(card_payment_regulated, "Card payment needs its rules named",
    "We do not start work on card payment until somebody said which rules apply.").

% 2. Say when it is broken. The second argument is what the person reads: a text, or a list that is put together.
deny(card_payment_regulated, ["Card payment (", Kind, ") is wanted, but no compliance requirement is named. Say which rules apply, for example PCI DSS."]) :-
    requirement(has_payment(Kind)),
    card(Kind),
    \+ requirement(compliance(_)),
    \+ requirement(compliance(_, _)).

% flag lets the packet go on, visibly.
flag(card_payment_regulated, ["Card data would be stored: ", What, "."]) :-
    requirement(stores(What)),
    card(What).

% 3. Rules of your own are fine; they only need names that nobody else uses.
card(Word) :-
    atom(Word),
    downcase_atom(Word, Lower),
    member(Part, [card, kreditkarte, visa, mastercard]),
    sub_atom(Lower, _, _, _, Part),
    !.
