# The server as an image: runs as a user without rights, writes to its two volumes and /tmp alone.
FROM python:3.11-slim-trixie AS packages
WORKDIR /srv/tableau
COPY requirements/run.txt requirements/run.txt
RUN python -m venv .venv \
    && .venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements/run.txt

FROM python:3.11-slim-trixie
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 HOST=0.0.0.0 PORT=8000 VAR=/var/lib/tableau
# Fonts for the names on pictures, and the tools that back Postgres up: of the release that docker-compose.yml runs.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends fontconfig fonts-noto-core postgresql-client-17 \
    && rm -r /var/lib/apt/lists/*
ENV XDG_CACHE_HOME=/tmp
WORKDIR /srv/tableau
COPY --from=packages /srv/tableau/.venv .venv
COPY manage.py manage.py
COPY config config
COPY game game
COPY frontend frontend
COPY deploy/healthy.py deploy/healthy.py
# What a start would write beside the sources is written now, so that the root may be read-only.
RUN VAR=/tmp/var DJANGO_SETTINGS_MODULE=config.settings .venv/bin/python -c \
        "from game.management.start import compile_catalogues; compile_catalogues()" \
    && python -m compileall -q config game \
    && rm -r /tmp/var \
    && useradd --system --uid 10001 --no-create-home tableau \
    && install --directory --owner=tableau "$VAR" /var/backups/tableau
USER tableau
VOLUME /var/lib/tableau /var/backups/tableau
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD [".venv/bin/python", "deploy/healthy.py"]
CMD [".venv/bin/python", "manage.py", "serve"]
