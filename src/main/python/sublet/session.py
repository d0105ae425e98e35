"""The verbs, and the process that serves them."""

from __future__ import annotations

import json
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Tuple, Union

from . import _cli, _files, _messages, _options, _plans, _wire
from ._plugin import Plugin
from ._programs import GivenProgram
from .errors import ProcessError, error_for
from .results import Explanation, Optimized, Plan, Verification, Violation

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Type

    from typing_extensions import Unpack

    from ._options import AnalysisOptions, OptimizeOptions, PlanOptions
    from ._programs import ProgramLike


class Session:
    """Optimizes programs with one process of Sublet, which is kept for the next request.

    The functions of the package use one session together. A session of its own is for threads
    that shall not wait for each other, and for an early end of the process. Thread-safe.

    Example:
      with sublet.Session() as session:
          plan = session.plan("model.pdmodel")
    """

    def __init__(self) -> None:
        self._plugin = Plugin()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process. A later request starts a new one."""
        self._plugin.close()

    @property
    def pid(self) -> Optional[int]:
        """The id of the process; None if it has not been started."""
        return self._plugin.pid

    def optimize(self, program: ProgramLike, **options: Unpack[OptimizeOptions]) -> Optimized:
        """Lets variables of a program share names, plans offsets, and proves both right.

        The values of an ONNX model have one name each: the model is returned with the plan in its
        ``metadata_props``.

        Args:
          program: a Paddle ``ProgramDesc`` or an ONNX model: bytes (binary, text or JSON), the
            path of a file or of a folder with one program, or a protobuf message such as
            ``onnx.ModelProto``.
          **options: docs/python.md lists them; the most important ones:
            shapes: the shapes of feeds, such as ``{"x": (1, 3, 224, 224)}``.
            batch: the number that replaces a leading extent of -1.
            capacity: the greatest size of an arena, such as ``"256KiB"``.
            keep: variables that keep their name and value.

        Raises:
          InputError: the program is malformed.
          OptionError: an option has a wrong value, or names a variable that does not exist.
          UnsupportedError: Sublet does not support a part of the program.
          DoesNotFitError: an arena needs more than ``capacity``.
          ProcessError: Sublet or Java is missing, or the process ended.
        """
        fields = _options.fields("optimize", _options.OPTIMIZE, options)
        response, plan = self._ask(program, fields, rewrite=True)
        sharing = response.get("sharing")
        return Optimized(
            program=response.get("rewritten_program", b""),
            plan=plan,
            bytes_before=_number(sharing, "bytes_before", plan.bytes_before),
            bytes_after=_number(sharing, "bytes_after", plan.arena_bytes),
            renamings=_renamings(sharing),
            diagnostics=plan.diagnostics,
        )

    def plan(self, program: ProgramLike, **options: Unpack[PlanOptions]) -> Plan:
        """Plans offsets for a program as it is, without new names.

        Arguments and errors are those of `optimize`.
        """
        fields = _options.fields("plan", _options.PLAN, options)
        return self._ask(program, fields, rewrite=False)[1]

    def explain(
        self,
        program: ProgramLike,
        variable: Optional[str] = None,
        **options: Unpack[OptimizeOptions],
    ) -> Explanation:
        """Explains why a variable shares memory or not; without one, why loops copy values.

        Args:
          program: as for `optimize`.
          variable: the name of a variable, of any block, or BLOCK:NAME.
          **options: as for `optimize`.

        Raises:
          OptionError: there is no such variable, or an option is wrong.
          SubletError: as for `optimize`.
        """
        words = _options.flags(_options.fields("explain", _options.OPTIMIZE, options))
        source = GivenProgram.of(program)
        # After "--", the name of a variable may begin with a hyphen.
        arguments = ["--", source.path or "-", *([] if variable is None else [variable])]

        def run(*form: str) -> _cli.Outcome:
            return _cli.run(["explain", *words, *form, *arguments], source.content or b"")

        with ThreadPoolExecutor(1) as pool:
            other = pool.submit(run)
            data = run("--json")
            text = other.result()
        facts = json.loads(data.output)
        return Explanation(
            text=text.output.decode("utf-8"),
            variables=tuple(facts.get("variables", ())),
            loops=tuple(facts.get("loops", ())),
            diagnostics=text.diagnostics,
        )

    def verify(
        self,
        original: ProgramLike,
        rewritten: Union[ProgramLike, Optimized, None] = None,
        *,
        plan: Union[Plan, ProgramLike, None] = None,
        fusion: Optional[str] = None,
        **options: Unpack[AnalysisOptions],
    ) -> Verification:
        """Checks that a rewritten program can stand for the original, and that a plan is right.

        Args:
          original: as for `optimize`.
          rewritten: the program that is to stand for it. If it is the result of `optimize`, its
            plan is checked, too.
          plan: a plan for the rewritten program, or for the original if it is alone.
          fusion: "safe" checks also that the rewritten program is right after Paddle's default
            graph passes.
          **options: those of `optimize` that are not about planning and sharing.

        Returns:
          the result, which is true if there is no violation.

        Raises:
          SubletError: as for `optimize`.
        """
        given: Dict[str, Any] = {**options, "fusion": fusion}
        words = _options.flags(_options.fields("verify", _options.VERIFY, given))
        if isinstance(rewritten, Optimized):
            plan = rewritten.plan if plan is None else plan
            rewritten = rewritten.program
        if isinstance(plan, Plan):
            plan = plan.message
        with tempfile.TemporaryDirectory(prefix="sublet-") as folder:
            arguments = ["verify", _files.name_in(folder, GivenProgram.of(original), "original")]
            if rewritten is not None:
                arguments.append(_files.name_in(folder, GivenProgram.of(rewritten), "rewritten"))
            if plan is not None:
                name = _files.name_in(folder, GivenProgram.of(plan), "plan")
                arguments.append(f"--plan={name}")
            outcome = _cli.run([*arguments, "--json", *words], folder=folder)
        return _verification(json.loads(outcome.output), outcome)

    def _ask(
        self, program: ProgramLike, fields: Mapping[str, Any], rewrite: bool
    ) -> Tuple[_wire.Message, Plan]:
        source = GivenProgram.of(program)
        content: Dict[str, Any] = {"id": 1, "program": source.read(), "options": fields}
        request = _wire.write(_messages.PLAN_REQUEST, {**content, "rewrite": rewrite})
        try:
            response = _wire.read(_messages.PLAN_RESPONSE, self._plugin.ask(request))
            diagnostics = _plans.diagnostics_of(response)
            if not response.get("status", 0):
                return response, _plans.plan_of(response.get("plan", b""), diagnostics)
        except _wire.WireError as error:
            raise ProcessError(f"Sublet's response cannot be read: {error}") from error
        raise error_for(response["status"], diagnostics, source.name)


def _number(sharing: Optional[_wire.Message], name: str, otherwise: int) -> int:
    return otherwise if sharing is None else int(sharing.get(name, 0))


def _renamings(sharing: Optional[_wire.Message]) -> Mapping[Tuple[int, str], str]:
    return {
        (one.get("block_idx", 0), one.get("variable", "")): one.get("new_name", "")
        for one in (sharing or {}).get("renamings", ())
    }


def _verification(found: Mapping[str, Any], outcome: _cli.Outcome) -> Verification:
    violations = []
    for check in found["checks"]:
        for one in check["violations"]:
            violations.append(
                Violation(
                    subject=check["subject"],
                    message=one["message"],
                    block=one.get("block_idx"),
                    op_index=one.get("op_idx"),
                    op_type=one.get("op_type", ""),
                    variable=one.get("variable", ""),
                )
            )
    return Verification(
        valid=found["valid"],
        violations=tuple(violations),
        violation_count=sum(check["violation_count"] for check in found["checks"]),
        diagnostics=outcome.diagnostics,
    )
