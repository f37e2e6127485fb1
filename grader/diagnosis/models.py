"""Loads an exercise's executable mistake models, `solutions/NN/mistakes.py`, and refuses what is not well written.

The file is the reference written once more, with named switches. It defines

    STAGES     stage -> options, the right one first
    MISTAKES   slug of the catalogue -> (stage, option)
    build      build(stage=option, ...) -> a namespace with the functions of the exercise; build() is right everywhere
    probes, fresh_probe, small_probes    inputs: fixed ones, a random one from a generator, small ones in order of size;
               choice.py says which of the first two every submission is asked
    observe    observe(subject, probe) -> what comes back: a value, or a tuple or dict of several
    CALL, or CALLS by kind of probe      how a person writes the call
    AXES       name of an input, "result" or name of a part of the result -> names of its axes
    STYLES     optional: stages whose every option is right, and which change how a mistake elsewhere looks

A probe is a dict from names to inputs: arrays, tensors, numbers, and a `Build` for an object. Where there are CALLS, a
key of these is the name of an input that only this kind of probe has, or a text in the probe, which then is no input.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice, product
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from grader.diagnosis import choice
from grader.diagnosis.choice import chosen_of, read_choice
from grader.errors import ContentError
from grader.sandbox.tensors import is_tensor

MOST_SMALL = 120  # small probes looked at for a counterexample

Probe = Mapping[str, Any]
Build = Callable[..., object]


@dataclass(frozen=True, eq=False)
class MistakeModels:
    """Right code and every known mistake of one exercise, ready to run, and the inputs that tell them apart."""

    path: Path
    stages: Mapping[str, tuple[str, ...]]
    mistakes: Mapping[str, tuple[str, str]]
    build: Build
    probes: tuple[Probe, ...]  # which every submission is asked, the most telling first
    fresh_probe: Callable[[np.random.Generator], Probe]
    small_probes: Callable[[], Iterator[Probe]]
    observe: Callable[[Any, Any], object]
    styles: tuple[str, ...]  # stages whose every option is right
    calls: Mapping[str, str]  # kind of probe -> how a person writes the call; "" where there is one kind
    axes: Mapping[str, str]
    written: tuple[Probe, ...] = ()  # the author's own, in their order

    @cached_property
    def rest(self) -> tuple[Probe, ...]:
        """The author's own probes that were not chosen."""
        chosen = set(map(id, self.probes))
        return tuple(probe for probe in self.written if id(probe) not in chosen)

    @cached_property
    def small(self) -> tuple[Probe, ...]:
        """The small probes that are looked at, in order of size."""
        return tuple(islice(self.small_probes(), MOST_SMALL))

    def options(self, slugs: Collection[str]) -> dict[str, str]:
        """The switches that make these mistakes together; no two of them may be of one stage."""
        return dict(self.mistakes[slug] for slug in slugs)

    def ways(self) -> Iterator[tuple[tuple[str, str], ...]]:
        """Every right way to write what STYLES names, as switches; one way without any where there are none."""
        for options in product(*(self.stages[style] for style in self.styles)):
            yield tuple(zip(self.styles, options, strict=True))

    def call_of(self, probe: Probe) -> str:
        """How a person writes the call that this probe makes."""
        kinds = [value for value in probe.values() if isinstance(value, str)]
        return next((self.calls[kind] for kind in [*kinds, *probe, ""] if kind in self.calls), "")

    def axes_of(self, *names: str) -> tuple[str, ...]:
        """Names of the axes of the first of these inputs or results that has any."""
        return tuple(next((self.axes[name] for name in names if name in self.axes), "").split())

    def inputs_of(self, probe: Probe) -> dict[str, object]:
        """The inputs of a probe, without the text that names its kind."""
        return {name: value for name, value in probe.items() if not isinstance(value, str)}


