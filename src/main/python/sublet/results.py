"""The results: values without behavior, except for look-ups and ``save``."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple

from . import _files
from .diagnostics import Diagnostic

if TYPE_CHECKING:
    from ._programs import PathLike, ProgramLike


@dataclass(frozen=True)
class Arena:
    """One contiguous block of memory that the plan divides up.

    Attributes:
      place: the memory space, "cpu" or "gpu".
      bytes: the size of the arena.
      lower_bound: no plan for the same allocations needs less.
      proved_optimal: whether ``bytes`` equals ``lower_bound``.
      alignment: every offset in the arena is a multiple of this number.
      pool: the name of the memory pool, or an empty string.
      capacity: the size of the pool; 0 without a pool or if the pool is unlimited.
      traffic: the estimated bytes that operators read and write in the arena; 0 without a pool.
      step_of_block: if not None, each iteration of the loop with this body block has its own
        arena of this kind, and ``bytes`` is the size per iteration.
    """

    place: str = ""
    bytes: int = 0
    lower_bound: int = 0
    proved_optimal: bool = False
    alignment: int = 0
    pool: str = ""
    capacity: int = 0
    traffic: int = 0
    step_of_block: Optional[int] = None


@dataclass(frozen=True)
class MultiView:
    """A location that depends on the iteration of a loop; ``MultiView`` in proto/plan.proto.

    Attributes:
      offset: the offset in the arena, if there are no ``views``.
      block: the body block of the loop.
      first: the location in the first iteration, if it is not one of ``views``.
      views: the locations that the variable has in turn.
    """

    offset: int = 0
    block: int = 0
    first: Optional[MultiView] = None
    views: Tuple[MultiView, ...] = ()


@dataclass(frozen=True)
class Allocation:
    """The bytes of a variable during some of its life.

    A variable that is written several times independently has several allocations.

    Attributes:
      variable: the name of the variable.
      block: the block that declares the variable.
      arena: an index into ``Plan.arenas``.
      offset: the position of the first byte in the arena.
      bytes: the number of bytes.
      live: the intervals (begin, end) of program points in which the bytes are occupied;
        proto/plan.proto defines the points.
      views: the locations, if a loop moves the variable.
      slots: for a tensor array the number of equal parts of the bytes: element k is in part
        k mod slots. Else 1.
    """

    variable: str = ""
    block: int = 0
    arena: int = 0
    offset: int = 0
    bytes: int = 0
    live: Tuple[Tuple[int, int], ...] = ()
    views: Optional[MultiView] = None
    slots: int = 1


@dataclass(frozen=True)
class Unplanned:
    """A variable without an offset: the runtime allocates it as it would without a plan."""

    variable: str = ""
    block: int = 0
    reason: str = ""


@dataclass(frozen=True)
class Alias:
    """Two variables that share bytes on purpose.

    Attributes:
      kind: "in_place", "exclusive", "runtime" or "view"; ``Alias`` in proto/plan.proto.
      offset: the position of the first byte of the variable in ``of_variable``.
    """

    variable: str = ""
    block: int = 0
    of_variable: str = ""
    of_block: int = 0
    kind: str = ""
    offset: int = 0


@dataclass(frozen=True)
class UnneededCopy:
    """An operator that copies a tensor onto itself, so that a runtime need not run it."""

    block: int = 0
    op_index: int = 0
    source: str = ""
    source_block: int = 0
    target: str = ""
    target_block: int = 0
    bytes: int = 0


@dataclass(frozen=True)
class Feed:
    """The given shape, sequence offsets (LoD) and elements of a feed, for which the plan is valid.

    Attributes:
      shape: the given extents; None if they are as declared.
      levels: the row offsets of the sequences, the coarsest level first.
      values: the elements in row-major order; empty if the plan is for all elements.
    """

    name: str = ""
    shape: Optional[Tuple[int, ...]] = None
    levels: Tuple[Tuple[int, ...], ...] = ()
    values: Tuple[int, ...] = ()


@dataclass(frozen=True)
class Plan:
    """The offset of every variable in its arena.

    Names of variables are text: a byte that is not UTF-8 is ``\\xNN``, and a backslash is doubled.

    Attributes:
      arenas: one per memory space, pool or step arena.
      allocations: the bytes of the variables.
      unplanned: the variables without an offset, each with the reason.
      aliases: the variables that share bytes on purpose.
      copies: the operators that a runtime may skip.
      feeds: the feeds whose shapes were given.
      planner: the planner that made the plan.
      batch: the number that replaced leading extents of -1.
      order: "sequential" or "parallel": the executors for which the plan is valid.
      program_sha256: the SHA-256 of the serialized program that the plan is for.
      diagnostics: warnings and notes.
      message: the serialized ``MemoryPlan`` of proto/plan.proto.
    """

    arenas: Tuple[Arena, ...] = ()
    allocations: Tuple[Allocation, ...] = field(default=(), repr=False)
    unplanned: Tuple[Unplanned, ...] = field(default=(), repr=False)
    aliases: Tuple[Alias, ...] = field(default=(), repr=False)
    copies: Tuple[UnneededCopy, ...] = field(default=(), repr=False)
    feeds: Tuple[Feed, ...] = ()
    planner: str = ""
    batch: int = 1
    order: str = "sequential"
    program_sha256: str = field(default="", repr=False)
    diagnostics: Tuple[Diagnostic, ...] = field(default=(), repr=False)
    message: bytes = field(default=b"", repr=False)

    @property
    def arena_bytes(self) -> int:
        """The bytes of all arenas together, without step arenas."""
        return sum(arena.bytes for arena in self.arenas if arena.step_of_block is None)

    @property
    def lower_bound(self) -> int:
        """The sum of the lower bounds of all arenas, without step arenas."""
        return sum(arena.lower_bound for arena in self.arenas if arena.step_of_block is None)

    @property
    def proved_optimal(self) -> bool:
        """Whether all arenas, without step arenas, are as small as their lower bounds."""
        return self.arena_bytes == self.lower_bound

    @cached_property
    def bytes_before(self) -> int:
        """The bytes that the planned variables need if none shares bytes with another."""
        largest: Dict[Tuple[int, str], int] = {}
        for one in self.allocations:
            key = (one.block, one.variable)
            largest[key] = max(largest.get(key, 0), one.bytes)
        return sum(largest.values())

    @cached_property
    def by_name(self) -> Mapping[str, Tuple[Allocation, ...]]:
        """The allocations of each variable, by its name."""
        found: Dict[str, List[Allocation]] = {}
        for one in self.allocations:
            found.setdefault(one.variable, []).append(one)
        return {name: tuple(allocations) for name, allocations in found.items()}

    def offset(self, variable: str) -> int:
        """Returns the offset of a variable that has one location.

        Raises:
          KeyError: the plan has no allocation of this name.
          ValueError: the plan has several; ``by_name`` has all of them.
        """
        if variable not in self.by_name:
            reasons = [entry.reason for entry in self.unplanned if entry.variable == variable]
            raise KeyError(f"no offset for {variable!r}: {', '.join(reasons) or 'no such variable'}")
        allocations = self.by_name[variable]
        if len({(one.arena, one.offset) for one in allocations}) > 1 or allocations[0].views:
            raise ValueError(f"{variable!r} has several locations; see Plan.by_name")
        return allocations[0].offset

    def save(self, path: PathLike, program: Optional[ProgramLike] = None) -> None:
        """Writes the plan in the form that the file name stands for.

        ``.json``, ``.textproto``, ``.csv``, ``.buffers.csv``, ``.problem.csv``, ``.trace.json``,
        ``.tflm``, ``.tflm.json`` and ``.h``; any other name stands for the binary form.

        Args:
          path: the file.
          program: the program that the plan is for; a ``.tflm`` needs it, a trace gains from it.
        """
        _files.save_plan(self.message, path, program)


@dataclass(frozen=True)
class Optimized:
    """A rewritten program and its plan. Both have been proved right.

    Attributes:
      program: the serialized program: a ``ProgramDesc``, or the ONNX model with the plan in its
        ``metadata_props``.
      plan: the plan for ``program``.
      bytes_before: the bytes of all variables of known size if none shares memory, without
        persistable variables (parameters).
      bytes_after: the same after sharing: for a Paddle program, the bytes of the names that are
        left. The values of an ONNX model keep their names; the number is that of the arenas, which
        a runtime needs that uses the plan.
      renamings: the new name of each renamed variable, by (block, name).
      diagnostics: warnings and notes.
    """

    program: bytes = field(repr=False)
    plan: Plan = field(repr=False)
    bytes_before: int
    bytes_after: int
    renamings: Mapping[Tuple[int, str], str] = field(default_factory=dict, repr=False)
    diagnostics: Tuple[Diagnostic, ...] = field(default=(), repr=False)

    def save(self, path: PathLike) -> None:
        """Writes the program in the form that the file name stands for.

        ``.json`` is JSON; ``.textproto``, ``.pbtxt``, ``.prototxt`` and ``.txt`` are protobuf
        text; any other name stands for the binary form.
        """
        _files.save_program(self.program, path)


@dataclass(frozen=True)
class Explanation:
    """Why variables share memory or not, or why loops copy values or not.

    Attributes:
      text: the explanation for people; ``str()`` returns it too.
      variables: the facts about the explained variables, as in ``sublet explain --json``; empty
        if no variable was named.
      loops: the loop-carried copies, as in ``sublet explain --json``; empty if a variable was
        named.
      diagnostics: warnings and notes.
    """

    text: str
    variables: Tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    loops: Tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    diagnostics: Tuple[Diagnostic, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Violation:
    """A reason why a rewritten program or a plan is wrong.

    Attributes:
      subject: the checked object: "rewrite", "fusion" or "plan".
      message: one line.
      block: the block of the location, if it has one.
      op_index: the index of the operator in its block, if the location has one.
      op_type: the type of that operator, or an empty string.
      variable: the variable of the location, or an empty string.
    """

    subject: str
    message: str
    block: Optional[int] = None
    op_index: Optional[int] = None
    op_type: str = ""
    variable: str = ""


@dataclass(frozen=True)
class Verification:
    """The result of the validators; true if they found no violation.

    Attributes:
      valid: whether there is no violation.
      violations: the first violations of each check.
      violation_count: the number of all violations.
      diagnostics: warnings and notes.
    """

    valid: bool
    violations: Tuple[Violation, ...] = ()
    violation_count: int = 0
    diagnostics: Tuple[Diagnostic, ...] = field(default=(), repr=False)

    def __bool__(self) -> bool:
        return self.valid
