"""The messages of proto/plugin.proto and proto/plan.proto, as schemas.

A test compares the numbers, names and types with the .proto files.
"""

from __future__ import annotations

from ._wire import Field, Schema

EXTENTS = Schema("Extents", Field(1, "dims", "int", repeated=True))
SEQUENCES = Schema("Sequences", Field(1, "levels", EXTENTS, repeated=True))
SHAPES_ENTRY = Schema("ShapesEntry", Field(1, "key", "str"), Field(2, "value", EXTENTS))
LOD_ENTRY = Schema("LodEntry", Field(1, "key", "str"), Field(2, "value", SEQUENCES))
ALIAS_ENTRY = Schema("AliasEntry", Field(1, "key", "str"), Field(2, "value", "str"))
MEMORY_POOL = Schema("MemoryPool", Field(1, "name", "str"), Field(2, "capacity", "int"))

PLAN_REQUEST_OPTIONS = Schema(
    "PlanRequestOptions",
    Field(1, "planner", "str"),
    Field(2, "alignment", "int"),
    Field(3, "capacity", "int"),
    Field(4, "batch", "int"),
    Field(5, "shapes", SHAPES_ENTRY, repeated=True),
    Field(6, "lod", LOD_ENTRY, repeated=True),
    Field(7, "fetch", "str", repeated=True),
    Field(8, "keep", "str", repeated=True),
    Field(9, "reuse_feeds", "bool"),
    Field(33, "alias", ALIAS_ENTRY, repeated=True),
    Field(10, "loops", "str"),
    Field(11, "order", "str"),
    Field(12, "views", "str"),
    Field(13, "place", "str"),
    Field(30, "effort", "str"),
    Field(31, "gap", "str"),
    Field(14, "nodes", "int"),
    Field(15, "timeout_ms", "int"),
    Field(16, "buffer_order", "str"),
    Field(17, "hierarchical", "bool"),
    Field(19, "pools", MEMORY_POOL, repeated=True),
    Field(20, "strict", "bool"),
    Field(21, "policy", "str"),
    Field(22, "level", "str"),
    Field(29, "fusion", "str"),
    Field(23, "release", "bool"),
    Field(24, "strip_debug", "bool"),
    Field(32, "typical", SHAPES_ENTRY, repeated=True),
    Field(27, "in_place", "str"),
    Field(28, "runtime", "int"),
)

PLAN_REQUEST = Schema(
    "PlanRequest",
    Field(1, "id", "int"),
    Field(2, "program", "bytes"),
    Field(4, "options", PLAN_REQUEST_OPTIONS),
    Field(5, "rewrite", "bool"),
)

PLAN_DIAGNOSTIC = Schema(
    "PlanDiagnostic",
    Field(1, "severity", "int"),
    Field(2, "message", "str"),
    Field(3, "place", "str"),
    Field(4, "block_idx", "int"),
    Field(5, "op_index", "int"),
    Field(6, "op_type", "str"),
    Field(7, "variable", "str"),
)

RENAMING = Schema(
    "Renaming",
    Field(1, "block_idx", "int"),
    Field(2, "variable", "str"),
    Field(3, "new_name", "str"),
)
NAME_SHARING = Schema(
    "NameSharing",
    Field(1, "bytes_before", "int"),
    Field(2, "bytes_after", "int"),
    Field(3, "renamings", RENAMING, repeated=True),
)

PLAN_RESPONSE = Schema(
    "PlanResponse",
    Field(1, "id", "int"),
    Field(2, "status", "int"),
    Field(3, "diagnostics", PLAN_DIAGNOSTIC, repeated=True),
    # The plan stays serialized: it can be saved, and read when somebody needs it.
    Field(4, "plan", "bytes"),
    Field(5, "rewritten_program", "bytes"),
    Field(7, "sharing", NAME_SHARING),
)

FEED_EXTENTS = Schema("Feed.Extents", Field(1, "extents", "int", repeated=True))
FEED_SEQUENCE = Schema("Feed.Sequence", Field(1, "offsets", "int", repeated=True))
FEED = Schema(
    "Feed",
    Field(1, "name", "str"),
    Field(2, "shape", FEED_EXTENTS),
    Field(3, "levels", FEED_SEQUENCE, repeated=True),
    Field(4, "values", "int", repeated=True),
)

ARENA = Schema(
    "Arena",
    Field(1, "place", "str"),
    Field(2, "bytes", "int"),
    Field(3, "lower_bound", "int"),
    Field(4, "proved_optimal", "bool"),
    Field(5, "alignment", "int"),
    Field(6, "pool", "str"),
    Field(7, "capacity", "int"),
    Field(8, "traffic", "int"),
    Field(9, "step_of_block", "int"),
)

INTERVAL = Schema("Interval", Field(1, "begin", "int"), Field(2, "end", "int"))

MULTI_VIEW = Schema("MultiView", Field(1, "offset", "int"), Field(2, "block_idx", "int"))
MULTI_VIEW.add(Field(3, "first", MULTI_VIEW), Field(4, "views", MULTI_VIEW, repeated=True))

ALLOCATION = Schema(
    "Allocation",
    Field(1, "block_idx", "int"),
    Field(2, "variable", "str"),
    Field(3, "arena", "int"),
    Field(4, "offset", "int"),
    Field(5, "bytes", "int"),
    Field(6, "live", INTERVAL, repeated=True),
    Field(7, "views", MULTI_VIEW),
    Field(8, "slots", "int"),
)

UNPLANNED = Schema(
    "Unplanned",
    Field(1, "block_idx", "int"),
    Field(2, "variable", "str"),
    Field(3, "reason", "str"),
)

ALIAS = Schema(
    "Alias",
    Field(1, "block_idx", "int"),
    Field(2, "variable", "str"),
    Field(3, "of_block_idx", "int"),
    Field(4, "of_variable", "str"),
    Field(5, "kind", "str"),
    Field(6, "offset", "int"),
)

UNNEEDED_COPY = Schema(
    "UnneededCopy",
    Field(1, "block_idx", "int"),
    Field(2, "op_index", "int"),
    Field(3, "from_block_idx", "int"),
    Field(4, "from", "str"),
    Field(5, "to_block_idx", "int"),
    Field(6, "to", "str"),
    Field(7, "bytes", "int"),
)

MEMORY_PLAN = Schema(
    "MemoryPlan",
    Field(1, "point_numbering", "int"),
    Field(2, "program_sha256", "str"),
    Field(3, "planner", "str"),
    Field(4, "batch", "int"),
    Field(16, "order", "str"),
    Field(5, "arenas", ARENA, repeated=True),
    Field(6, "allocations", ALLOCATION, repeated=True),
    Field(7, "unplanned", UNPLANNED, repeated=True),
    Field(8, "aliases", ALIAS, repeated=True),
    Field(9, "copies", UNNEEDED_COPY, repeated=True),
    Field(17, "feeds", FEED, repeated=True),
)
