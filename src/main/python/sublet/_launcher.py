"""Finds the command that runs Sublet."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Dict, List

from .errors import ProcessError

# The wheel has the jar here.
JAR = Path(__file__).resolve().parent / "sublet-all.jar"


def command(verb: str) -> List[str]:
    """Returns the words of the command line before the verb.

    The environment variable SUBLET names a launcher or a jar; else the jar inside this package is
    used; else ``sublet`` on the PATH.

    Args:
      verb: the verb of the command, which decides how Java compiles.

    Raises:
      ProcessError: there is no Sublet, or no Java for the jar.
    """
    given = os.environ.get("SUBLET", "")
    if given:
        return _given(given, verb)
    if JAR.is_file():
        return java(str(JAR), verb)
    found = shutil.which("sublet")
    if found:
        return [os.path.abspath(found)]
    raise ProcessError(
        "Sublet was not found: set the environment variable SUBLET to the launcher or to"
        " sublet-all.jar, or put 'sublet' on the PATH"
    )


def _given(given: str, verb: str) -> List[str]:
    if given.endswith(".jar") and os.path.isfile(given):
        return java(os.path.abspath(given), verb)
    found = shutil.which(given)
    if not found:
        raise ProcessError(
            f"the environment variable SUBLET is '{given}', which is neither a jar nor a program"
        )
    return [os.path.abspath(found)]


def java(jar: str, verb: str) -> List[str]:
    """Returns the command that runs a jar, with the options that the launcher uses, too.

    Raises:
      ProcessError: there is no Java.
    """
    home = os.environ.get("JAVA_HOME", "")
    found = shutil.which(os.path.join(home, "bin", "java")) if home else None
    found = found or shutil.which("java")
    if not found:
        raise ProcessError(
            "Java was not found: install Java 17 or later, or set JAVA_HOME to its folder"
        )
    # The optimizing compiler pays off only where tensors are computed.
    compiler = "-XX:+TieredCompilation" if verb in ("run", "micro") else "-XX:TieredStopAtLevel=1"
    options = ["-XX:+UseSerialGC", "-Xshare:auto", "-XX:-UsePerfData", compiler]
    # Text is read by reflection; to generate code for each field takes longer than a short run.
    options.append("-Dsun.reflect.inflationThreshold=1000")
    return [found, *options, *os.environ.get("SUBLET_JAVA_OPTS", "").split(), "-jar", jar]


def environment() -> Dict[str, str]:
    """Returns the environment for Sublet, in which Java decodes arguments as UTF-8."""
    variables = dict(os.environ)
    if os.name == "posix":
        locale = variables.pop("LC_ALL", "") or variables.get("LC_CTYPE", "")
        locale = locale or variables.get("LANG", "")
        is_utf8 = "UTF8" in locale.upper().replace("-", "")
        variables["LC_CTYPE"] = locale if is_utf8 else "C.UTF-8"
        variables["LC_MESSAGES"] = "C"
    return variables
