import hashlib
import json
import pathlib
import shutil
import unittest

import sublet
from sublet import _cli, _messages, _options, _wire
from testing_support import LOD, MOBILE, ONNX, PROJECT, FolderTest, binary


class Message:
    """Like a message of any version of protobuf."""

    def __init__(self, data):
        self.data = data

    def SerializeToString(self):
        return self.data


class OptimizeTest(FolderTest):
    def test_the_result_is_that_of_the_command_line(self):
        _cli.run(["optimize", str(MOBILE), "-o", "cli.pdmodel", "--plan", "cli.bin"])
        report = json.loads(_cli.run(["optimize", str(MOBILE), "-o", "other.pdmodel", "--json"]).output)
        result = sublet.optimize(MOBILE)
        self.assertEqual(result.program, pathlib.Path("cli.pdmodel").read_bytes())
        self.assertEqual(result.plan.message, pathlib.Path("cli.bin").read_bytes())
        self.assertEqual(result.bytes_before, report["naive_bytes"])
        self.assertEqual(result.bytes_after, report["shared_bytes"])
        self.assertLess(result.bytes_after, result.bytes_before)
        self.assertEqual(result.plan.arena_bytes, report["arena_bytes"])
        self.assertEqual(result.plan.lower_bound, report["lower_bound"])
        self.assertEqual(result.plan.proved_optimal, report["proved_optimal"])
        expected = {(one["block_idx"], one["variable"]): one["to"] for one in report["renamings"]}
        self.assertEqual(result.renamings, expected)

    def test_a_program_may_be_bytes_a_path_a_folder_or_a_message(self):
        data = binary(MOBILE)
        pathlib.Path("m.pdmodel").write_bytes(data)
        (self.folder / "one").mkdir()
        shutil.copy("m.pdmodel", "one")
        expected = sublet.optimize(data).program
        for given in (
            bytearray(data),
            memoryview(data),
            MOBILE.read_bytes(),
            "m.pdmodel",
            self.folder / "m.pdmodel",
            "one",
            Message(data),
        ):
            self.assertEqual(sublet.optimize(given).program, expected, type(given))

    def test_an_onnx_model_comes_back_with_its_plan(self):
        data = binary(ONNX)
        result = sublet.optimize(Message(data), shapes={"batch": 3})
        self.assertTrue(result.program.startswith(data[:2]))
        self.assertGreater(len(result.program), len(data))
        self.assertIn(b"sublet", result.program)
        self.assertEqual(result.bytes_after, result.plan.arena_bytes)
        self.assertEqual(result.bytes_before, result.plan.bytes_before)
        self.assertEqual(result.plan, sublet.plan(data, shapes={"batch": 3}))
        self.assertTrue(sublet.verify(data, plan=result.plan))

    def test_onnx_messages(self):
        try:
            import onnx
        except ImportError:
            self.skipTest("skipped: this Python has no onnx")
        model = onnx.load_model_from_string(binary(ONNX))
        result = sublet.optimize(model, shapes={"batch": 3})
        annotated = onnx.load_model_from_string(result.program)
        self.assertEqual(annotated.graph, model.graph)
        self.assertGreater(len(annotated.metadata_props), 0)

    def test_save_takes_the_form_from_the_name(self):
        result = sublet.optimize(MOBILE)
        for name in ("s.pdmodel", "s.textproto", "s.json"):
            result.save(name)
            self.assertEqual(sublet.optimize(name).program, sublet.optimize(result.program).program)
        self.assertEqual(pathlib.Path("s.pdmodel").read_bytes(), result.program)
        self.assertTrue(pathlib.Path("s.textproto").read_text("utf-8").startswith("blocks {"))
        with self.assertRaises(FileNotFoundError):
            result.save("no folder/s.pdmodel")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["s.json", "s.pdmodel", "s.textproto"])


