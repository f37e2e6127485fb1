"""The sandbox under the root of a user namespace, as in a container without rights."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
AS_ROOT = ["unshare", "--user", "--map-root-user"]
PROGRAM = """
from grader.model import Limits
from grader.sandbox.client import Sandbox
with Sandbox(("numpy",)) as sandbox:
    subject = sandbox.open(b"def f(x):\\n    return x + 1", "a.py", Limits(wall_s=20.0))
    print(sandbox.isolation.level, subject.f(1), dict(sandbox.isolation.missing)["uid"])
    subject.close()
"""


def allowed() -> bool:
    """Whether this machine lets somebody make a user namespace."""
    try:
        return subprocess.run([*AS_ROOT, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not allowed(), reason="this machine refuses user namespaces, and so does not have what is tested")
def test_a_root_who_cannot_become_another_user_stays_who_he_is() -> None:
    """Where no other uid is mapped, that layer is left out with its reason, and the others hold as ever."""
    run = [*AS_ROOT, sys.executable, "-c", PROGRAM]
    done = subprocess.run(run, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "strong 2 the groups of this user namespace are fixed\n"
