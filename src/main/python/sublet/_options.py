"""The options of the verbs, as keywords, as fields of a request, and as flags."""

from __future__ import annotations

import difflib
import operator
import re
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Sequence, Tuple, Union

from .errors import OptionError

if TYPE_CHECKING:
    from typing import TypedDict

    Names = Union[str, Sequence[str]]
    Size = Union[int, str]

    class AnalysisOptions(TypedDict, total=False):
        """The options of every verb."""

        # The shapes of feeds, by name; of an ONNX model also {"extent": 8} for a named extent.
        shapes: Mapping[str, Union[int, Sequence[int]]]
        # The number that replaces a leading extent of -1. Default: 1.
        batch: int
        # The row offsets of the sequences of feeds (LoD), by name; one level, or several.
        lod: Mapping[str, Union[Sequence[int], Sequence[Sequence[int]]]]
        # Further variables to fetch, and variables that keep their name and value.
        fetch: Names
        keep: Names
        # Whether the memory of a feed may be reused once the feed has been read.
        reuse_feeds: bool
        # Feeds and results that are one buffer, such as caches: {"past.*": "present.*"}.
        alias: Mapping[str, str]
        # "cpu" (default) or "gpu".
        place: str
        # "verified" (default), "table" or "none".
        in_place: str
        # The version of Paddle that runs the program, such as "2.3".
        runtime: str
        # Whether an operator that Sublet does not know is an error.
        strict: bool

    class PlanOptions(AnalysisOptions, total=False):
        """The options of `plan`."""

        # The planner; `sublet plan --help` lists them. Default: "best".
        planner: str
        # Every offset is a multiple of this. Default: 64.
        alignment: Size
        # The greatest size of an arena; if an arena needs more, DoesNotFitError is raised.
        capacity: Size
        # "low", "normal" (default), "high" or "max": how long to search for a smaller arena.
        effort: str
        # The search stops so close to the lower bound, such as "0.5%"; "0": only with a proof.
        gap: str
        # The greatest number of nodes that a search may visit per arena.
        nodes: int
        # The time that a search may take.
        timeout_ms: int
        # "none", "reshape" (default) or "all".
        views: str
        # "copy", "multiview" (default), "smallest" or "unroll".
        loops: str
        # "sequential" (default) or "parallel".
        order: str
        # "size" (default), "area", "duration", "start" or "conflicts".
        buffer_order: str
        # Whether each block is planned by itself.
        hierarchical: bool
        # The memory pools with their sizes, the fastest first; None: unlimited.
        pools: Mapping[str, Union[Size, None]]

    class OptimizeOptions(PlanOptions, total=False):
        """The options of `optimize` and `explain`."""

        # "pool", "global" or "best" (default).
        policy: str
        # "exact" or "fit" (default).
        level: str
        # "safe" (default) or "off".
        fusion: str
        # Whether delete_var operators are inserted after last uses.
        release: bool
        # Whether op_callstack attributes are dropped.
        strip_debug: bool
        # The shapes of feeds with open extents in a typical run, by name: names are chosen by these
        # sizes, and the result is right for all shapes. Default: 256 for each open extent but the
        # first.
        typical: Mapping[str, Sequence[int]]


_UNITS = {
    "KiB": 1 << 10,
    "MiB": 1 << 20,
    "GiB": 1 << 30,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
}


def _word(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} is a str, not {type(value).__name__}")
    if not value:
        raise OptionError(f"{name} is empty")
    return value


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{name} is True or False, not {value!r}")
    return value


def _whole(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {value!r}") from None


def _from(least: int) -> Callable[[str, Any], int]:
    def number(name: str, value: Any) -> int:
        whole = _whole(name, value)
        if not least <= whole < 1 << 63:
            raise OptionError(f"{name} is {whole}; it must be from {least} to 2**63 - 1")
        return whole

    return number


def _size(name: str, value: Any) -> int:
    if not isinstance(value, str):
        return _from(1)(name, value)
    match = re.fullmatch(r"(\d{1,19})(%s)?" % "|".join(_UNITS), value, re.ASCII)
    if not match:
        raise OptionError(
            f"{name} is '{value}', which is not a size; write bytes, or a whole number of "
            + ", ".join(_UNITS)
        )
    return _from(1)(name, int(match[1]) * _UNITS.get(match[2], 1))


def _names(name: str, value: Any) -> List[str]:
    names = [value] if isinstance(value, str) else list(value)
    return [_word(name, one) for one in names]


def _by_name(name: str, value: Any) -> List[Tuple[str, Any]]:
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} is a dict by name, not {type(value).__name__}")
    return [(_word(f"a name of {name}", key), entry) for key, entry in value.items()]


def _integers(name: str, value: Any) -> List[int]:
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        raise TypeError(f"{name} is a sequence of whole numbers, not {value!r}")
    return [_from(-(1 << 63))(name, one) for one in value]


def _shapes(name: str, value: Any) -> List[Dict[str, Any]]:
    entries = []
    for key, shape in _by_name(name, value):
        dims = [shape] if hasattr(shape, "__index__") else shape
        dims = _integers(f"{name}[{key!r}]", dims)
        entries.append({"key": key, "value": {"dims": dims}})
    return entries


def _lod(name: str, value: Any) -> List[Dict[str, Any]]:
    entries = []
    for key, offsets in _by_name(name, value):
        levels = list(offsets)
        if levels and hasattr(levels[0], "__index__"):
            levels = [levels]
        where = f"{name}[{key!r}]"
        lists = [{"dims": _integers(where, level)} for level in levels]
        entries.append({"key": key, "value": {"levels": lists}})
    return entries