class PlanTest(FolderTest):
    def test_the_plan_is_read_as_others_read_it(self):
        """The command line writes the same message as JSON, with protobuf's own writer."""
        for program, options in (
            (MOBILE, {"pools": {"sram": "256KiB", "dram": None}}),
            (MOBILE, {"shapes": {"image": (2, 3, 64, 64)}, "order": "parallel"}),
            (PROJECT / "testdata" / "examples" / "machine_translation" / "program.textproto", {}),
            (PROJECT / "testdata" / "examples" / "loops" / "distance3.textproto", {}),
        ):
            plan = sublet.plan(program, **options)
            plan.save("p.json")
            expected = json.loads(pathlib.Path("p.json").read_text("utf-8"))
            self.assertEqual(plan.planner, expected["planner"])
            self.assertEqual(plan.program_sha256, expected["program_sha256"])
            for arena, entry in zip(plan.arenas, expected["arenas"]):
                for name in ("place", "bytes", "lower_bound", "proved_optimal", "alignment", "pool", "capacity", "traffic"):
                    self.assertEqual(getattr(arena, name), self.number(entry, name, getattr(arena, name)), name)
            self.assertEqual(len(plan.arenas), len(expected["arenas"]))
            found = [
                (a.block, a.variable, a.arena, a.offset, a.bytes, list(a.live), a.views is not None)
                for a in plan.allocations
            ]
            self.assertEqual(
                found,
                [
                    (
                        e.get("block_idx", 0),
                        e["variable"],
                        e.get("arena", 0),
                        int(e.get("offset", 0)),
                        int(e.get("bytes", 0)),
                        [(i.get("begin", 0), i.get("end", 0)) for i in e.get("live", [])],
                        "views" in e,
                    )
                    for e in expected["allocations"]
                ],
            )
            self.assertEqual(
                [(u.variable, u.block, u.reason) for u in plan.unplanned],
                [(u["variable"], u.get("block_idx", 0), u["reason"]) for u in expected.get("unplanned", [])],
            )
            self.assertEqual(
                [(a.variable, a.of_variable, a.kind) for a in plan.aliases],
                [(a["variable"], a["of_variable"], a["kind"]) for a in expected.get("aliases", [])],
            )
            self.assertEqual(
                [(f.name, f.shape) for f in plan.feeds],
                [(f["name"], tuple(map(int, f["shape"]["extents"]))) for f in expected.get("feeds", [])],
            )

    @staticmethod
    def number(entry, name, like):
        """A value of protobuf's JSON, in which 64-bit numbers are text and zeros are absent."""
        return type(like)(entry.get(name, type(like)()))

    def test_a_view_and_a_copy_are_read(self):
        view = {"block_idx": 1, "views": [{"offset": 64, "views": []}, {"offset": 128, "views": []}]}
        view["first"] = {"offset": 32, "views": []}
        allocation = {"block_idx": 2, "variable": "v", "bytes": 4, "live": [{"begin": 1, "end": 5}], "views": view}
        copy = {"block_idx": 1, "op_index": 3, "from": "a", "to_block_idx": 2, "to": "b", "bytes": 4}
        message = {"allocations": [allocation], "copies": [copy], "arenas": [{"bytes": 9, "step_of_block": 2}]}
        from sublet import _plans

        plan = _plans.plan_of(_wire.write(_messages.MEMORY_PLAN, message), ())
        one = plan.allocations[0]
        self.assertEqual((one.block, one.live), (2, ((1, 5),)))
        self.assertEqual((one.views.block, one.views.first.offset), (1, 32))
        self.assertEqual([v.offset for v in one.views.views], [64, 128])
        self.assertEqual(plan.copies[0], sublet.UnneededCopy(1, 3, "a", 0, "b", 2, 4))
        self.assertEqual((plan.arenas[0].step_of_block, plan.arena_bytes), (2, 0))

    def test_offsets_by_name(self):
        plan = sublet.plan(MOBILE)
        for one in plan.allocations:
            self.assertIn(one, plan.by_name[one.variable])
        self.assertEqual(plan.offset("image"), plan.by_name["image"][0].offset)
        with self.assertRaisesRegex(KeyError, "persistable"):
            plan.offset("conv2d_0.w_0")
        with self.assertRaisesRegex(KeyError, "no such variable"):
            plan.offset("nobody")
        shared = sublet.optimize(MOBILE).plan
        with self.assertRaisesRegex(ValueError, "by_name"):
            several = [n for n, a in shared.by_name.items() if len({(x.arena, x.offset) for x in a}) > 1]
            shared.offset(several[0])

    def test_the_program_of_a_rewritten_plan_is_the_rewritten_one(self):
        result = sublet.optimize(MOBILE)
        self.assertEqual(result.plan.program_sha256, hashlib.sha256(result.program).hexdigest())

    def test_a_plan_is_saved_in_other_forms(self):
        plan = sublet.plan(MOBILE)
        plan.save("p.bin")
        self.assertEqual(pathlib.Path("p.bin").read_bytes(), plan.message)
        plan.save("p.h")
        self.assertIn("#define", pathlib.Path("p.h").read_text("utf-8"))
        plan.save("p.tflm", program=MOBILE.read_bytes())
        self.assertGreater(pathlib.Path("p.tflm").stat().st_size, 0)

    def test_every_option_means_the_same_as_on_the_command_line(self):
        cases = (
            {"shapes": {"image": [2, 3, 32, 32]}, "views": "all", "planner": "first-fit", "buffer_order": "area"},
            {"batch": 3, "alignment": "4KiB", "capacity": 1 << 40, "place": "gpu", "hierarchical": True},
            {"fetch": "relu6_0.tmp_0", "keep": ["relu6_1.tmp_0"], "reuse_feeds": True, "in_place": "none"},
            {"runtime": "2.3.2", "strict": True, "nodes": 0, "timeout_ms": 90_000, "loops": "copy"},
            {"order": "parallel", "in_place": "table", "effort": "low", "gap": "0.5%"},
            {"pools": {"a": 262144, "b": None}, "nodes": 5},
        )
        names = {name for case in cases for name in case}
        self.assertEqual(names | {"lod", "alias"}, set(_options.PLAN))
        for case in cases:
            self.both(MOBILE, ["plan", str(MOBILE), "-o"], sublet.plan, case)
        for sequences in ([0, 3, 7], [[0, 1, 2], [0, 3, 7]]):
            case = {"lod": {"words": sequences}, "shapes": {"words": (7, 1)}}
            self.both(LOD, ["plan", str(LOD), "-o"], sublet.plan, case)
        cache = PROJECT / "testdata" / "onnx" / "cache_scatter" / "model.textproto"
        case = {"alias": {"past.*": "present.*"}}
        self.both(cache, ["plan", str(cache), "-o"], sublet.plan, case)
        for case in (
            {"policy": "pool", "level": "exact", "fusion": "off", "strip_debug": True},
            {"release": True, "keep": "relu6_1.tmp_0"},
            {"typical": {"image": [2, 3, 32, 32]}},
        ):
            self.both(MOBILE, ["optimize", str(MOBILE), "--plan"], sublet.optimize, case)

    def both(self, program, command, verb, case):
        flags = _options.flags(_options.fields("test", _options.OPTIMIZE, case))
        _cli.run([*command, "cli.bin", *flags])
        result = verb(program, **case)
        plan = result if isinstance(result, sublet.Plan) else result.plan
        self.assertEqual(plan.message, pathlib.Path("cli.bin").read_bytes(), case)


