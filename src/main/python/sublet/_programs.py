"""The programs that callers give: bytes, paths or protobuf messages."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Optional, Union

from . import _cli

if TYPE_CHECKING:
    from typing import Protocol

    class SerializableMessage(Protocol):
        """A protobuf message of any version, such as ``onnx.ModelProto``."""

        def SerializeToString(self) -> bytes:
            """Returns the serialized message."""

    PathLike = Union[str, os.PathLike[str]]
    ProgramLike = Union[bytes, bytearray, memoryview, PathLike, SerializableMessage]


@dataclass(frozen=True)
class GivenProgram:
    """A program, or a plan: bytes, or the path of a file or a folder."""

    content: Optional[bytes]
    path: Optional[str]

    @staticmethod
    def of(given: ProgramLike) -> GivenProgram:
        """Accepts bytes, a path, or a protobuf message.

        Raises:
          TypeError: it is something else.
          OSError: the path does not exist.
        """
        if isinstance(given, (bytes, bytearray, memoryview)):
            return GivenProgram(bytes(given), None)
        if isinstance(given, (str, os.PathLike)):
            path = os.path.abspath(os.fspath(given))
            os.stat(path)
            return GivenProgram(None, path)
        serialize = getattr(given, "SerializeToString", None)
        if serialize is None:
            raise TypeError(
                "a program is bytes, a path, or a protobuf message such as onnx.ModelProto, not "
                + type(given).__name__
            )
        return GivenProgram(serialize(), None)

    @property
    def name(self) -> str:
        """The name in messages; empty for a program in memory."""
        return self.path or ""

    def read(self) -> bytes:
        """Returns the content; of a folder, the only program in it, as the command line finds it.

        Raises:
          OSError: the file cannot be read.
          SubletError: the folder does not have exactly one program.
        """
        if self.content is not None:
            return self.content
        path = str(self.path)
        if os.path.isdir(path):
            return _cli.run(["convert", path, "-o", "-", "--to", "binary"]).output
        with open(path, "rb") as file:
            return file.read()
