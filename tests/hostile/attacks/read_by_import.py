"""Loads the reference as a module from its path, past the rules about what may be imported."""
# verdict: wrong
# points: none
# needs: landlock
import importlib.util
import sys

sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder) is type]
PATHS = [path for path in """@@READ@@""".splitlines() if path.endswith(".py")]


def concat_heads(heads):
    for number, path in enumerate(PATHS):
        try:
            spec = importlib.util.spec_from_file_location(f"stolen{number}", path)
            module = importlib.util.module_from_spec(spec)
            sys.modules[spec.name] = module
            spec.loader.exec_module(module)
        except (OSError, ImportError):
            continue
        print(getattr(module, "SECRET", ""), "breach: imported", path)
