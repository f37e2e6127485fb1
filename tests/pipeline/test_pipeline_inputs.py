"""`--input`: what may be in the file, and what is said of everything else."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from grader.errors import UsageError
from grader.pipeline.inputs import MOST_BYTES, read_input

EYE = [[1, 0], [0, 1]]
GOOD = {"x": [[1, 2], [3, 4.5], [0, -1]], "w_q": EYE, "w_k": EYE, "w_v": EYE, "num_heads": 2}


def asked(tmp_path: Path, text: str) -> Path:
    """A file with this text."""
    path = tmp_path / "input.json"
    path.write_text(text, encoding="utf-8")
    return path


def test_what_may_be_left_out_has_a_usual_value(tmp_path: Path) -> None:
    """Without tokens positions are numbered, without causal there is a mask, without w_o it is the identity."""
    sentence = read_input(asked(tmp_path, json.dumps(GOOD)))
    assert ([token.en for token in sentence.tokens], sentence.causal) == (["0", "1", "2"], True)
    assert (sentence.length, sentence.d_model, sentence.d_k, sentence.by_hand) == (3, 2, 1, False)
    np.testing.assert_array_equal(sentence.matrices["w_o"], np.eye(2))


def test_everything_can_be_given(tmp_path: Path) -> None:
    """Tokens, causal and w_o are taken as they stand."""
    given = {**GOOD, "tokens": ["我", "爱", "你"], "causal": False, "w_o": [[0, 1], [1, 0]]}
    sentence = read_input(asked(tmp_path, json.dumps(given)))
    assert [token.zh for token in sentence.tokens] == ["我", "爱", "你"]
    assert not sentence.causal
    assert sentence.matrices["w_o"].tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("change", "key", "told"),
    [
        ({"x": None}, "no_matrix", "x"),
        ({"x": []}, "no_matrix", "x"),
        ({"x": [[]]}, "no_matrix", "x"),
        ({"x": [[1, 2], [3]]}, "no_matrix", "x"),
        ({"x": [[1, "2"]]}, "no_number", "x[0][1]"),
        ({"x": [[1, True]]}, "no_number", "x[0][1]"),
        ({"x": [[1, float("nan")]]}, "no_number", "x[0][1]"),
        ({"x": [[1, 10**400]]}, "no_number", "x[0][1]"),
        ({"w_k": [[1, 0], [1e9, 1]]}, "no_number", "w_k[1][0]"),
        ({"x": [[1, 2]] * 9}, "too_many", None),
        ({"w_v": [[1, 0]]}, "wrong_shape", "w_v"),
        ({"num_heads": 0}, "wrong_heads", None),
        ({"num_heads": 3}, "wrong_heads", None),
        ({"num_heads": True}, "wrong_heads", None),
        ({"num_heads": "2"}, "wrong_heads", None),
        ({"causal": 1}, "wrong_causal", None),
        ({"tokens": ["a"]}, "wrong_tokens", None),
        ({"tokens": ["a", "b", 3]}, "wrong_tokens", None),
        ({"tokens": ["a", "b", "x" * 13]}, "wrong_tokens", None),
        ({"W_q": EYE}, "unknown_key", "W_q"),
    ],
)
def test_what_does_not_fit_is_named(tmp_path: Path, change: dict[str, object], key: str, told: str | None) -> None:
    """A value that does not fit is refused with its key, and nothing else is said."""
    with pytest.raises(UsageError) as caught:
        read_input(asked(tmp_path, json.dumps({**GOOD, **change})))
    assert caught.value.message.key == f"show.input_{key}"
    assert caught.value.message.fields.get("key") == told


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "no_json"),
        ("{", "no_json"),
        ("[" * 60_000, "odd_json"),
        ("[1]", "no_object"),
        ('"x"', "no_object"),
        ("{}", "missing_key"),
        (" " * (MOST_BYTES + 1), "too_large"),
        ("9" * 5000, "odd_json"),
        ('{"x": [[1]], "x": [[2]]}', "key_twice"),
    ],
)
def test_what_is_no_object_is_refused(tmp_path: Path, text: str, key: str) -> None:
    """No JSON, JSON of another kind, too much of it, or an object without the keys."""
    with pytest.raises(UsageError) as caught:
        read_input(asked(tmp_path, text))
    assert caught.value.message.key == f"show.input_{key}"


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    """A missing file and a folder are refused in words of ours."""
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(UsageError) as caught:
            read_input(path)
        assert caught.value.message.key == "show.input_unreadable"


def test_what_is_no_json_is_told_by_its_place(tmp_path: Path) -> None:
    """Line and column of what does not fit are said, and another encoding is called one."""
    with pytest.raises(UsageError) as caught:
        read_input(asked(tmp_path, '{"x": [[1, 0],]}\n'))
    assert (caught.value.message.fields["line"], caught.value.message.fields["column"]) == (1, 15)
    path = tmp_path / "latin.json"
    path.write_bytes(b'{"tokens": ["\xe9"]}')
    with pytest.raises(UsageError) as caught:
        read_input(path)
    assert caught.value.message.key == "show.input_no_utf8"


def test_a_pipe_is_read_and_never_waited_for(tmp_path: Path) -> None:
    """A pipe that nobody writes to holds nothing; what somebody writes to one is read to its end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(UsageError) as caught:
        read_input(pipe)
    assert caught.value.message.key == "show.input_no_json"
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)  # so that the writer need not wait for one
    with pipe.open("w", encoding="utf-8") as writer, ThreadPoolExecutor(1) as aside:
        found = aside.submit(read_input, pipe)
        writer.write(json.dumps(GOOD))
        writer.close()
        assert found.result().num_heads == 2
    os.close(reading)
