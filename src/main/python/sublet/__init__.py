"""Sublet makes deep-learning programs use less memory.

    import sublet

    result = sublet.optimize("model.pdmodel", shapes={"x": (1, 3, 224, 224)})
    result.save("small.pdmodel")
    print(result.bytes_before, "->", result.bytes_after, "bytes")

A program is a Paddle ``ProgramDesc`` or an ONNX model: bytes, a path, or a protobuf message such as
``onnx.ModelProto``. The package needs Java 17 or later, and no other Python package.
"""

from __future__ import annotations

from . import _cli
from .diagnostics import Diagnostic
from .errors import (
    DoesNotFitError,
    InputError,
    InternalError,
    OptionError,
    ProcessError,
    SubletError,
    UnsupportedError,
)
from .results import (
    Alias,
    Allocation,
    Arena,
    Explanation,
    Feed,
    MultiView,
    Optimized,
    Plan,
    UnneededCopy,
    Unplanned,
    Verification,
    Violation,
)
from .session import Session

__all__ = [
    "Alias",
    "Allocation",
    "Arena",
    "Diagnostic",
    "DoesNotFitError",
    "Explanation",
    "Feed",
    "InputError",
    "InternalError",
    "MultiView",
    "Optimized",
    "OptionError",
    "Plan",
    "ProcessError",
    "Session",
    "SubletError",
    "UnneededCopy",
    "Unplanned",
    "UnsupportedError",
    "Verification",
    "Violation",
    "close",
    "explain",
    "optimize",
    "plan",
    "verify",
    "version",
]

# The version of the package, as in pom.xml; version() asks the Sublet that answers.
__version__ = "0.2.0"

_session = Session()

optimize = _session.optimize
plan = _session.plan
explain = _session.explain
verify = _session.verify
close = _session.close


def version() -> str:
    """Returns the version of the Sublet that answers, such as "0.2.0".

    Raises:
      ProcessError: Sublet or Java is missing.
    """
    return _cli.run(["--version"]).output.decode("utf-8").split(" ", 1)[1].strip()
