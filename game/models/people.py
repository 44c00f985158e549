"""People and guests."""

from __future__ import annotations

import unicodedata
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from game.spelling import folded_name, look_of


class PersonManager(BaseUserManager["User"]):
    """People, found by their name in any spelling that is the same name."""

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(folded=folded_name(username or ""))

    def create_user(self, username: str, password: str | None = None, **fields: Any) -> User:
        """A new person; without a password nobody can log in as them."""
        user = self.model(username=unicodedata.normalize("NFKC", username), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, username: str, password: str, **fields: Any) -> User:
        """An operator of the site."""
        return self.create_user(username, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractBaseUser, PermissionsMixin):
    """A person. A guest has no password until a name is chosen."""

    username = models.CharField(_("name"), max_length=24, unique=True)
    folded = models.CharField(max_length=80, unique=True, editable=False)
    # None for whoever had their name before look-alikes were refused, if somebody has one.
    look = models.CharField(max_length=80, unique=True, null=True, editable=False)  # noqa: DJ001
    is_guest = models.BooleanField(default=False)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now)
    # What differs from the usual, by name; nothing until something is chosen.
    preferences = models.JSONField(null=True, default=None, editable=False)

    objects = PersonManager()

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    def __str__(self) -> str:
        return self.username

    def be_called(self, name: str) -> None:
        """Takes another name; does not save."""
        self.username = name
        self.look = look_of(name)

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.folded = folded_name(self.username)
        if self._state.adding or self.look is not None:
            self.look = look_of(self.username)
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("person", args=[self.username])


class KeptName(models.Model):
    """A name whose account is deleted: nobody gets it, or one that looks like it, before ``until``."""

    folded = models.CharField(max_length=80, primary_key=True)
    look = models.CharField(max_length=80, db_index=True)
    until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.folded
