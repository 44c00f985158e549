"""What people send: sign-up, log-in, and what a new game shall be."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from game.codes import CodeError, read_deal_code
from game.engine.deals import DealCode
from game.engine.games import UnknownRulesError, rules_of
from game.engine.rules import Rules
from game.models import User
from game.names import LONGEST, NameRefusedError, checked_name
from game.selectors import people

LONGEST_PASSWORD: Final = 500
NAME_TAKEN: Final = _("Somebody has this name, or one that looks like it: choose another.")


class SignUpForm(forms.Form):
    """A name and a password, nothing else."""

    username = forms.CharField(
        label=_("Name"),
        # Longer than a name may be, so that the name's own sentence can tell by how much.
        max_length=200,
        widget=forms.TextInput(
            attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
        ),
        # Filled in when it is shown: before that the language is not known.
        help_text=format_lazy(_("Up to {limit} letters and figures. Everybody sees it."), limit=LONGEST),
    )
    password1 = forms.CharField(
        label=_("Password"),
        max_length=LONGEST_PASSWORD,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("At least 8 characters."),
    )

    def clean_username(self) -> str:
        try:
            name = checked_name(self.cleaned_data["username"])
        except NameRefusedError as error:
            raise ValidationError(gettext(error.sentence) % error.params) from None
        if people.is_taken(name):
            raise ValidationError(NAME_TAKEN)
        return name

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        password = given.get("password1")
        if password:
            # No field of the page; programs may send it to be sure of what they send.
            if self.data.get("password2", password) != password:
                self.add_error("password1", _("The two passwords are not the same."))
            try:
                validate_password(password, User(username=given.get("username", "")))
            except ValidationError as error:
                self.add_error("password1", error)
        return given


class LogInForm(AuthenticationForm):
    """Name and password; the name in any spelling that is the same name."""

    error_messages = {  # noqa: RUF012  # Django's own form
        "invalid_login": _("There is nobody with this name and password."),
        "inactive": _("This account is closed."),
    }
    password = forms.CharField(
        label=_("Password"),
        max_length=LONGEST_PASSWORD,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Name")


class DeletionForm(forms.Form):
    """The password once more, where there is one: whoever finds the browser open cannot delete an account."""

    password = forms.CharField(
        label=_("Password"),
        max_length=LONGEST_PASSWORD,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, person: User | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person
        if person is None or person.is_guest:
            del self.fields["password"]

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if self.person is None or not self.person.check_password(password):
            raise ValidationError(_("This is not your password."))
        return password


CONTRADICTION: Final = _("These choices contradict each other: give a code, or a game and its options.")
# Fields of the form that are not an option's answer.
NO_OPTIONS: Final = frozenset(
    ["rules", "deal_code", "again", "from", "ply", "winnable", "next", "panel", "csrfmiddlewaretoken"]
)


class Wanted:
    """What a new game shall be: a kind in one of its variants, the deal of a code, a game's deal again, or a
    game from a place in another.

    Exactly one of ``rules`` (with ``variant``), ``deal_code``, ``again`` and ``parent`` (with ``ply``) is
    set, the last two a game code as typed; ``is_winnable`` goes with the first alone.
    Raises `ValidationError` with a sentence where fields are wrong, missing, or contradict each other.
    """

    def __init__(self, fields: QueryDict) -> None:
        self.rules: Rules | None = None
        self.variant = ""
        self.deal_code: DealCode | None = None
        self.again = fields.get("again", "").strip()
        self.is_winnable = bool(fields.get("winnable"))
        self.parent = fields.get("from", "").strip()
        self.ply = _ply(fields.get("ply", "")) if self.parent else 0
        rules = _rules(fields.get("rules", ""))
        code = fields.get("deal_code", "").strip()
        answers = _answers(fields)
        if self.again or self.parent:
            if rules or code or answers or self.is_winnable or (self.again and self.parent):
                raise ValidationError(CONTRADICTION)
        elif code:
            if self.is_winnable:
                raise ValidationError(CONTRADICTION)
            self.deal_code = _deal_code(code)
            said = {name: str(value) for name, value in self.deal_code.options.items()}
            # A code says all; what stands beside it may only repeat it.
            if rules not in (None, self.deal_code.rules) or not answers.items() <= said.items():
                raise ValidationError(CONTRADICTION)
        elif rules:
            self.rules = rules
            self.variant = _variant(rules, answers, is_panel="panel" in fields)
        else:
            raise ValidationError(_("Choose a game."))


def _rules(slug: str) -> Rules | None:
    try:
        return rules_of(slug) if slug else None
    except UnknownRulesError:
        raise ValidationError(_("There is no such game here.")) from None


def _ply(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 9):
        raise ValidationError(_("Say from which move to play on: a whole number."))
    return int(text)


def _deal_code(text: str) -> DealCode:
    try:
        return read_deal_code(text)
    except CodeError as error:
        raise ValidationError(gettext(error.sentence) % error.params) from None


def _answers(fields: QueryDict) -> dict[str, str]:
    """The answers to options; one given twice contradicts itself."""
    answers = {}
    for name, values in fields.lists():
        if name in NO_OPTIONS:
            continue
        if len(set(values)) > 1:
            raise ValidationError(CONTRADICTION)
        answers[name] = values[0]
    return answers


def _variant(rules: Rules, answers: dict[str, str], *, is_panel: bool) -> str:
    """The variant that full and right answers stand for.

    The panel of the first page, without its script, also sends the answers meant for other games.
    """
    if not is_panel and not answers.keys() <= {option.name for option in rules.options}:
        raise ValidationError(CONTRADICTION)
    options = {}
    for option in rules.options:
        values = {str(choice.value): choice.value for choice in option.choices}
        answer = answers.get(option.name)
        if answer not in values:
            raise ValidationError(
                _("%(question)s The answer is one of these: %(known)s.")
                % {"question": gettext(option.question), "known": ", ".join(values)}
            )
        options[option.name] = values[answer]
    return rules.variant(options)
