"""Exits with 0 if what runs in this container is well.

A server must answer, asked under the first name it goes by; a worker (``healthy.py worker``) must have come
round to its next game in the last minutes.
"""

import http.client
import os
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

if sys.argv[1:] == ["worker"]:
    sys.exit(time.time() - (Path(os.environ["VAR"]) / "worker.alive").stat().st_mtime > 600)
port = int(os.environ["PORT"])
origin = os.environ.get("ALLOWED_ORIGINS", f"http://127.0.0.1:{port}").split(",")[0]
path = "/".join(["", *filter(None, [os.environ.get("BASE_PATH", "").strip("/")]), "healthz"])
connection = http.client.HTTPConnection("127.0.0.1", port, timeout=4)
connection.request("GET", path, headers={"Host": urlsplit(origin).netloc})
sys.exit(connection.getresponse().status != 200)