def _pools(name: str, value: Any) -> List[Dict[str, Any]]:
    return [
        {"name": key, "capacity": 0 if size is None else _size(f"{name}[{key!r}]", size)}
        for key, size in _by_name(name, value)
    ]


def _alias(name: str, value: Any) -> List[Dict[str, Any]]:
    return [
        {"key": key, "value": _word(f"{name}[{key!r}]", result)}
        for key, result in _by_name(name, value)
    ]


def _version(name: str, value: Any) -> int:
    match = re.fullmatch(r"(\d{1,3})\.(\d{1,3})(?:\.(\d{1,3}))?", _word(name, value), re.ASCII)
    if not match:
        raise OptionError(f"{name} is '{value}', which is not a version, such as 2.3 or 2.3.2")
    major, minor, patch = (int(part or 0) for part in match.groups())
    return major * 1_000_000 + minor * 1_000 + patch


_Reader = Callable[[str, Any], Any]
_Writer = Callable[[str, Any], List[str]]


def _flag_words(flag: str, value: Any) -> List[str]:
    return [flag] if value else []


def _value_words(flag: str, value: Any) -> List[str]:
    return [f"{flag}={value}"]


def _time_words(flag: str, value: Any) -> List[str]:
    return [f"{flag}={value}ms"]


def _name_words(flag: str, value: Any) -> List[str]:
    for name in value:
        if "," in name:
            raise OptionError(f"{flag} cannot contain a comma: '{name}'")
    return [f"{flag}={name}" for name in value]


def _shape_words(flag: str, value: Any) -> List[str]:
    return [f"{flag}={one['key']}={_commas(one['value']['dims'])}" for one in value]


def _lod_words(flag: str, value: Any) -> List[str]:
    words = []
    for one in value:
        levels = "/".join(_commas(level["dims"]) for level in one["value"]["levels"])
        words.append(f"{flag}={one['key']}={levels}")
    return words


def _pool_words(flag: str, value: Any) -> List[str]:
    sizes = [f":{one['capacity']}" if one["capacity"] else "" for one in value]
    return [f"{flag}={one['name']}{size}" for one, size in zip(value, sizes)]


def _alias_words(flag: str, value: Any) -> List[str]:
    return [f"{flag}={one['key']}={one['value']}" for one in value]


def _version_words(flag: str, value: Any) -> List[str]:
    return [f"{flag}={value // 1_000_000}.{value // 1_000 % 1_000}.{value % 1_000}"]


def _commas(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))


# By option, in the order of the documentation: how the value is read, the flag of the command
# line, and how the value is written behind it. The names are those of proto/plugin.proto.
_ANALYSIS: Dict[str, Tuple[_Reader, str, _Writer]] = {
    "shapes": (_shapes, "--shape", _shape_words),
    "batch": (_from(1), "--batch", _value_words),
    "lod": (_lod, "--lod", _lod_words),
    "fetch": (_names, "--fetch", _name_words),
    "keep": (_names, "--keep", _name_words),
    "reuse_feeds": (_flag, "--reuse-feeds", _flag_words),
    "alias": (_alias, "--alias", _alias_words),
    "place": (_word, "--place", _value_words),
    "in_place": (_word, "--in-place", _value_words),
    "runtime": (_version, "--runtime", _version_words),
    "strict": (_flag, "--strict", _flag_words),
}
_PLANNING: Dict[str, Tuple[_Reader, str, _Writer]] = {
    "planner": (_word, "--planner", _value_words),
    "alignment": (_size, "--align", _value_words),
    "capacity": (_size, "--capacity", _value_words),
    "effort": (_word, "--effort", _value_words),
    "gap": (_word, "--gap", _value_words),
    "nodes": (_from(0), "--nodes", _value_words),
    "timeout_ms": (_from(1), "--timeout", _time_words),
    "views": (_word, "--views", _value_words),
    "loops": (_word, "--loops", _value_words),
    "order": (_word, "--order", _value_words),
    "buffer_order": (_word, "--buffer-order", _value_words),
    "hierarchical": (_flag, "--hierarchical", _flag_words),
    "pools": (_pools, "--pool", _pool_words),
}
_SHARING: Dict[str, Tuple[_Reader, str, _Writer]] = {
    "policy": (_word, "--policy", _value_words),
    "level": (_word, "--level", _value_words),
    "fusion": (_word, "--fusion", _value_words),
    "release": (_flag, "--release", _flag_words),
    "strip_debug": (_flag, "--strip-debug", _flag_words),
    "typical": (_shapes, "--typical", _shape_words),
}

ANALYSIS = tuple(_ANALYSIS)
PLAN = ANALYSIS + tuple(_PLANNING)
OPTIMIZE = PLAN + tuple(_SHARING)
VERIFY = ANALYSIS + ("fusion",)

_ALL = {**_ANALYSIS, **_PLANNING, **_SHARING}


def fields(verb: str, allowed: Sequence[str], given: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns the options as fields of a PlanRequestOptions; an option that is None is not given.

    Raises:
      TypeError: an option does not exist, or its value has the wrong type.
      OptionError: an option has a wrong value.
    """
    checked = {}
    for name, value in given.items():
        if name not in allowed:
            close = difflib.get_close_matches(name, allowed, n=1)
            hint = f"; did you mean '{close[0]}'?" if close else ""
            raise TypeError(f"{verb}() has no option '{name}'{hint}")
        if value is not None:
            checked[name] = _ALL[name][0](f"options.{name}", value)
    return checked


def flags(checked: Mapping[str, Any]) -> List[str]:
    """Returns options that `fields` has checked as flags of the command line."""
    words: List[str] = []
    for name, value in checked.items():
        _, flag, write = _ALL[name]
        words += write(flag, value)
    return words
