"""Pages in a browser: nothing off the screen, and the small enhancements."""

from __future__ import annotations

from playwright.sync_api import expect

from game.engine.games import GAMES
from tests.e2e.conftest import Visitors

PAGES = [
    "/",
    "/live/",
    "/games/",
    "/games/?suits=9",
    "/boards/",
    "/rules/",
    *[f"/rules/{rules.slug}/" for rules in GAMES],
    "/help/",
    "/find/",
    "/find/?code=SS1-S9-AAAAABD",
    "/d/SS1-S4-AAAAABD/",
    "/accounts/login/",
    "/accounts/signup/",
    "/ar/",
]
BAD_REQUESTS = r"status of 40[04]"


def test_nothing_is_off_the_screen(visitors: Visitors) -> None:
    """No page scrolls sideways at any width, nor at 200 % and 400 % of 1280, in long words too."""
    visitors.forgive(BAD_REQUESTS)
    page = visitors.come()
    for path in [*PAGES, "/pl/", "/pl/games/", "/tr/accounts/login/", "/ar/games/"]:
        page.goto(path)
        for width in (320, 360, 640, 820, 962, 1100):
            page.set_viewport_size({"width": width, "height": 640})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, width)


def test_the_theme_switch_wins_over_the_system_and_stays(visitors: Visitors) -> None:
    """The next page comes in the chosen theme from its first byte."""
    page = visitors.come(color_scheme="light")
    page.goto("/")
    page.locator(".bar-end summary").first.click()
    page.get_by_role("button", name="Dark", exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(19, 24, 22)"
    answer = page.goto("/games/")
    assert answer
    assert 'data-theme="dark"' in answer.text()
    page.locator(".bar-end summary").first.click()
    page.get_by_role("button", name="As the system").click()
    answer = page.goto("/games/")
    assert answer
    assert "data-theme" not in answer.text().split(">", 2)[1]


def test_menus_close_on_escape_and_elsewhere(visitors: Visitors) -> None:
    """And give the focus back."""
    page = visitors.come()
    page.goto("/")
    menu = page.locator(".bar-end details").first
    menu.locator("summary").click()
    expect(menu).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect(menu.locator("summary")).to_be_focused()
    menu.locator("summary").click()
    page.mouse.click(20, 700)
    expect(menu).not_to_have_attribute("open", "")


def test_the_panel_asks_what_the_chosen_game_asks(visitors: Visitors) -> None:
    """Questions of other games are neither shown nor sent."""
    page = visitors.come()
    page.goto("/")
    for rules in GAMES:
        page.locator(f'input[name=rules][value="{rules.slug}"]').check(force=True)
        asked = page.locator("fieldset[data-rules]:visible legend")
        expect(asked).to_have_text([option.question for option in rules.options])
        sent = page.evaluate("[...new FormData(document.querySelector('form[data-chooser]')).keys()]")
        names = {option.name for option in rules.options}
        assert set(sent) - {"csrfmiddlewaretoken", "panel", "rules"} == names


def test_the_way_back_after_a_failed_log_in(visitors: Visitors, name: str) -> None:
    """Leads to no page that could only be had by sending the form again."""
    visitors.forgive(BAD_REQUESTS)
    visitors.clerk.register(name)
    page = visitors.come()
    page.goto("/accounts/login/?next=/boards/")
    for password in ("wrong horse", "correct horse"):
        page.get_by_label("Name").fill(name)
        page.get_by_label("Password").fill(password)
        page.get_by_role("main").get_by_role("button", name="Log in").click()
        if password == "wrong horse":
            expect(page.get_by_role("alert")).to_be_visible()
            expect(page).to_have_url("/accounts/login/?next=%2Fboards%2F")
    expect(page).to_have_url("/boards/")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Boards")


def test_back_to_a_refused_form_without_script_sends_nothing_again(visitors: Visitors, name: str) -> None:
    """The page with what was wrong is there as it was left."""
    visitors.forgive("status of 400")
    page = visitors.come(java_script_enabled=False)
    page.goto("/accounts/signup/")
    password = page.locator("[name=password1]")
    page.locator("[name=username]").fill(name)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(password).to_have_attribute("aria-invalid", "true")
    # The server complains of each refused form.
    heard = visitors.site.tail(1 << 30).count("Bad Request: /accounts/signup/")
    assert heard
    page.get_by_role("link", name="Boards").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Boards")
    page.go_back()
    expect(password).to_have_attribute("aria-invalid", "true")
    expect(page.locator("[name=username]")).to_have_value(name)
    assert visitors.site.tail(1 << 30).count("Bad Request: /accounts/signup/") == heard
    page.go_back()
    expect(password).not_to_have_attribute("aria-invalid", "true")


def test_the_filters_of_a_list_are_folded_on_a_phone(visitors: Visitors) -> None:
    """What holds is told on the fold; where there is room they lie open."""
    page = visitors.come(viewport={"width": 360, "height": 640})
    page.goto("/games/?result=won")
    fold, given_up = page.locator(".fold > summary"), page.get_by_role("link", name="Given up", exact=True)
    expect(fold).to_contain_text("Won")
    expect(given_up).to_be_hidden()
    box = fold.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 260
    fold.click()
    expect(given_up).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.reload()
    expect(given_up).to_be_visible()
    expect(fold).to_be_hidden()


def test_the_skip_link_comes_first(visitors: Visitors) -> None:
    """One key to it, one more past the bar."""
    page = visitors.come()
    page.goto("/games/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")


def test_a_code_is_copied(visitors: Visitors) -> None:
    page = visitors.come(permissions=["clipboard-read", "clipboard-write"])
    page.goto("/d/SS1-S4-AAAAABD/")
    page.get_by_role("button", name="Copy the code").click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()) === 'SS1-S4-AAAAABD'")
