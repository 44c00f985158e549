"""People: sign-up, guests, log-in and log-out, and one's history."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from game.actions import people
from game.forms import NAME_TAKEN, LogInForm, SignUpForm
from game.limits import MINUTE, may_log_in
from game.models import User
from game.selectors import lists
from game.selectors.people import counts
from game.views import familiar
from game.views.answers import address_of, next_address, person_of, shown_again, too_many
from game.views.filters import filter_row, read_filters
from game.views.games import start_as

BACKEND = "django.contrib.auth.backends.ModelBackend"
START_FIELDS = ("rules", "deal_code", "from")

forms_only = require_http_methods(["GET", "HEAD", "POST"])


@shown_again
@never_cache
@sensitive_post_parameters()
@forms_only
def signup(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    guest = person if person and person.is_guest else None
    if person and not guest:
        return redirect(next_address(request))
    form = SignUpForm(request.POST if request.method == "POST" else None)
    onward = next_address(request)
    context = {"form": form, "next": onward, "guest": guest}
    if request.method == "POST":
        if not may_log_in(address_of(request)):
            return too_many(request, "people/signup.html", context | WAIT, retry_s=MINUTE)
        if form.is_valid():
            try:
                user = people.sign_up(
                    form.cleaned_data["username"], form.cleaned_data["password1"], guest=guest
                )
            except people.NameTakenError:
                form.add_error("username", NAME_TAKEN)
            else:
                login(request, user, BACKEND)
                answer = redirect(onward)
                familiar.remember(answer, user)
                return answer
    status = 400 if form.errors else 200
    return render(request, "people/signup.html", context, status=status)


WAIT = {"wait": True}


@shown_again
@never_cache
@sensitive_post_parameters()
@forms_only
def log_in(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    if person and not person.is_guest:
        return redirect(next_address(request))
    form = LogInForm(request, request.POST if request.method == "POST" else None)
    onward = next_address(request)
    context = {"form": form, "next": onward, "guest": person}
    if request.method == "POST":
        if not familiar.may_enter(request, request.POST.get("username", "")):
            return too_many(request, "people/login.html", context | WAIT, retry_s=MINUTE)
        if form.is_valid():
            user = form.get_user()
            login(request, user)
            answer = redirect(onward)
            familiar.remember(answer, user)
            return answer
    return render(request, "people/login.html", context, status=400 if form.errors else 200)


@require_POST
def log_out(request: HttpRequest) -> HttpResponse:
    people.log_out(request)
    return redirect(next_address(request))


@require_POST
def guest(request: HttpRequest) -> HttpResponse:
    """Makes a guest and goes to ``next``, or starts the game that the form asks for at once."""
    person = person_of(request)
    if person is None:
        if not may_log_in(address_of(request)):
            context: dict[str, Any] = {
                "form": LogInForm(request),
                "next": next_address(request),
                "page_name": "login",
            }
            return too_many(request, "people/login.html", context | WAIT, retry_s=MINUTE)
        person = people.make_guest()
        login(request, person, BACKEND)
    if any(request.POST.get(name) for name in START_FIELDS):
        return start_as(request, person)
    return redirect(next_address(request))


@shown_again
@never_cache
@sensitive_post_parameters()
@login_required
@forms_only
def password(request: HttpRequest) -> HttpResponse:
    user = request.user
    if not isinstance(user, User) or user.is_guest:
        return redirect("signup")
    form = PasswordChangeForm(user, request.POST if request.method == "POST" else None)
    if request.method == "POST":
        if not may_log_in(address_of(request)):
            return too_many(request, "people/password.html", {"form": form} | WAIT, retry_s=MINUTE)
        if form.is_valid():
            people.change_password(user, form.cleaned_data["new_password1"])
            update_session_auth_hash(request, user)
            messages.success(request, _("The password is changed. Everywhere else you are logged out."))
            return redirect(user)
    return render(request, "people/password.html", {"form": form}, status=400 if form.errors else 200)


@login_required
@require_safe
def history(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    if person is None:
        raise Http404
    context: dict[str, Any] = {
        "person": person,
        "row": filter_row(request.GET, with_running=True),
        "counts": counts(person),
    }
    try:
        context["page"] = lists.own_games(person, read_filters(request.GET), request.GET.get("after", ""))
    except ValidationError as error:
        return render(
            request, "people/history.html", context | {"error": " ".join(error.messages)}, status=400
        )
    except lists.BadCursorError:
        return render(
            request, "people/history.html", context | {"error": _("There is no such page.")}, status=400
        )
    return render(request, "people/history.html", context)
