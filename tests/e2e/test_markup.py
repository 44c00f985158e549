"""R1: what somebody writes is text wherever it is shown, in a browser that would run it if it were code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import quote, urlencode

from playwright.sync_api import Dialog, Page, expect

from tests.e2e.conftest import Visitors
from tests.e2e.deals import MEADOW
from tests.e2e.table import Table

PAYLOADS: Final = [
    "<script>alert(1)</script>",
    "<script src=x>",
    "<ScRiPt>alert(1)</sCrIpT>",
    "</script><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</noscript><script>alert(1)</script>",
    "<!--><script>alert(1)</script>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<img src=x onerror=alert(1)>",
    "<img src=x onerror=alert`1`>",
    "<img/src=x/onerror=alert(1)>",
    "<IMG SRC=x ONERROR=alert(1)>",
    '<img src="x" onerror="alert(1)"',
    "<svg onload=alert(1)>",
    "<svg/onload=alert(1)//",
    "<svg><script>alert(1)</script></svg>",
    "<svg><a xlink:href=javascript:alert(1)>x</a></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x>",
    "<math><mi xlink:href=javascript:alert(1)>x",
    "<body onload=alert(1)>",
    "<iframe src=javascript:alert(1)>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<object data=javascript:alert(1)>",
    "<embed src=javascript:alert(1)>",
    "<video><source onerror=alert(1)>",
    "<audio src=x onerror=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "<input autofocus onfocus=alert(1)>",
    "<select autofocus onfocus=alert(1)>",
    "<textarea autofocus onfocus=alert(1)>",
    "<marquee onstart=alert(1)>",
    "<form action=javascript:alert(1)><button>x",
    "<button formaction=javascript:alert(1)>x",
    "<a href=javascript:alert(1)>x</a>",
    "<base href=javascript:alert(1)//>",
    "<meta http-equiv=refresh content=0;url=javascript:alert(1)>",
    "<link rel=stylesheet href=x>",
    "<style>@import 'x';</style>",
    "<x onclick=alert(1) tabindex=1 autofocus onfocus=alert(1)>",
    '" onfocus=alert(1) autofocus x="',
    "' onfocus=alert(1) autofocus x='",
    '"><img src=x onerror=alert(1)>',
    "'><img src=x onerror=alert(1)>",
    '" style="position:fixed" onmouseover="alert(1)',
    "`><img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    '\\"-alert(1)-\\"',
    "';alert(1);'",
    "${alert(1)}",
    "{{7*7}}",
    "{% debug %}",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)",
    "\\u003cscript\\u003ealert(1)",
    "\u202e<img src=x onerror=alert(1)>\u2066",
    "<template><script>alert(1)</script></template>",
]

FOREIGN: Final = """() => {
  const elements = 'script:not([src]):not([type="application/json"]), iframe, object, embed, base, math';
  const sources = '[src="x"], [href="x"], [src^="javascript" i], [href^="javascript" i], [formaction]';
  const targets = '[srcdoc], style, [action^="javascript" i], meta[http-equiv], marquee';
  const found = [...document.querySelectorAll(`${elements}, ${sources}, ${targets}`)];
  for (const element of document.querySelectorAll('*'))
    if ([...element.attributes].some(({ name }) => name.startsWith('on'))) found.push(element);
  return found.map((element) => element.outerHTML);
}"""
"""Elements that no page of the house has."""


def pieces(longest: int) -> Iterator[str]:
    """All payloads, one after another, in texts that are not longer than a field takes."""
    text = ""
    for payload in PAYLOADS:
        if len(text) + len(payload) > longest:
            yield text
            text = ""
        text += payload
    yield text


def dialogs(page: Page) -> list[str]:
    """What the page asks from now on, closed at once; it is code that asks."""
    fired: list[str] = []

    def close(dialog: Dialog) -> None:
        fired.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", close)
    return fired


def is_harmless(page: Page) -> None:
    """Raises if anything of the page came out of a payload."""
    page.mouse.move(300, 300)
    assert page.evaluate(FOREIGN) == []


def test_sixty_payloads_in_every_field_are_text(visitors: Visitors) -> None:
    """A page for each field, with all of them in it; nothing runs and the policy has nothing to stop."""
    assert len(PAYLOADS) == len(set(PAYLOADS)) == 60
    visitors.forgive("the server responded with a status of 4")
    page = visitors.come()
    fired = dialogs(page)
    everything = "".join(PAYLOADS)

    def look(path: str, **query: str) -> None:
        page.goto(path + (f"?{urlencode(query)}" if query else ""))
        is_harmless(page)

    for text in pieces(290):
        look("/find/", code=text)
        expect(page.locator("main #code")).to_have_value(text.strip())
    look("/", deal_code=everything, rules=everything, suits=everything)
    look("/accounts/login/", next=everything)
    look("/accounts/signup/", next=everything)
    for name in ("game", "result", "since", "player", "deal", "after"):
        look("/games/", **{name: everything})
    look("/boards/", rules=everything, suits=everything, period=everything)
    for prefix in ("/g/", "/d/", "/@", "/rules/", "/ar/@"):
        look(prefix + quote(everything.replace("/", "|"), safe="") + "/")
    for path in ("/accounts/login/", "/accounts/signup/"):
        page.goto(path)
        page.get_by_label("Name").fill(everything)
        page.locator("main form.stack button").first.click()
        expect(page.locator("main .error, main .notice-bad").first).to_be_visible()
        is_harmless(page)
    for cookie in ("theme", "language", "preferences", "tableau_browser", "tableau_familiar"):
        page.context.add_cookies([{"name": cookie, "value": quote(everything), "url": visitors.site.url}])
    look("/")
    assert fired == []


def test_sixty_names_that_are_code_are_shown_as_text(visitors: Visitors) -> None:
    """Nobody can choose one, and if one came in another way it would do nothing in any list or at a table."""
    # Three in a name. A slash can stand in no address of a person.
    names = [f"{part}{''.join(PAYLOADS[part::20]).replace('/', '|')}" for part in range(20)]
    codes = []
    for name in names:
        visitors.clerk.register(name)
        codes.append(visitors.clerk.deal(name, "simple-simon", "S4", MEADOW, "t4-t3", "give_up"))
    page = visitors.come()
    fired = dialogs(page)
    page.goto("/games/")
    is_harmless(page)
    shown = page.locator("main bdi").all_inner_texts()
    assert {" ".join(name.split()) for name in names} <= {" ".join(name.split()) for name in shown}
    for code, name in list(zip(codes, names, strict=True))[::10]:
        page.goto(f"/g/{code}/")
        Table(page).ready()
        expect(page.locator("main bdi").filter(has_text=name).first).to_be_attached()
        assert " ".join(name.split()) in page.title()
        is_harmless(page)
        page.goto(f"/@{quote(name, safe='')}/")
        is_harmless(page)
    assert fired == []


def test_a_spectator_whose_name_is_code_is_listed_as_text(visitors: Visitors) -> None:
    dealt = visitors.deal(MEADOW, "t4-t3")
    name = "x<img src=x onerror=alert(1)>"
    spectator = visitors.come_as(name)
    Table(spectator).open(dealt.address)
    page = dealt.table.page
    expect(page.locator("body")).to_contain_text(name, use_inner_text=False)
    is_harmless(page)
    is_harmless(spectator)
