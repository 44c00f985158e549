"""Every setting, from the environment, with defaults that work on one machine without any.

*Embedded* is SQLite and no Redis: one process, all state under ``var/``. Anything else must be given
``SECRET_KEY`` and ``ALLOWED_ORIGINS``, or the start is refused.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config.files import add_headers

env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent
FRONTEND = BASE_DIR / "frontend"
VAR = Path(env("VAR", default=str(BASE_DIR / "var")))
VAR.mkdir(parents=True, exist_ok=True)

HOST = env("HOST", default="127.0.0.1")
PORT = env.int("PORT", default=8000)
BASE_PATH = env("BASE_PATH", default="").strip("/")
# Before every address that is written into a page; asked for, it may stand there or be cut off by the proxy.
FORCE_SCRIPT_NAME = f"/{BASE_PATH}" if BASE_PATH else None

# Parts

DATABASES: dict[str, Any] = {
    "default": env.db("DATABASE_URL", default=f"sqlite:///{VAR / 'tableau.sqlite3'}")
}
if DATABASES["default"].get("ATOMIC_REQUESTS"):
    raise ImproperlyConfigured(
        "DATABASE_URL: ATOMIC_REQUESTS is not for this site: each action has a transaction of its own, and "
        "what was stored is told after it."
    )
IS_SQLITE = DATABASES["default"]["ENGINE"].endswith("sqlite3")
# A connection lives as long as its thread: opening one costs ten times a move.
DATABASES["default"]["CONN_MAX_AGE"] = None
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
if IS_SQLITE:
    # Deferred transactions fail with two writers; immediate ones wait their turn.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
else:
    DATABASES["default"].setdefault("OPTIONS", {})["connect_timeout"] = 5

REDIS_URL = env("REDIS_URL", default="")
EMBEDDED = IS_SQLITE and not REDIS_URL
CHANNEL_LAYERS: dict[str, Any] = {
    "default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}
    if not REDIS_URL
    else {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": "tableau"},
    }
}
# Counters of attempts. A silent Redis costs half a second now and then, and nobody a log-in.
CACHES: dict[str, Any] = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
    if not REDIS_URL
    else {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "tableau",
        "OPTIONS": {"socket_timeout": 0.5, "socket_connect_timeout": 0.5},
    }
}


# Who may come, and what is secret


def _kept_secret_key() -> str:
    """The embedded default: made once and kept under var/."""
    path = VAR / "secret_key"
    if not path.exists():
        # Whole or absent, whoever else starts at this moment: the first link wins.
        fresh = VAR / f"secret_key.{os.getpid()}"
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(50))
        with suppress(FileExistsError):
            os.link(fresh, path)
        fresh.unlink()
    return path.read_text()


def _required(name: str) -> str:
    value = env(name, default="")
    if not value:
        raise ImproperlyConfigured(
            f"{name} must be set where DATABASE_URL or REDIS_URL is: only SQLite without Redis has a default."
        )
    return str(value)


if EMBEDDED:
    SECRET_KEY = env("SECRET_KEY", default="") or _kept_secret_key()
    _origins = env("ALLOWED_ORIGINS", default=f"http://127.0.0.1:{PORT},http://localhost:{PORT}")
else:
    SECRET_KEY = _required("SECRET_KEY")
    _origins = _required("ALLOWED_ORIGINS")

ALLOWED_ORIGINS = [origin.strip().rstrip("/") for origin in _origins.split(",") if origin.strip()]
for _origin in ALLOWED_ORIGINS:
    _parts = urlsplit(_origin)
    if _parts.scheme not in ("http", "https") or not _parts.hostname or "*" in _origin or _parts.path:
        raise ImproperlyConfigured(
            f"ALLOWED_ORIGINS: {_origin!r} is no origin; write each whole, like https://tableau.example"
        )
ALLOWED_HOSTS = sorted({urlsplit(origin).hostname or "" for origin in ALLOWED_ORIGINS})
CSRF_TRUSTED_ORIGINS = ALLOWED_ORIGINS
ADMIN = env.bool("ADMIN", default=not EMBEDDED)
METRICS_TOKEN = env("METRICS_TOKEN", default="")
TRUSTED_PROXIES = [entry.strip() for entry in env("TRUSTED_PROXIES", default="").split(",") if entry.strip()]

_is_secure = all(origin.startswith("https://") for origin in ALLOWED_ORIGINS)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _is_secure
SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds()) if _is_secure else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = _is_secure
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# Whoever ends TLS before the processes also leads http to https; they are asked by that proxy alone.
SILENCED_SYSTEM_CHECKS = ["security.W008"]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = int(timedelta(days=90).total_seconds())
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

# How the games are run

RATE_LIMIT = env.bool("RATE_LIMIT", default=True)
HUMAN_PACE_MS = env.int("HUMAN_PACE_MS", default=150)
BOARD_ZONE = ZoneInfo(env("BOARD_ZONE", default="UTC"))
MAX_OPEN_GAMES = 20
LIVE_FOR = timedelta(minutes=5)
WORKER = env.bool("WORKER", default=True)

# Django

DEBUG = False
INSTALLED_APPS = [
    "daphne",
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "channels",
    "game",
]
MIDDLEWARE = [
    "game.middleware.MachinesMiddleware",
    "game.middleware.MeasuringMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # What must stay secret in a page differs each time, and so does the length of what is sent.
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "game.languages.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "game.middleware.BrowserCookieMiddleware",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
SERVER = "config.server.Server"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [FRONTEND / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "game.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}Validator"}
    for name in ("UserAttributeSimilarity", "MinimumLength", "CommonPassword", "NumericPassword")
]
PASSWORD_HASHERS = ["game.hashers.BoundedArgon2PasswordHasher"]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
CSRF_FAILURE_VIEW = "game.views.errors.csrf_failure"

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("tr", "Türkçe"), ("pl", "Polski"), ("ar", "العربية")]
LOCALE_PATHS = [FRONTEND / "locale"]
LANGUAGE_COOKIE_NAME = "language"


def _release() -> str:
    """A name for what browsers are given: it changes when a static file, a catalogue or their maker does."""
    seen = sha256(b"admin" if ADMIN else b"")
    makers = [BASE_DIR / "game/management" / name for name in ("bundle.py", "start.py")]
    for path in sorted([*(FRONTEND / "static").rglob("*"), *(FRONTEND / "locale").rglob("*.po"), *makers]):
        if path.is_file():
            seen.update(path.relative_to(BASE_DIR).as_posix().encode() + b"\0" + path.read_bytes())
    return seen.hexdigest()[:12]


RELEASE = _release()
STATIC_URL = f"{FORCE_SCRIPT_NAME or ''}/static/{RELEASE}/"
STATIC_ROOT = VAR / "static" / RELEASE
STATICFILES_DIRS = [FRONTEND / "static"]
STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
if ADMIN:
    STATICFILES_FINDERS.append("django.contrib.staticfiles.finders.AppDirectoriesFinder")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
# Hashed file names do not reach the imports of ES modules: the release stands in the path instead,
# so that everything under it may be kept for ever.
WHITENOISE_IMMUTABLE_FILE_TEST = rf"^/static/{RELEASE}/"
WHITENOISE_USE_FINDERS = False
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_ADD_HEADERS_FUNCTION = add_headers

LOG_FORMAT = env("LOG_FORMAT", default="plain")
LOG_LEVEL = env("LOG_LEVEL", default="INFO")
if LOG_FORMAT not in ("plain", "json") or LOG_LEVEL not in ("DEBUG", "INFO", "WARNING", "ERROR"):
    raise ImproperlyConfigured(
        f"LOG_FORMAT is plain or json, LOG_LEVEL DEBUG, INFO, WARNING or ERROR: {LOG_FORMAT}, {LOG_LEVEL}?"
    )
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "place": {"()": "game.logs.AddPlace"},
        "said elsewhere": {"()": "game.logs.SaidElsewhere"},
        "not of probes": {"()": "game.logs.NotOfProbes"},
    },
    "formatters": {
        "plain": {"format": "{asctime} {levelname} {name}: {message}{place}", "style": "{"},
        "json": {"()": "game.logs.JsonLines"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["place"]}
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "game": {"level": LOG_LEVEL},
        "django.request": {"filters": ["not of probes"]},
        "channels_redis.pubsub": {"filters": ["said elsewhere"]},
        # "Bad Request" is told anyway; a traceback for every robot is not.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
}
