"""A PostgreSQL server of Debian's, started for the tests in a temporary folder and on a free port of loopback."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

OWNER = "postgres"  # the server refuses to run as root
PROGRAMS = Path("/usr/lib/postgresql")


def programs() -> Path:
    """The folder of the newest server's programs; skips, with the reason, where there is none."""
    found = sorted(PROGRAMS.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if not found:
        pytest.skip("no PostgreSQL server is installed: apt-get install -y postgresql")
    return found[-1].parent


@contextmanager
def running_server() -> Iterator[str]:
    """A server with an empty cluster; the beginning of its URLs, to be followed by the name of a database."""
    pytest.importorskip("psycopg", reason="the driver is an extra: pip install 'manyheads[postgresql]'")
    folder, port = Path(tempfile.mkdtemp(prefix="manyheads-pg-")), free_port()
    owner = pwd.getpwnam(OWNER) if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    os.chown(folder, owner.pw_uid, owner.pw_gid)
    binaries, data = programs(), folder / "data"

    def run(program: str, *arguments: str) -> None:
        as_owner = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
        subprocess.run(
            [binaries / program, *arguments],
            check=True,
            cwd=folder,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            **as_owner,
        )

    try:
        run("initdb", "-D", str(data), "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N")
        options = f"-p {port} -h 127.0.0.1 -k {folder} -c fsync=off -c max_connections=20"
        run("pg_ctl", "-D", str(data), "-w", "-l", str(folder / "log"), "-o", options, "start")
        try:
            yield f"postgresql+psycopg://tester@127.0.0.1:{port}"
        finally:
            run("pg_ctl", "-D", str(data), "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    """A port of loopback that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def new_database(server: str, name: str) -> str:
    """An empty database; its URL."""
    import psycopg  # noqa: PLC0415 - an extra

    with psycopg.connect(f"{server.replace('+psycopg', '')}/postgres", autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}"')
        connection.execute(f'CREATE DATABASE "{name}"')
    return f"{server}/{name}"
