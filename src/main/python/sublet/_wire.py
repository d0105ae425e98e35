"""The wire format of protobuf, for the few messages of the plug-in.

Generated code would need a version of the protobuf package that fits the code. This module needs
no other package. A message is a dict from field names to values; a schema has the numbers of the
fields. Sources: the protobuf documentation, "Encoding"; proto/plugin.proto and proto/plan.proto.
"""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Tuple, Union

Message = Dict[str, Any]

_VARINT, _FIXED64, _LENGTH, _FIXED32 = 0, 1, 2, 5
_MAX_VARINT_BYTES = 10


class WireError(ValueError):
    """Bytes that are not a message of the expected type."""


class Field(NamedTuple):
    """A field of a message.

    ``kind`` is "int" (all integers and enumerations), "bool", "str", "bytes", or the schema of a
    message. A map field is a repeated message with the fields "key" and "value".
    """

    number: int
    name: str
    kind: Union[str, "Schema"]
    repeated: bool = False


class Schema:
    """The fields of a message type."""

    def __init__(self, name: str, *fields: Field) -> None:
        self.name = name
        self.by_number = {field.number: field for field in fields}
        self.by_name = {field.name: field for field in fields}

    def add(self, *fields: Field) -> None:
        """Adds fields after construction, for a message that contains messages of its own type."""
        self.by_number.update({field.number: field for field in fields})
        self.by_name.update({field.name: field for field in fields})


def write(schema: Schema, message: Mapping[str, Any]) -> bytes:
    """Serializes the fields that the mapping contains, in its order."""
    parts: List[bytes] = []
    for name, value in message.items():
        field = schema.by_name[name]
        if not field.repeated:
            _write_value(parts, field, value)
        elif field.kind in ("int", "bool"):
            packed = b"".join(_varint(int(element)) for element in value)
            parts += (_key(field, _LENGTH), _varint(len(packed)), packed)
        else:
            for element in value:
                _write_value(parts, field, element)
    return b"".join(parts)


def _write_value(parts: List[bytes], field: Field, value: Any) -> None:
    if field.kind in ("int", "bool"):
        parts += (_key(field, _VARINT), _varint(int(value)))
        return
    if isinstance(field.kind, Schema):
        content = write(field.kind, value)
    else:
        content = value.encode("utf-8") if field.kind == "str" else value
    parts += (_key(field, _LENGTH), _varint(len(content)), content)


def _key(field: Field, wire_type: int) -> bytes:
    return _varint(field.number << 3 | wire_type)


def _varint(number: int) -> bytes:
    if not -(1 << 63) <= number < 1 << 64:
        raise OverflowError(f"{number} does not fit into 64 bits")
    number &= (1 << 64) - 1
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def read(schema: Schema, data: bytes) -> Message:
    """Returns the fields that a serialized message contains; skips unknown fields.

    Integers are signed 64-bit numbers. A field that is not repeated and occurs several times has
    its last value. A field whose value may be absent is then not in the dict, except that a
    repeated field is always there.
    """
    try:
        return _read(schema, data, 0, len(data))
    except (IndexError, UnicodeDecodeError) as error:
        raise WireError(f"{schema.name} is truncated or malformed") from error


def _read(schema: Schema, data: bytes, at: int, end: int) -> Message:
    by_number = schema.by_number
    message: Message = {field.name: [] for field in by_number.values() if field.repeated}
    while at < end:
        key = data[at]
        at += 1
        if key >= 0x80:
            key, at = _read_varint(data, at - 1)
        wire_type = key & 7
        content = length = 0
        if wire_type == _VARINT:
            content = data[at]
            at += 1
            if content >= 0x80:
                content, at = _read_varint(data, at - 1)
        elif wire_type == _LENGTH:
            length = data[at]
            at += 1
            if length >= 0x80:
                length, at = _read_varint(data, at - 1)
            content = at
            at += length
        elif wire_type == _FIXED64:
            at += 8
        elif wire_type == _FIXED32:
            at += 4
        else:
            raise WireError(f"{schema.name} contains the wire type {wire_type}")
        if at > end:
            raise WireError(f"{schema.name} is truncated")
        field = by_number.get(key >> 3)
        if field is None:
            continue
        if wire_type == _LENGTH:
            value = _read_content(field, data, content, at)
        elif wire_type == _VARINT and field.kind in ("int", "bool"):
            value = _number(field, content)
        else:
            raise WireError(f"{schema.name}.{field.name} has the wire type {wire_type}")
        if not field.repeated:
            message[field.name] = value
        elif wire_type == _LENGTH and field.kind in ("int", "bool"):
            message[field.name].extend(value)
        else:
            message[field.name].append(value)
    return message


def _read_content(field: Field, data: bytes, at: int, end: int) -> Any:
    kind = field.kind
    if isinstance(kind, Schema):
        return _read(kind, data, at, end)
    if kind == "str":
        return data[at:end].decode("utf-8")
    if kind == "bytes":
        return data[at:end]
    if not field.repeated:
        raise WireError(f"{field.name} has the wire type {_LENGTH}")
    packed = []
    while at < end:
        number, at = _read_varint(data, at)
        packed.append(_number(field, number))
    if at > end:
        raise WireError(f"{field.name} is truncated")
    return packed


def _number(field: Field, content: int) -> Union[int, bool]:
    if field.kind == "bool":
        return content != 0
    return content - (1 << 64) if content >= 1 << 63 else content


def _read_varint(data: bytes, at: int) -> Tuple[int, int]:
    number = 0
    for i in range(_MAX_VARINT_BYTES):
        byte = data[at + i]
        number |= (byte & 0x7F) << (7 * i)
        if byte < 0x80:
            return number & (1 << 64) - 1, at + i + 1
    raise WireError("a number has more than ten bytes")
