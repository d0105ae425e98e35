"""Runs the command line, for the verbs that the plug-in does not have."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import List, Optional, Sequence, Tuple

from . import _launcher
from .diagnostics import Diagnostic
from .errors import ProcessError, error_for

_NO = 1
_BUG = 70


@dataclass(frozen=True)
class Outcome:
    """A command that ended with 0, or with 1 as the answer "no"."""

    exit_code: int
    output: bytes
    diagnostics: Tuple[Diagnostic, ...]


def run(arguments: Sequence[str], stdin: bytes = b"", folder: Optional[str] = None) -> Outcome:
    """Runs a command.

    Args:
      arguments: the arguments; the first one is the verb.
      stdin: the content of standard input.
      folder: the folder in which the command runs.

    Raises:
      SubletError: the command failed.
    """
    command = [*_launcher.command(arguments[0]), *arguments]
    try:
        done = subprocess.run(
            command,
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=_launcher.environment(),
            check=False,
        )
    except OSError as error:
        raise ProcessError(f"{command[0]} did not start: {error}") from error
    messages = done.stderr.decode("utf-8", "replace")
    diagnostics = _diagnostics(messages, done.returncode)
    # Java itself also ends with 1, without output.
    if done.returncode == 0 or (done.returncode == _NO and done.stdout):
        return Outcome(done.returncode, done.stdout, diagnostics)
    if not any(one.severity == "error" for one in diagnostics):
        raise failure(done.returncode, messages)
    raise error_for(done.returncode, diagnostics)


def failure(exit_code: int, messages: str) -> ProcessError:
    """Returns the error for a process that ended without an answer.

    Args:
      exit_code: the exit code; if negative, a signal.
      messages: what the process wrote to standard error.
    """
    if "UnsupportedClassVersionError" in messages:
        return ProcessError("this Java is too old: Sublet needs Java 17 or later; see JAVA_HOME")
    lines = [line for line in messages.splitlines() if line.strip()]
    said = ": " + " | ".join(lines[-5:]) if lines else ""
    how = f"signal {-exit_code}" if exit_code < 0 else f"exit code {exit_code}"
    return ProcessError(f"Sublet ended with {how}{said}")


def _diagnostics(messages: str, exit_code: int) -> Tuple[Diagnostic, ...]:
    """Returns the diagnostics in the text of standard error; other lines are of Java."""
    found: List[Diagnostic] = []
    for line in messages.splitlines():
        severity, colon, message = line.partition(": ")
        if colon and severity in ("error", "warning", "note"):
            found.append(Diagnostic(severity, message))
        elif found and exit_code == _BUG:
            # The stack trace of a bug.
            found[-1] = Diagnostic(found[-1].severity, f"{found[-1].message}\n{line}")
    return tuple(found)
