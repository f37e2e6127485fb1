"""The wire carries a small closed set of values, and its decoder survives any bytes."""

import random
from collections import OrderedDict
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from grader.sandbox import values, wire

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**64), 2**64)
    | st.floats()
    | st.complex_numbers()
    | st.text()
    | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)
ARRAYS = npst.arrays(
    dtype=st.sampled_from(sorted(wire.DTYPES)).map(np.dtype),
    shape=npst.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=3),
    elements=st.just(0),
)


class Pair(NamedTuple):
    """A namedtuple, as a student might return one."""

    first: int
    second: int


def same(a: Any, b: Any) -> bool:
    """Equal in type and value, with NaN equal to itself."""
    return type(a) is type(b) and repr(a) == repr(b)


@given(PLAIN)
def test_plain_values_come_back_as_they_were(value: Any) -> None:
    """What has a tag crosses unchanged, with its type."""
    assert same(wire.decode(wire.encode(value)), value)


@given(ARRAYS)
def test_arrays_come_back_with_shape_dtype_and_values(array: np.ndarray) -> None:
    """An array keeps shape, dtype and values, and belongs to the receiver."""
    got = wire.decode(wire.encode(array))
    assert got.shape == array.shape
    assert got.dtype == array.dtype
    assert np.array_equal(got, array)
    assert got.flags.writeable


@pytest.mark.parametrize("dtype", sorted(wire.DTYPES))
def test_scalars_of_numpy_keep_their_type(dtype: str) -> None:
    """A numpy scalar of each dtype stays one."""
    value = np.dtype(dtype).type(1)
    got = wire.decode(wire.encode(value))
    assert type(got) is type(value)
    assert got == value


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.arange(6.0).reshape(2, 3).T, [[0, 3], [1, 4], [2, 5]]),
        (np.arange(6.0)[::2], [0, 2, 4]),
        (np.arange(3, dtype=">f8"), [0, 1, 2]),
        (np.broadcast_to(np.float32(7), (2, 2)), [[7, 7], [7, 7]]),
    ],
    ids=["transposed", "strided", "big-endian", "broadcast"],
)
def test_layout_in_memory_does_not_matter(array: np.ndarray, expected: list[Any]) -> None:
    """Any layout of an array crosses by its values."""
    assert wire.decode(wire.encode(array)).tolist() == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Pair(1, 2), (1, 2)),
        (OrderedDict(a=1), {"a": 1}),
        (np.dtype("f4"), wire.Opaque("numpy.dtype", "float32")),
        (object(), wire.Opaque("object")),
        (np.ma.array([1]), wire.Opaque("numpy.ma.MaskedArray", "a subclass of numpy.ndarray, shape (1,)")),
        (np.array([None]), wire.Opaque("numpy.ndarray", "dtype object")),
        (np.array(["a"]), wire.Opaque("numpy.ndarray", "dtype <U1")),
        ([Exception], [wire.Opaque("type")]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_other_types_cross_as_their_base_type_or_as_a_label(value: Any, expected: Any) -> None:
    """Known subclasses lose their class, foreign values become a label that says what they were."""
    assert wire.decode(wire.encode(value)) == expected


def test_a_lying_subclass_is_not_asked() -> None:
    """The label of a foreign array is made without running any code of its class."""

    class Liar(np.ndarray):
        def __getattribute__(self, name: str) -> Any:
            raise AssertionError(name)

    label = wire.decode(wire.encode(np.zeros((2, 3)).view(Liar)))
    assert label.type_name.endswith("Liar")
    assert label.detail == "a subclass of numpy.ndarray, shape (2, 3)"


def _self_containing() -> list[Any]:
    inner: list[Any] = []
    inner.append(inner)
    return inner


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (_self_containing(), "nested more than"),
        ([0] * (values.MAX_ITEMS + 1), "more than 200000 values"),
        (np.broadcast_to(0.0, (10**5, 10**5)), "80000000000 bytes"),
        (b"x" * (values.MAX_PAYLOAD + 1), "larger than 64 MiB"),
        (1 << (8 * values.MAX_INT_BYTES), "whole number of more than 512 bytes"),
    ],
    ids=["endless", "wide", "lazy 80 GB", "large", "long number"],
)
def test_what_is_too_much_is_refused_before_it_is_copied(value: Any, said: str) -> None:
    """Caps on depth, items and bytes hold on the sending side."""
    with pytest.raises(wire.WireError, match=said):
        wire.encode(value)


