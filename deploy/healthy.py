"""Exits with 0 if the server in this container answers: asked under the first name it goes by."""

import http.client
import os
import sys
from urllib.parse import urlsplit

port = int(os.environ["PORT"])
origin = os.environ.get("ALLOWED_ORIGINS", f"http://127.0.0.1:{port}").split(",")[0]
path = "/".join(["", *filter(None, [os.environ.get("BASE_PATH", "").strip("/")]), "healthz"])
connection = http.client.HTTPConnection("127.0.0.1", port, timeout=4)
connection.request("GET", path, headers={"Host": urlsplit(origin).netloc})
sys.exit(connection.getresponse().status != 200)