class ExplainAndVerifyTest(FolderTest):
    def test_a_variable_is_explained(self):
        found = sublet.explain(MOBILE.read_bytes(), "flatten_0.tmp_0")
        self.assertEqual(found.variables[0]["variable"], "flatten_0.tmp_0")
        expected = _cli.run(["explain", str(MOBILE), "flatten_0.tmp_0"]).output.decode("utf-8")
        self.assertEqual(str(found), expected)

    def test_loops_are_explained(self):
        program = sorted((PROJECT / "testdata" / "examples" / "loops").rglob("*.textproto"))[0]
        self.assertGreater(len(sublet.explain(program).loops), 0)
        self.assertIn("loop", sublet.explain(MOBILE).text)

    def test_a_result_is_verified(self):
        result = sublet.optimize(MOBILE)
        self.assertTrue(sublet.verify(MOBILE, result, fusion="safe"))
        result.save("s.pdmodel")
        result.plan.save("s.json")
        self.assertTrue(sublet.verify(str(MOBILE), "s.pdmodel", plan="s.json"))
        self.assertTrue(sublet.verify(MOBILE, plan=sublet.plan(MOBILE)))

    def test_a_wrong_rewrite_is_refused(self):
        found = sublet.verify(sublet.optimize(MOBILE).program, MOBILE)
        self.assertFalse(found)
        self.assertEqual(found.violations[0].subject, "rewrite")
        self.assertIn("does not declare", found.violations[0].message)
        self.assertGreaterEqual(found.violation_count, len(found.violations))

    def test_version(self):
        self.assertRegex(sublet.version(), r"^\S")


if __name__ == "__main__":
    unittest.main()