@cache
def load_models(
    path: Path, slugs: frozenset[str], defines: tuple[str, ...], *, choosing: bool = False
) -> MistakeModels:
    """The models of one exercise, read once in a process.

    Args:
        path: `mistakes.py` of the exercise.
        slugs: slugs of the course's catalogue of mistakes.
        defines: names that the exercise asks for.
        choosing: the probes are those of the author, and what was chosen of them before is not even read.

    Raises:
        ContentError: the file is missing, cannot be loaded or is not well written; names file, field, found and fix.
    """
    author = _Author(path)
    stages = author.stages()
    build = author.function("build", 'write build(**options), with "first option" as the default of each stage')
    fresh = author.function("fresh_probe", "write fresh_probe(rng), which gives one probe")
    small = author.function("small_probes", "write small_probes(), which yields probes in order of size")
    written = author.probes()
    chosen = () if choosing else chosen_of(read_choice(path.with_name(choice.NAME)), written, fresh)
    models = MistakeModels(
        path=path,
        stages=stages,
        mistakes=author.mistakes(stages, slugs),
        styles=author.styles(stages),
        build=author.in_file(build),
        probes=chosen or written,
        fresh_probe=fresh,
        small_probes=small,
        observe=author.function("observe", "write observe(subject, probe), which calls the subject"),
        calls=author.calls(),
        axes=author.axes(),
        written=written,
    )
    author.try_builds(models, defines)
    return models


