"""Coming in: sign-up, guests, starting games, coming back to them, and finding things by their codes."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from game.engine.deals import DealCode
from game.engine.games import GAMES, rules_of
from tests.e2e.conftest import Visitors
from tests.e2e.table import Table, words_of

PASSWORD = "seven of clubs on eight"
SPELLINGS = [
    "ss1 s4 aaaaabd",
    " ss1s4aaaaabd ",
    "ＳＳ１－Ｓ４－ＡＡＡＡＡＢＤ",
    "https://tableau.example/d/SS1-S4-AAAAABD/",
    "SS1-S4-AAAAABD",
]
BAD_CODES = [("SS1-S4-AAAA", "7"), ("SS1-S3-AAAAABD", "S3"), ("SS9-S4-AAAAABD", "SS9"), ("1234", "1234")]
"""Each with a word that the answer says."""


def sign_up(page: Page, name: str) -> None:
    page.goto("/")
    page.get_by_role("link", name="Log in").first.click()
    page.get_by_role("main").get_by_role("link", name="Sign up").click()
    page.locator("[name=username]").fill(name)
    password = page.get_by_label("Password", exact=True)
    password.fill(PASSWORD)
    expect(password).to_have_attribute("type", "password")
    page.get_by_label("Show the password").check()
    expect(password).to_have_attribute("type", "text")
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator("summary.me")).to_have_text(name)


def log_out(page: Page) -> None:
    page.locator("summary.me").click()
    page.get_by_role("button", name="Log out").click()
    expect(page.locator("summary.me")).to_have_count(0)


def test_sign_up_play_log_out_and_come_back_to_the_game(visitors: Visitors, name: str) -> None:
    page = visitors.come()
    sign_up(page, name)
    page.goto("/")
    page.get_by_label("Medium").check()
    page.get_by_role("button", name="Deal").click()
    table = Table(page).ready()
    address = page.url
    table.page.locator("#table .card").first.focus()
    pile, to = page.evaluate(
        """() => {
          const { dests } = JSON.parse(document.getElementById("boot").textContent).welcome.snapshot;
          const [from, places] = Object.entries(dests).find(([source]) => !source.includes("x"));
          return [from, places[0]];
        }"""
    )
    table.drag(pile, 1, to)
    expect(table.moves).to_have_text("1")
    expect(page.locator("#undone")).to_contain_text(f"to column {to[1:]}")
    position = table.position

    page.goto("/history/")
    expect(page.locator(f'a[href="{address.removeprefix(visitors.site.url)}"]')).to_be_visible()
    log_out(page)
    page.goto("/history/")
    page.locator("[name=username]").fill(name)
    page.locator("[name=password]").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    expect(page).to_have_url(re.compile("/history/$"))

    page.goto("/")
    page.get_by_role("region", name="Go on with your games").get_by_role("link", name="Simple Simon").click()
    assert page.url == address
    table.ready().shows(position)
    expect(table.moves).to_have_text("1")


@pytest.mark.parametrize(("choice", "suits"), [("Easy", 1), ("Medium", 2), ("Hard", 4)])
def test_start_a_game_of_each_number_of_suits(choice: str, suits: int, visitors: Visitors, name: str) -> None:
    page = visitors.come_as(name)
    page.goto("/")
    expect(page.get_by_label("Easy")).to_be_checked()
    page.get_by_label(choice).check()
    page.get_by_role("button", name="Deal").click()
    table = Table(page).ready()
    cards = [card for pile in table.position.split("/") for card in pile.split()[1:]]
    assert len(cards) == 52
    assert len({card[1] for card in cards}) == suits
    # The last choice is the one preselected from now on.
    page.goto("/")
    expect(page.get_by_label(choice)).to_be_checked()


@pytest.mark.parametrize("rules", [rules.slug for rules in GAMES])
def test_start_every_game_there_is(rules: str, visitors: Visitors, name: str) -> None:
    page = visitors.come_as(name)
    page.goto("/")
    page.locator(f"[name=rules][value={rules}]").check()
    page.get_by_role("button", name="Deal").click()
    Table(page).ready()
    expect(page.locator("#table .card")).to_have_count(52)
    expect(page.locator("#title .game")).to_contain_text(rules_of(rules).title)


def test_play_as_a_guest_in_one_click(visitors: Visitors) -> None:
    page = visitors.come()
    page.goto("/accounts/login/?next=/history/")
    page.get_by_role("button", name="Play as a guest").click()
    expect(page).to_have_url(re.compile("/history/$"))
    expect(page.get_by_role("main")).to_contain_text("You play as a guest")


def test_deal_without_an_account_is_play_at_once(visitors: Visitors, name: str) -> None:
    page = visitors.come()
    page.goto("/")
    page.get_by_role("button", name="Deal").click()
    table = Table(page).ready()
    expect(page.locator("#place")).to_have_attribute("data-view", "play")
    address = page.url
    # Choosing a name keeps what was played.
    page.goto("/accounts/signup/")
    page.locator("[name=username]").fill(name)
    page.locator("[name=password1]").fill(PASSWORD)
    page.get_by_role("button", name="Keep this name").click()
    table.open(address)
    expect(page.locator("#place")).to_have_attribute("data-view", "play")
    expect(page.locator("#who")).to_have_text(name)


def test_sign_up_says_what_is_wrong(visitors: Visitors, name: str) -> None:
    visitors.clerk.register(name)
    visitors.forgive("status of 400")
    page = visitors.come()
    page.goto("/accounts/signup/")
    page.locator("[name=username]").fill(name.upper())
    page.locator("[name=password1]").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    field = page.locator("[name=username]")
    expect(field).to_have_value(name.upper())
    expect(field).to_have_attribute("aria-invalid", "true")
    error = page.locator(f"#{(field.get_attribute('aria-describedby') or '').split()[-1]}")
    expect(error).to_have_class("error")
    expect(error).to_have_text("Somebody has this name, or one that looks like it: choose another.")


def test_open_a_deal_by_its_code_however_it_is_typed(visitors: Visitors, name: str) -> None:
    page = visitors.come_as(name)
    for typed in SPELLINGS:
        page.goto("/")
        page.get_by_label("Or a deal or a game by its code").fill(typed)
        page.get_by_label("Or a deal or a game by its code").press("Enter")
        expect(page).to_have_url(re.compile("/d/SS1-S4-AAAAABD/$"))
    page.get_by_role("button", name="Play this deal").click()
    Table(page).ready().shows(DealCode(rules_of("simple-simon"), "S4", "AAAAABD").deal().masked)


def test_a_bad_code_is_answered_with_what_is_wrong_in_it(visitors: Visitors) -> None:
    visitors.forgive("status of 40[04]")
    page = visitors.come()
    page.goto("/find/")
    box = page.get_by_role("main").get_by_label("Game or deal code")
    for typed, word in BAD_CODES:
        box.fill(typed)
        page.get_by_role("main").get_by_role("button", name="Open").click()
        expect(page).to_have_url(re.compile(rf"code={typed}$"))
        expect(page.get_by_role("alert")).to_contain_text(word)
        assert len(words_of(page.get_by_role("alert"))) > 15
        expect(box).to_have_value(typed)


def test_find_a_game_by_its_code(visitors: Visitors) -> None:
    dealt = visitors.deal(DealCode(rules_of("simple-simon"), "S1", "AAAAABD").deal().text, variant="S1")
    page = visitors.come()
    page.goto("/")
    box = page.get_by_role("search").get_by_label("Game or deal code")
    box.fill(f"{dealt.code[:5].lower()} {dealt.code[5:].lower()}")
    box.press("Enter")
    expect(page).to_have_url(re.compile(f"{dealt.address}$"))