def test_a_handle_is_made_only_where_it_is_asked_for() -> None:
    """`keep` is asked for the value of a reply, never for what lies deeper."""
    kept: list[object] = []

    def keep(value: object) -> wire.Handle:
        kept.append(value)
        return wire.Handle(len(kept) - 1, "Thing")

    thing = object()
    assert wire.decode(wire.encode({"value": thing}, keep=keep)) == {"value": wire.Handle(0, "Thing")}
    assert wire.decode(wire.encode({"value": [thing]}, keep=keep)) == {"value": [wire.Opaque("object")]}
    assert kept == [thing]


MALFORMED = {
    "empty": b"",
    "unknown tag": b"?",
    "half a number": b"I\x08\x00",
    "number of 4 GB": b"I\xff\xff\xff\xff",
    "text that is not UTF-8": b"S\x01\x00\x00\x00\xff",
    "more values than bytes": b"[\xff\xff\xff\xff",
    "pairs that are missing": b"{\x02\x00\x00\x00NN",
    "a list as a key": b"{\x01\x00\x00\x00[\x00\x00\x00\x00N",
    "bytes after the value": b"NN",
    "object dtype": b"A\x02|O\x00" + b"\0" * 8,
    "an array of 2^63 numbers": b"A\x03<f8\x01" + b"\xff" * 7 + b"\x7f",
    "an array with a negative product": b"A\x03<f8\x02" + b"\xff" * 16,
    "an empty array of absurd shape": b"A\x03<f8\x02" + b"\0" * 8 + b"\xff" * 8,
    "seventeen axes": b"A\x03<f8\x11" + b"\x01" * 200,
    "a bool that is two": b"A\x03|b1\x01\x01" + b"\0" * 7 + b"\x02",
    "a scalar with axes": b"G\x03<f8\x01\x01" + b"\0" * 15,
    "an exception with no type": b"X(\x00\x00\x00\x00",
    "a dtype name that is not ASCII": b"A\x03\xff\xff\xff\x00",
    "deep": b"[\x01\x00\x00\x00" * 40 + b"N",
}


@pytest.mark.parametrize("payload", MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_payloads_are_refused(payload: bytes) -> None:
    """Bytes that `encode` never writes raise WireError and nothing else."""
    with pytest.raises(wire.WireError):
        wire.decode(payload)


@pytest.mark.parametrize(
    ("header", "said"),
    [
        (b"MHW3", "half a header"),
        (b"HTTP" + b"\0" * 17, "no frame of ours"),
        (b"MHW3" + b"\xff" * 17, "a frame of 18446744073709551615 bytes"),
    ],
)
def test_headers_that_lie_are_refused(header: bytes, said: str) -> None:
    """A header is checked before a byte of its payload is read."""
    with pytest.raises(wire.WireError, match=said):
        wire.read_header(header)


SEEDS = [
    wire.encode(value)
    for value in (
        {"value": np.arange(6.0).reshape(2, 3), "changed": ("heads",)},
        {"raised": wire.ExceptionReport(("E",), "t", arrays=(wire.ArrayShape("a", "float64", (2, 3)),))},
        [1, (2.5, 1j, {"a": None, "b": [True, b"xy"]}), np.float32(1), np.array([True, False])],
        wire.Handle(3, "MultiHeadAttention"),
        wire.Opaque("module", ""),
    )
]


def _survives(payload: bytes) -> None:
    try:
        wire.decode(payload)
    except wire.WireError:
        return


@given(st.binary(max_size=200))
def test_any_bytes_are_a_value_or_an_error_of_ours(payload: bytes) -> None:
    """The decoder raises nothing but WireError on random bytes."""
    _survives(payload)


@pytest.mark.slow
@settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32), st.sampled_from(SEEDS))
def test_a_million_damaged_payloads_are_values_or_errors_of_ours(seed: int, payload: bytes) -> None:
    """The decoder raises nothing but WireError on a thousand damaged copies of each of a thousand payloads."""
    chance = random.Random(seed)  # noqa: S311 - damage, not secrets
    for _ in range(1000):
        damaged = bytearray(payload)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        cut = chance.randrange(len(damaged)) if chance.random() < 0.2 else len(damaged)
        _survives(bytes(damaged[:cut]))
