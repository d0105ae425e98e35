"""The exceptions of this package."""

from __future__ import annotations

from typing import Dict, Sequence, Tuple, Type

from .diagnostics import Diagnostic


class SubletError(Exception):
    """Sublet refused a request, or could not run.

    Attributes:
      diagnostics: the errors, warnings and notes, in order.
      exit_code: the exit code that the command line has for this error; 70 if there is none.
    """

    exit_code = 70

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics: Tuple[Diagnostic, ...] = tuple(diagnostics)


class OptionError(SubletError, ValueError):
    """An option does not exist, or conflicts with the input or with other options."""

    exit_code = 2


class InputError(SubletError, ValueError):
    """A program or a plan is malformed, or is of a kind that Sublet does not read."""

    exit_code = 3


class UnsupportedError(SubletError):
    """Sublet does not support a part of the program, or memory did not suffice."""

    exit_code = 4


class DoesNotFitError(SubletError):
    """An arena needs more than the capacity, or does not fit into the pools."""

    exit_code = 5


class InternalError(SubletError):
    """A bug in Sublet."""


class ProcessError(SubletError):
    """Sublet or Java was not found, or the process did not start or ended early."""


_BY_EXIT_CODE: Dict[int, Type[SubletError]] = {
    2: OptionError,
    3: InputError,
    4: UnsupportedError,
    5: DoesNotFitError,
}


def error_for(exit_code: int, diagnostics: Sequence[Diagnostic], source: str = "") -> SubletError:
    """Returns the exception for an exit code.

    Args:
      exit_code: the exit code of a command, or the status of a response.
      diagnostics: what Sublet reported.
      source: the name of the input, for a message that does not contain it.
    """
    errors = [d for d in diagnostics if d.severity == "error"] or list(diagnostics)
    message = "; ".join(str(error) for error in errors) or f"exit code {exit_code}"
    # An error about options alone is not about the input.
    is_about_input = exit_code != OptionError.exit_code or any(error.place for error in errors)
    if source and is_about_input:
        message = f"{source}: {message}"
    return _BY_EXIT_CODE.get(exit_code, InternalError)(message, diagnostics)
