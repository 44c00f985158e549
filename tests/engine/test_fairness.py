"""B12: every card comes to every place, and next to every other, as often as chance has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import shake_256
from itertools import islice, product

from game.engine.cards import pack
from game.engine.deals import shuffled

CARDS = pack("SHDC")
INDEX = {card: i for i, card in enumerate(CARDS)}
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def codes(count: int) -> Iterator[str]:
    """Neighbouring codes, where a weak shuffle shows first."""
    return ("SS1-S4-" + "".join(letters) for letters in islice(product(LETTERS, repeat=7), count))


def ours(code: str) -> bytes:
    return bytes(map(INDEX.__getitem__, shuffled(CARDS, code)))


def naive(code: str) -> bytes:
    """The mistake the recipe avoids: every card swapped with any other, so that some orders are favoured."""
    order = bytearray(range(52))
    for i, byte in enumerate(shake_256(code.encode()).digest(52)):
        j = byte % 52
        order[i], order[j] = order[j], order[i]
    return bytes(order)


def cut(code: str) -> bytes:
    """Another mistake: a pack only cut, so that every card comes to every place beside its old neighbour."""
    k = shake_256(code.encode()).digest(1)[0] % 52
    return bytes([*range(k, 52), *range(k)])


def quantile(freedom: int) -> float:
    """Chi-square that chance exceeds once in a million (Wilson and Hilferty)."""
    spread = 2 / (9 * freedom)
    return float(freedom * (1 - spread + 4.7534 * spread**0.5) ** 3)


def worst_place(orders: bytes) -> float:
    """The largest chi-square of the 52 cards over one place."""
    expected = len(orders) / 52 / 52
    places = (orders[place::52] for place in range(52))
    return max(sum((place.count(card) - expected) ** 2 for card in range(52)) / expected for place in places)


def of_neighbours(orders: bytes) -> float:
    """Chi-square of the 2652 ordered pairs of cards that lie next to each other."""
    # Pairs of bytes read as one number: those from even places, those from odd ones, less the pairs made of
    # one order's end and the next one's beginning.
    pairs = Counter(memoryview(orders).cast("H"))
    pairs.update(memoryview(orders[1:-1]).cast("H"))
    seams = bytes(byte for at in range(51, len(orders) - 1, 52) for byte in orders[at : at + 2])
    pairs.subtract(Counter(memoryview(seams).cast("H")))
    expected = len(orders) // 52 * 51 / 2652
    total = sum((seen - expected) ** 2 for seen in pairs.values() if seen) / expected
    never = 2652 - sum(1 for seen in pairs.values() if seen)
    return total + never * expected


def measured(shuffle: Callable[[str], bytes], count: int) -> tuple[float, float]:
    orders = b"".join(map(shuffle, codes(count)))
    return worst_place(orders), of_neighbours(orders)


def test_200_000_codes_favour_no_place_and_no_neighbour() -> None:
    place, neighbours = measured(ours, 200_000)
    assert place < quantile(51)
    assert neighbours < quantile(2651)


def test_the_measures_find_biased_shuffles() -> None:
    assert measured(naive, 20_000)[0] > quantile(51)
    assert measured(cut, 20_000)[1] > quantile(2651)


def test_no_two_codes_in_a_row_deal_the_same() -> None:
    assert len(set(map(ours, codes(20_000)))) == 20_000
