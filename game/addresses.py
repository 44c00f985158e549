"""Addresses behind proxies: where a request really comes from, and what the site is called by it."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

IPV6_PREFIX = 64
"""One house has all addresses under such a prefix, so they count as one."""


def true_address(peer: str, forwarded: str) -> str:
    """The address to count by.

    ``peer`` is the other end of the connection, ``forwarded`` the ``X-Forwarded-For`` header. The header
    is read from its end, and only past addresses in ``TRUSTED_PROXIES``: what stands before the first
    stranger is anybody's invention. An IPv6 address is its /64.
    """
    chain = [*[part.strip() for part in forwarded.split(",") if part.strip()], peer]
    found = chain.pop()
    while chain and _is_trusted(found):
        found = chain.pop()
    return _counted(found)


def _counted(text: str) -> str:
    try:
        address = ip_address(text.strip("[]"))
    except ValueError:
        return text
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ip_network((int(address), IPV6_PREFIX), strict=False))
    return str(address)


def _is_trusted(text: str) -> bool:
    networks = _networks(tuple(settings.TRUSTED_PROXIES))
    try:
        address = ip_address(text.strip("[]"))
    except ValueError:
        return False
    return any(address in network for network in networks if network.version == address.version)


@lru_cache(maxsize=4)
def _networks(entries: tuple[str, ...]) -> list[IPv4Network | IPv6Network]:
    return [ip_network(entry, strict=False) for entry in entries]


def whole_address(request: HttpRequest, path: str) -> str:
    """A path of the site with the origin under which it was asked for.

    That is one of `ALLOWED_ORIGINS`: whatever a proxy says of scheme and port, nobody is told another. Of
    several the one asked for is taken, else one on the same host.
    """
    origins: list[str] = settings.ALLOWED_ORIGINS
    host = request.get_host()
    asked = f"{request.scheme}://{host}"
    name = urlsplit(f"//{host}").hostname
    same_host = [origin for origin in origins if urlsplit(origin).hostname == name]
    return (asked if asked in origins else same_host[0] if same_host else origins[0]) + path