class _Author:
    """One mistakes.py, read field by field; every complaint names the field, what was found, and the fix."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._module = self._loaded()

    def error(self, field: str, found: str, fix: str) -> ContentError:
        return ContentError(f"{self._path}: {field}: found {found}; {fix}.")

    def _loaded(self) -> ModuleType:
        if not self._path.is_file():
            raise ContentError(f"{self._path}: found no such file; write it (see AUTHORING.md).")
        name = f"_manyheads_mistakes_{self._path.parent.name}"
        module = ModuleType(name)
        module.__file__ = str(self._path)
        sys.modules[name] = module  # dataclasses look their own module up there
        try:  # not by import: compiled code of a file that was changed within the same second would count on
            exec(compile(self._path.read_bytes(), self._path, "exec", dont_inherit=True), module.__dict__)  # noqa: S102
        except Exception as error:
            del sys.modules[name]
            raise ContentError(f"{self._path}: found {_told(error)} while loading it; mend it.") from error
        return module

    def _value(self, field: str, fix: str) -> Any:
        if not hasattr(self._module, field):
            raise self.error(field, "nothing", fix)
        return getattr(self._module, field)

    def function(self, field: str, fix: str) -> Callable[..., Any]:
        found: Callable[..., Any] = self._value(field, fix)
        if not callable(found):
            raise self.error(field, _short(found), fix)
        return found

    def in_file(self, build: Build) -> Build:
        """`build` with namespaces that say where their code stands, so that an exception comes with its line."""

        def built(**options: str) -> Any:
            namespace = build(**options)
            if not hasattr(namespace, "__file__"):
                namespace.__file__ = str(self._path)  # type: ignore[attr-defined]
            return namespace

        return built

    def stages(self) -> dict[str, tuple[str, ...]]:
        fix = 'write {"stage": ("right option", "other option", ...), ...}'
        found = self._value("STAGES", fix)
        if not (isinstance(found, dict) and found):
            raise self.error("STAGES", _short(found), fix)
        for stage, options in found.items():
            well = isinstance(options, tuple) and len(options) > 1 and all(isinstance(o, str) for o in options)
            if not (isinstance(stage, str) and well and len(set(options)) == len(options)):
                fix = "write a tuple of at least two different names, the right one first"
                raise self.error(f"STAGES[{stage!r}]", _short(options), fix)
        return dict(found)

    def mistakes(self, stages: Mapping[str, tuple[str, ...]], slugs: Collection[str]) -> dict[str, tuple[str, str]]:
        fix = 'write {"slug-of-the-catalogue": ("stage", "option"), ...}'
        found = self._value("MISTAKES", fix)
        if not (isinstance(found, dict) and found):
            raise self.error("MISTAKES", _short(found), fix)
        switches: dict[tuple[str, str], str] = {}
        for slug, switch in found.items():
            field = f"MISTAKES[{slug!r}]"
            if slug not in slugs:
                raise self.error(field, "a slug without a card", f"write [mistake.{slug}] in exercises/mistakes.toml")
            if not (isinstance(switch, tuple) and len(switch) == 2):
                raise self.error(field, _short(switch), 'write ("stage", "option")')
            stage, option = switch
            if stage not in stages:
                raise self.error(field, f"the stage {stage!r}", f"use one of {', '.join(stages)}")
            if option not in stages[stage]:
                raise self.error(field, f"the option {option!r}", f"use one of {', '.join(stages[stage][1:])}")
            if option == stages[stage][0]:
                raise self.error(field, f"{option!r}, the right option", "name the option that is the mistake")
            if switch in switches:
                other = f"the same switch as {switches[switch]!r}"
                raise self.error(field, other, "keep one of the two slugs: they are the same code")
            switches[switch] = slug
        return dict(found)

    def styles(self, stages: Collection[str]) -> tuple[str, ...]:
        found = getattr(self._module, "STYLES", ())
        unknown = [style for style in found if style not in stages] if isinstance(found, tuple) else [found]
        if unknown:
            raise self.error("STYLES", _short(unknown[0]), f"write a tuple of stages, from {', '.join(stages)}")
        return tuple(found)

    def probes(self) -> tuple[Probe, ...]:
        fix = "write probes(), which gives a list of dicts from names to inputs"
        try:
            found = list(self.function("probes", fix)())
        except ContentError:
            raise
        except Exception as error:
            raise self.error("probes", _told(error), fix) from error
        if not found or not all(isinstance(p, dict) and all(isinstance(name, str) for name in p) for p in found):
            raise self.error("probes", _short(found), fix)
        return tuple(found)

    def calls(self) -> dict[str, str]:
        fix = 'write CALL = "concat_heads(heads)", or CALLS = {"kind of probe": "the call", ...}'
        found = getattr(self._module, "CALLS", None)
        if found is None:
            found = {"": self._value("CALL", fix)}
        return self._texts("CALLS" if "" not in found else "CALL", found, fix)

    def axes(self) -> dict[str, str]:
        fix = 'write {"name of an input": "h L d_v", "result": "L d_model"}'
        return self._texts("AXES", self._value("AXES", fix), fix)

    def _texts(self, field: str, found: object, fix: str) -> dict[str, str]:
        if not isinstance(found, dict) or not all(isinstance(text, str) for pair in found.items() for text in pair):
            raise self.error(field, _short(found), fix)
        return dict(found)

    def try_builds(self, models: MistakeModels, defines: tuple[str, ...]) -> None:
        """Refuses switches that `build` does not know, and builds without the functions of the exercise."""
        rights = {stage: options[0] for stage, options in models.stages.items()}
        for options in ({}, rights, *({stage: option} for stage, option in models.mistakes.values())):
            shown = ", ".join(f"{stage}={option!r}" for stage, option in options.items())
            try:
                built = models.build(**options)
            except Exception as error:
                raise self.error(f"build({shown})", _told(error), "let build take every stage by name") from error
            missing = [name for name in defines if not callable(getattr(built, name, None))]
            if missing:
                raise self.error(f"build({shown})", f"no {missing[0]}", "give a namespace with every function")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def probe_size(probe: Probe) -> int:
    """How many numbers a probe shows, the order in which counterexamples are looked for; a described object is one."""
    return sum(_size(value) for value in probe.values() if not isinstance(value, str))


def _size(value: Any) -> int:
    if is_tensor(type(value)):
        return int(value.numel())
    return int(np.size(value)) if isinstance(value, np.ndarray | list | tuple) else 1
