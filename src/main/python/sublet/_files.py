"""Writes programs and plans to files."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, List, Optional

from . import _cli
from ._programs import GivenProgram

if TYPE_CHECKING:
    from ._programs import PathLike, ProgramLike

_TEXT_FORMS = (".json", ".textproto", ".pbtxt", ".prototxt", ".txt")


def save_program(program: bytes, path: PathLike) -> None:
    """Writes a program; the command line writes the text forms."""
    if os.fspath(path).endswith(_TEXT_FORMS):
        _cli.run(["convert", "-", "-o", os.path.abspath(path)], stdin=program)
        return
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        # A device or a pipe.
        with open(target, "wb") as file:
            file.write(program)
        return
    # Nobody sees a half-written file.
    partial = f"{target}.{os.getpid()}.part"
    try:
        with open(partial, "xb") as file:
            file.write(program)
        os.replace(partial, target)
    except BaseException:
        if os.path.exists(partial):
            os.unlink(partial)
        raise


def save_plan(plan: bytes, path: PathLike, program: Optional[ProgramLike]) -> None:
    """Writes a plan in the form that the file name stands for."""
    arguments: List[str] = ["convert", "-", "-o", os.path.abspath(path)]
    if program is None:
        _cli.run(arguments, stdin=plan)
        return
    with tempfile.TemporaryDirectory(prefix="sublet-") as folder:
        name = name_in(folder, GivenProgram.of(program), "program")
        _cli.run([*arguments, "--program", name], stdin=plan, folder=folder)


def name_in(folder: str, given: GivenProgram, name: str) -> str:
    """Returns the argument for a program or a plan; writes one that is in memory to the folder."""
    if given.content is None:
        return str(given.path)
    with open(os.path.join(folder, name), "xb") as file:
        file.write(given.content)
    return name
