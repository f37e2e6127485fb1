"""Which mistakes the grader can name in an exercise, read off its mistake models: none of them is run."""

from __future__ import annotations

import ast
from collections.abc import Collection
from pathlib import Path

MODELS = ("mistakes.py", "stages.py")  # the second where the first would get too long


def nameable(solution: Path, slugs: Collection[str]) -> frozenset[str]:
    """The mistakes that an exercise has a model of: those whose slug stands in the models as a text.

    Loading them would say the same, and would import torch for it.

    Args:
        solution: the folder of the models.
        slugs: of the catalogue; all of them where there is no model to read, so that none is ruled out by mistake.
    """
    sources = [path.read_bytes() for name in MODELS if (path := solution / name).is_file()]
    nodes = (node for source in sources for node in ast.walk(ast.parse(source)))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return frozenset(texts.intersection(slugs) or slugs)
