"""Errors, warnings and notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class Diagnostic:
    """An error, a warning or a note.

    Attributes:
      severity: "error", "warning" or "note".
      message: one line, without the location.
      place: the location, as text; empty if the message is not about a part of the program.
      block: the block of the location, if it has one.
      op_index: the index of the operator in its block, if the location has one.
      op_type: the type of that operator, or an empty string.
      variable: the variable of the location, or an empty string.
    """

    severity: str
    message: str
    place: str = ""
    block: Optional[int] = None
    op_index: Optional[int] = None
    op_type: str = ""
    variable: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message
