"""Behind a proxy that ends TLS, under a path and on another port than the server's."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from playwright.sync_api import BrowserContext

from tests.e2e.clerk import Clerk
from tests.e2e.conftest import UNHURRIED, USUAL
from tests.e2e.deals import MEADOW
from tests.e2e.table import Table
from tests.services import Site, free_port

UNDER = "/cards/table"


def certificate(folder: Path) -> Path:
    """A key and a certificate for the loopback address, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, encryption_algorithm=serialization.NoEncryption()
    )
    file = folder / "loopback.pem"
    file.write_bytes(private + made.public_bytes(pem))
    return file


@contextlib.contextmanager
def tls_in_front_of(site: Site, port: int, file: Path) -> Iterator[None]:
    """Takes TLS connections on a port and hands on what is in them, as it is."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)

    async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while piece := await source.read(1 << 16):
                sink.write(piece)
                await sink.drain()
        sink.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", site.port)
        try:
            await asyncio.gather(pump(reader, inner_writer), pump(inner_reader, writer))
        finally:
            # At the end of the test, too: nothing stays open behind a loop that has ended.
            for each in (writer, inner_writer):
                each.transport.abort()
                with contextlib.suppress(OSError):
                    await each.wait_closed()

    ready = threading.Event()
    ends = []

    async def stand() -> None:
        done = asyncio.Event()
        loop = asyncio.get_running_loop()
        ends.append(lambda: loop.call_soon_threadsafe(done.set))
        async with await asyncio.start_server(serve, "127.0.0.1", port, ssl=context):
            ready.set()
            await done.wait()

    # Playwright keeps a loop running in the thread of the tests.
    thread = threading.Thread(target=asyncio.run, args=[stand()])
    thread.start()
    assert ready.wait(30)
    try:
        yield
    finally:
        ends[0]()
        thread.join(30)


def test_the_socket_follows_the_page(tmp_path: Path, new_context: Callable[..., BrowserContext]) -> None:
    """R5: its scheme, host, port and path are those of the page, and a move goes both ways."""
    port = free_port()
    outside = f"https://127.0.0.1:{port}"
    site = Site(tmp_path, {**UNHURRIED, "BASE_PATH": UNDER, "ALLOWED_ORIGINS": outside})
    site.start()
    clerk = Clerk(site)
    try:
        cookie = {"name": "sessionid", "value": clerk.register("ada"), "url": outside}
        code = clerk.deal("ada", "simple-simon", "S4", MEADOW)
        with tls_in_front_of(site, port, certificate(tmp_path)):
            context = new_context(base_url=outside, ignore_https_errors=True, **USUAL)
            context.add_cookies([cookie])  # type: ignore[list-item]
            tables = [Table(context.new_page()) for _ in range(2)]
            for table in tables:
                table.open(f"{UNDER}/g/{code}/")
            tables[0].play("t4-t3")
            tables[1].shows(MEADOW.replace("t3 9D/t4 8H", "t3 9D 8H/t4"))
            address = tables[0].sockets[0].url
            assert address.startswith(f"wss://127.0.0.1:{port}{UNDER}/ws/game/{code}/?")
            context.close()
    finally:
        clerk.end()
        site.end()
