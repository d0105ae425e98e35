"""The command line: ``python -m sublet``, and the command ``sublet`` of the wheel."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import List

from . import _launcher
from .errors import ProcessError

_NOT_STARTED = 70


def main() -> int:
    """Runs Sublet with the arguments of this process, and returns the exit code."""
    arguments = sys.argv[1:]
    try:
        command = [*_command(arguments[0] if arguments else ""), *arguments]
        environment = _launcher.environment()
        if sys.stdout.isatty():
            environment.setdefault("COLUMNS", str(shutil.get_terminal_size().columns))
        if os.name == "posix":
            os.execvpe(command[0], command, environment)
        return subprocess.call(command, env=environment)
    except ProcessError as error:
        print(f"error: {error}", file=sys.stderr)
    except OSError as error:
        print(f"error: {command[0]} did not start: {error}", file=sys.stderr)
    return _NOT_STARTED


def _command(verb: str) -> List[str]:
    words = _launcher.command(verb)
    if "-jar" in words:
        # Java 17 cannot tell which of its streams are terminals.
        terminals = "".join(str(i) for i in (1, 2) if os.isatty(i))
        words.insert(words.index("-jar"), f"-Dsublet.terminals={terminals}")
    return words


if __name__ == "__main__":
    sys.exit(main())
