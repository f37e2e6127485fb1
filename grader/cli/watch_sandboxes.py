"""The sandboxes of `grade watch`: one for each set of packages, kept warm until the end, replaced where it is lost."""

from __future__ import annotations

from contextlib import ExitStack

from grader.sandbox.client import Sandbox

Packages = tuple[str, ...]


class Sandboxes:
    """All that were started; whoever uses them closes them."""

    def __init__(self) -> None:
        self._started: dict[Packages, Sandbox] = {}

    def __contains__(self, packages: Packages) -> bool:
        """Whether there is one for these packages already."""
        return packages in self._started

    def warm(self, packages: Packages) -> Sandbox:
        """The sandbox for these packages, started where there is none; as for many, since each save opens one more."""
        if packages not in self._started:
            self._started[packages] = Sandbox(packages, many="torch" in packages)
        return self._started[packages]

    def give_up(self, packages: Packages) -> None:
        """Close one that was lost, such as where a system has no memory left; the next `warm` starts another."""
        lost = self._started.pop(packages, None)
        if lost is not None:
            lost.close()

    def close(self) -> None:
        """End them all, whatever happens to one of them."""
        with ExitStack() as stack:
            while self._started:
                stack.callback(self._started.popitem()[1].close)
