#!/usr/bin/env python3
"""Builds the wheel of the Python package, with sublet-all.jar inside.

    python3 src/main/python/build_wheel.py --jar target/sublet-all.jar --version 0.2.0 --out target/dist

The script needs only the standard library. The same input gives the same bytes, as long as the zlib
of Python is the same. pip also calls the functions build_wheel and build_sdist (PEP 517). Source:
"Binary distribution format" of the Python packaging specifications.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import io
import os
import re
import sys
import xml.etree.ElementTree as xml
import zipfile
from pathlib import Path
from typing import Dict, List, Optional

_HERE = Path(__file__).resolve().parent
_PROJECT = _HERE.parent.parent.parent
_JAR = "sublet/sublet-all.jar"

_METADATA = """\
Metadata-Version: 2.1
Name: sublet
Version: {version}
Summary: A memory-optimizing transpiler for deep-learning programs of Paddle and ONNX.
License: Apache-2.0
Keywords: onnx,paddle,memory,deep-learning,compiler
Classifier: Intended Audience :: Developers
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Classifier: Typing :: Typed
Requires-Python: >=3.8
Description-Content-Type: text/markdown

{description}"""

_WHEEL = """\
Wheel-Version: 1.0
Generator: sublet build_wheel.py
Root-Is-Purelib: true
Tag: py3-none-any
"""

_ENTRY_POINTS = """\
[console_scripts]
sublet = sublet.__main__:main
"""


def python_version(version: str) -> str:
    """Returns a version of Maven as Python writes it: 0.2.0-SNAPSHOT is 0.2.0.dev0."""
    python = re.sub("-SNAPSHOT$", ".dev0", version)
    if not re.fullmatch(r"\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?", python, re.ASCII):
        raise ValueError(f"'{version}' is not a version, such as 0.2.0 or 0.2.0-SNAPSHOT")
    return python


def project_version() -> str:
    """Returns the version in pom.xml."""
    version = xml.parse(_PROJECT / "pom.xml").getroot().findtext("{*}version")
    if version is None:
        raise ValueError("pom.xml has no version")
    return version


def contents(version: str, jar: Optional[Path]) -> Dict[str, bytes]:
    """Returns the files of the wheel except RECORD, by name.

    Without a jar, the package needs a Sublet elsewhere, and does not install a command.
    """
    package = sorted(_HERE.glob("sublet/*.py")) + [_HERE / "sublet" / "py.typed"]
    files = {f"sublet/{path.name}": path.read_bytes() for path in package}
    info = f"sublet-{version}.dist-info"
    guide = _PROJECT / "docs" / "python.md"
    description = guide.read_text("utf-8") if guide.is_file() else ""
    metadata = _METADATA.format(version=version, description=description)
    files[f"{info}/METADATA"] = metadata.encode("utf-8")
    files[f"{info}/WHEEL"] = _WHEEL.encode("utf-8")
    for name in ("LICENSE", "NOTICE"):
        if (_PROJECT / name).is_file():
            files[f"{info}/{name}"] = (_PROJECT / name).read_bytes()
    if jar is not None:
        files[_JAR] = jar.read_bytes()
        files[f"{info}/entry_points.txt"] = _ENTRY_POINTS.encode("utf-8")
    return files


def record(files: Dict[str, bytes], name: str) -> bytes:
    """Returns RECORD: a line with the hash and the length of each file."""
    lines: List[str] = []
    for path, content in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
        lines.append(f"{path},sha256={digest.decode('ascii')},{len(content)}\n")
    lines.append(f"{name},,\n")
    return "".join(lines).encode("utf-8")


def wheel_bytes(version: str, jar: Optional[Path]) -> bytes:
    """Returns the wheel."""
    files = contents(version, jar)
    name = f"sublet-{version}.dist-info/RECORD"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, content in [*sorted(files.items()), (name, record(files, name))]:
            entry = zipfile.ZipInfo(path, date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            # The jar is compressed already.
            is_jar = path == _JAR
            entry.compress_type = zipfile.ZIP_STORED if is_jar else zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return buffer.getvalue()


def write_wheel(version: str, jar: Optional[Path], folder: Path) -> Path:
    """Writes the wheel to a folder, which is made if it is missing; returns the wheel's path."""
    version = python_version(version)
    content = wheel_bytes(version, jar)
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"sublet-{version}-py3-none-any.whl"
    partial = folder / f"{wheel.name}.{os.getpid()}.part"
    partial.write_bytes(content)
    os.replace(partial, wheel)
    return wheel


def build_wheel(
    wheel_directory: str,
    config_settings: Optional[Dict[str, str]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    """Builds the wheel for pip, with target/sublet-all.jar if it has been built."""
    jar = _PROJECT / "target" / "sublet-all.jar"
    built = jar if jar.is_file() else None
    return write_wheel(project_version(), built, Path(wheel_directory)).name


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, str]] = None) -> str:
    """Refuses: the sources of the package are a part of the project, which Maven builds."""
    raise NotImplementedError("there is no source distribution; build the wheel")


def main() -> int:
    """Builds the wheel that the command line describes, and prints its path."""
    parser = argparse.ArgumentParser(description="Builds the wheel of the Python package.")
    parser.add_argument("--jar", type=Path, help="sublet-all.jar; without it, the wheel has none")
    parser.add_argument("--version", help="such as 0.2.0 (default: the version in pom.xml)")
    parser.add_argument("--out", type=Path, required=True, help="the folder for the wheel")
    given = parser.parse_args()
    try:
        version = given.version or project_version()
        print(write_wheel(version, given.jar, given.out))
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
