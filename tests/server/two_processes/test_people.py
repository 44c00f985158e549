"""Accounts at both processes: one name once, what is kept of a person, and who goes."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

from tests.server.two_processes.pair import Pair
from tests.server.visiting import PASSWORD, Visitor


def test_of_two_who_want_a_name_at_two_processes_one_gets_it(pair: Pair) -> None:
    for name, alike in (("Istanbul", "İSTANBUL"), ("Zoë", "ZOË"), ("paypal", "PayPal")):
        both = [pair.visitor(), pair.visitor().at(pair.two)]
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(Visitor.sign_up, both, (name, alike)))
        assert sorted(answers) == [302, 400], (name, answers)


def test_what_is_kept_of_a_person_and_what_stays_of_one_who_goes(pair: Pair) -> None:
    bob = pair.person("Bogdan")
    code = bob.start_another()
    at_two = bob.at(pair.two)
    assert at_two.ask("GET", "/accounts/export/").status == 200
    kept = json.loads(at_two.page)
    assert kept["name"] == "Bogdan"
    assert code in json.dumps(kept["games"])
    assert bob.ask("POST", "/accounts/delete/", password=PASSWORD).status == 200
    stranger = pair.visitor().at(pair.two)
    assert stranger.ask("GET", f"/g/{code}/").status == 200
    assert "Bogdan" not in stranger.page
    assert stranger.ask("GET", "/@Bogdan/").status == 404
    assert stranger.sign_up("BOGDAN") == 400
