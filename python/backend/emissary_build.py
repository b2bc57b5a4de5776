"""The build backend: scikit-build-core's, whose source distributions have the libraries' sources too, in the folder `tree`."""
from __future__ import annotations

import pathlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from scikit_build_core import build as _build
from scikit_build_core.build import (build_editable, build_wheel, get_requires_for_build_editable, get_requires_for_build_sdist,
                                     get_requires_for_build_wheel, prepare_metadata_for_build_editable, prepare_metadata_for_build_wheel)

__all__ = ["build_editable", "build_sdist", "build_wheel", "get_requires_for_build_editable", "get_requires_for_build_sdist",
           "get_requires_for_build_wheel", "prepare_metadata_for_build_editable", "prepare_metadata_for_build_wheel"]

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
# CMakeLists.txt comes last: it says that the tree is whole.
PARTS = ["LICENSE", "NOTICE", "cmake", "eta", "rest", "reactor", "logging", "config", "ema", "book", "capi",
         "etc/RDMFieldDictionary", "etc/enumtype.def", "packaging/debian/changelog", "CMakeLists.txt"]


@contextmanager
def _with_tree() -> Iterator[None]:
    """The libraries' sources below the package's folder. A source distribution that is built again has them already."""
    tree = PACKAGE / "tree"
    if (tree / "CMakeLists.txt").exists():
        yield
        return
    shutil.rmtree(tree, ignore_errors=True)
    try:
        for part in PARTS:
            source, target = PACKAGE.parent / part, tree / part
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target)
            else:
                shutil.copy2(source, target)
        yield
    finally:
        shutil.rmtree(tree, ignore_errors=True)


def build_sdist(sdist_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    with _with_tree():
        return _build.build_sdist(sdist_directory, config_settings)
