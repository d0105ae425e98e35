"""Turns messages of the plug-in into results."""

from __future__ import annotations

from typing import Tuple

from . import _messages, _wire
from ._wire import Message
from .diagnostics import Diagnostic
from .results import (
    Alias,
    Allocation,
    Arena,
    Feed,
    MultiView,
    Plan,
    Unplanned,
    UnneededCopy,
)

_SEVERITIES = ("note", "warning", "error")


def diagnostics_of(response: Message) -> Tuple[Diagnostic, ...]:
    """Returns the diagnostics of a PlanResponse."""
    return tuple(
        Diagnostic(
            severity=_SEVERITIES[message.get("severity", 0)],
            message=message.get("message", ""),
            place=message.get("place", ""),
            block=message.get("block_idx"),
            op_index=message.get("op_index"),
            op_type=message.get("op_type", ""),
            variable=message.get("variable", ""),
        )
        for message in response["diagnostics"]
    )


def plan_of(data: bytes, diagnostics: Tuple[Diagnostic, ...]) -> Plan:
    """Returns the plan of a serialized MemoryPlan."""
    message = _wire.read(_messages.MEMORY_PLAN, data)
    return Plan(
        arenas=tuple(_arena(arena) for arena in message["arenas"]),
        allocations=tuple(_allocation(one) for one in message["allocations"]),
        unplanned=tuple(Unplanned(**_renamed(entry)) for entry in message["unplanned"]),
        aliases=tuple(Alias(**_renamed(alias)) for alias in message["aliases"]),
        copies=tuple(UnneededCopy(**_renamed(copy)) for copy in message["copies"]),
        feeds=tuple(_feed(feed) for feed in message["feeds"]),
        planner=message.get("planner", ""),
        batch=message.get("batch", 1),
        order=message.get("order", "sequential"),
        program_sha256=message.get("program_sha256", ""),
        diagnostics=diagnostics,
        message=data,
    )


# In Python "from" is a keyword, and "block_idx" is longer than it need be.
_NAMES = {
    "block_idx": "block",
    "of_block_idx": "of_block",
    "from": "source",
    "from_block_idx": "source_block",
    "to": "target",
    "to_block_idx": "target_block",
}


def _renamed(message: Message) -> Message:
    return {_NAMES.get(name, name): value for name, value in message.items()}


def _arena(message: Message) -> Arena:
    fields: Message = {**message, "step_of_block": message.get("step_of_block") or None}
    return Arena(**fields)


def _allocation(message: Message) -> Allocation:
    views = message.get("views")
    return Allocation(
        variable=message.get("variable", ""),
        block=message.get("block_idx", 0),
        arena=message.get("arena", 0),
        offset=message.get("offset", 0),
        bytes=message.get("bytes", 0),
        live=tuple((one.get("begin", 0), one.get("end", 0)) for one in message["live"]),
        views=None if views is None else _multi_view(views),
        slots=message.get("slots", 0) or 1,
    )


def _multi_view(message: Message) -> MultiView:
    first = message.get("first")
    return MultiView(
        offset=message.get("offset", 0),
        block=message.get("block_idx", 0),
        first=None if first is None else _multi_view(first),
        views=tuple(_multi_view(view) for view in message["views"]),
    )


def _feed(message: Message) -> Feed:
    shape = message.get("shape")
    return Feed(
        name=message.get("name", ""),
        shape=None if shape is None else tuple(shape["extents"]),
        levels=tuple(tuple(level["offsets"]) for level in message["levels"]),
        values=tuple(message["values"]),
    )
