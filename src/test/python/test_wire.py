import re
import unittest

from sublet import _messages, _wire
from sublet._wire import Field, Schema
from testing_support import PROJECT

INNER = Schema("Inner", Field(1, "numbers", "int", repeated=True), Field(2, "text", "str"))
OUTER = Schema(
    "Outer",
    Field(1, "number", "int"),
    Field(2, "flag", "bool"),
    Field(3, "text", "str"),
    Field(4, "data", "bytes"),
    Field(5, "inner", INNER),
    Field(16, "list", INNER, repeated=True),
    Field(2000, "words", "str", repeated=True),
)
FULL = {
    "number": -3,
    "flag": True,
    "text": "größe",
    "data": b"\0\xff",
    "inner": {"numbers": [0, 1, 127, 128, -(1 << 63), (1 << 63) - 1], "text": "x"},
    "list": [{"numbers": []}, {"numbers": [5], "text": ""}],
    "words": ["a", "b" * 300],
}


class WireTest(unittest.TestCase):
    def test_what_is_written_is_read(self):
        self.assertEqual(_wire.read(OUTER, _wire.write(OUTER, FULL)), FULL)

    def test_the_bytes_are_those_of_the_documentation(self):
        # "Encoding" of the protobuf documentation: 150 in field 1, "testing" in field 2, and the
        # packed numbers 3, 270, 86942 in field 6.
        schema = Schema(
            "Test",
            Field(1, "a", "int"),
            Field(2, "b", "str"),
            Field(6, "f", "int", repeated=True),
        )
        message = {"a": 150, "b": "testing", "f": [3, 270, 86942]}
        data = bytes.fromhex("089601 120774657374696e67 3206038e029ea705")
        self.assertEqual(_wire.write(schema, message), data)
        self.assertEqual(_wire.read(schema, data), message)

    def test_numbers_that_are_not_packed_are_read_too(self):
        self.assertEqual(_wire.read(INNER, bytes.fromhex("0803 0a0204 05 0806"))["numbers"], [3, 4, 5, 6])

    def test_unknown_fields_are_skipped(self):
        unknown = bytes.fromhex("f80103 f901 0102030405060708 fa010161 fd01 01020304")
        self.assertEqual(_wire.read(INNER, unknown + b"\x12\x01x"), {"numbers": [], "text": "x"})

    def test_the_last_value_counts(self):
        self.assertEqual(_wire.read(OUTER, b"\x08\x01\x08\x02")["number"], 2)

    def test_truncated_and_damaged_messages_are_errors(self):
        data = _wire.write(OUTER, {"inner": FULL["inner"]})
        for end in range(1, len(data)):
            with self.assertRaises(_wire.WireError, msg=f"{end} bytes"):
                _wire.read(OUTER, data[:end])
        for damaged in (
            "0b",  # A group.
            "0d01020304",  # A number with four bytes.
            "1a01ff",  # Text that is not UTF-8.
            "0a0101",  # A packed list where one number is due.
            "08" + "ff" * 10 + "01",  # A number with eleven bytes.
            "2a030a0580",  # A list that ends after its message.
        ):
            with self.assertRaises(_wire.WireError, msg=damaged):
                _wire.read(OUTER, bytes.fromhex(damaged))

    def test_numbers_have_64_bits(self):
        for number in (1 << 64, -(1 << 63) - 1):
            with self.assertRaises(OverflowError):
                _wire.write(OUTER, {"number": number})


class MessagesTest(unittest.TestCase):
    """The schemas are those of the .proto files."""

    KINDS = {"int32": "int", "int64": "int", "uint64": "int", "bool": "bool", "string": "str", "bytes": "bytes"}
    ENUMS = ("Status", "Severity")

    @staticmethod
    def declared():
        """The fields in the .proto files, by the full name of the message."""
        messages = {}
        for name in ("plan.proto", "plugin.proto"):
            text = re.sub(r"//.*", "", (PROJECT / "proto" / name).read_text("utf-8"))
            scopes = []
            for line in text.splitlines():
                opened = re.match(r"\s*(message|enum|oneof)\s+(\w+) \{", line)
                field = re.match(r"\s*(repeated |optional )?(map<string, (\w+)>|\w+) (\w+) = (\d+);", line)
                if opened:
                    scopes.append(opened)
                elif line.strip() == "}":
                    scopes.pop()
                elif field and scopes and scopes[-1][1] != "enum":
                    path = ".".join(scope[2] for scope in scopes if scope[1] == "message")
                    is_list = field[1] == "repeated " or bool(field[3])
                    messages.setdefault(path, {})[field[4]] = (int(field[5]), field[3] or field[2], is_list)
        return messages

    def test_every_field_has_the_declared_number_and_type(self):
        declared = self.declared()
        schemas = [value for value in vars(_messages).values() if isinstance(value, Schema)]
        self.assertGreater(len(schemas), 15)
        for schema in schemas:
            if schema.name.endswith("Entry"):
                continue
            fields = declared[schema.name]
            for field in schema.by_number.values():
                where = f"{schema.name}.{field.name}"
                number, kind, is_list = fields[field.name]
                self.assertEqual((field.number, field.repeated), (number, is_list), where)
                if field.name == "plan":
                    continue
                if isinstance(field.kind, Schema):
                    written = field.kind
                    if written.name.endswith("Entry"):
                        self.assertEqual((written.by_number[1].kind, written.by_number[1].name), ("str", "key"))
                        self.assertEqual(written.by_number[2].name, "value")
                        written = written.by_number[2].kind
                    if isinstance(written, Schema):
                        self.assertEqual(written.name.split(".")[-1], kind, where)
                    else:
                        self.assertEqual(written, self.KINDS[kind], where)
                else:
                    expected = "int" if kind in self.ENUMS else self.KINDS[kind]
                    self.assertEqual(field.kind, expected, where)

    def test_no_field_that_is_read_or_offered_is_missing(self):
        declared = self.declared()
        # Buffers without a program are not offered; no_in_place is in_place="none".
        left_out = {
            "PlanRequest": {"buffers"},
            "PlanResponse": {"offsets"},
            "PlanRequestOptions": {"no_in_place"},
        }
        for schema in (value for value in vars(_messages).values() if isinstance(value, Schema)):
            if not schema.name.endswith("Entry"):
                expected = set(declared[schema.name]) - left_out.get(schema.name, set())
                self.assertEqual(set(schema.by_name), expected, schema.name)


if __name__ == "__main__":
    unittest.main()
