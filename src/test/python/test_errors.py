import unittest

import sublet
from testing_support import MOBILE, FolderTest


class ErrorsTest(FolderTest):
    def refused(self, kind, message, call, *arguments, **options):
        with self.assertRaisesRegex(kind, message) as caught:
            call(*arguments, **options)
        return caught.exception

    def test_bytes_that_are_no_program(self):
        error = self.refused(sublet.InputError, "not a", sublet.optimize, b"\x00\x01garbage")
        self.assertEqual(error.exit_code, 3)
        self.assertEqual([d.severity for d in error.diagnostics], ["error"])
        self.assertIsInstance(error, ValueError)
        self.assertIsInstance(error, sublet.SubletError)
        self.refused(sublet.InputError, "", sublet.explain, b"garbage")
        self.refused(sublet.InputError, "original", sublet.verify, b"garbage", MOBILE)

    def test_an_error_names_the_file(self):
        (self.folder / "bad one.pdmodel").write_bytes(b"garbage")
        self.refused(sublet.InputError, "bad one.pdmodel: ", sublet.plan, "bad one.pdmodel")
        (self.folder / "empty").mkdir()
        self.refused(sublet.InputError, "empty: ", sublet.plan, "empty")

    def test_an_unknown_feed(self):
        error = self.refused(
            sublet.OptionError, "'imag'", sublet.optimize, MOBILE, shapes={"imag": (1, 3)}
        )
        self.assertEqual(error.exit_code, 2)

    def test_a_capacity_that_does_not_suffice(self):
        error = self.refused(
            sublet.DoesNotFitError, "capacity", sublet.optimize, MOBILE, capacity=102400
        )
        self.assertEqual(error.exit_code, 5)
        self.assertIn("the arena needs 638,976", error.diagnostics[0].message)

    def test_what_is_not_supported(self):
        program = MOBILE.read_text("utf-8").replace('"relu6"', '"my_own_relu"').encode("utf-8")
        error = self.refused(sublet.UnsupportedError, "my_own_relu", sublet.plan, program, strict=True)
        self.assertEqual(error.exit_code, 4)
        self.assertEqual((error.diagnostics[0].block, error.diagnostics[0].op_type), (0, "my_own_relu"))

    def test_options_that_do_not_exist(self):
        self.refused(TypeError, "plan\\(\\) has no option 'capcity'; did you mean 'capacity'", sublet.plan, MOBILE, capcity=1)
        self.refused(TypeError, "no option 'release'", sublet.plan, MOBILE, release=True)
        self.refused(sublet.OptionError, "options.planner is 'worst'", sublet.plan, MOBILE, planner="worst")

    def test_values_of_options(self):
        for kind, message, options in (
            (TypeError, "options.batch is a whole number", {"batch": "1"}),
            (sublet.OptionError, "options.batch is 0", {"batch": 0}),
            (sublet.OptionError, "options.capacity is '12 apples'", {"capacity": "12 apples"}),
            (sublet.OptionError, "options.capacity is 0", {"capacity": "0KiB"}),
            (TypeError, "options.strict is True or False", {"strict": 1}),
            (TypeError, "options.shapes is a dict", {"shapes": [1, 2]}),
            (TypeError, "options.shapes\\['x'\\] is a sequence", {"shapes": {"x": "1,3"}}),
            (sublet.OptionError, "extents are whole numbers from 1", {"shapes": {"image": (0, 3)}}),
            (sublet.OptionError, "options.runtime is 'new'", {"runtime": "new"}),
            (sublet.OptionError, "options.views is empty", {"views": ""}),
            (sublet.OptionError, "2\\*\\*63", {"nodes": 1 << 63}),
            (sublet.OptionError, "options.pools", {"pools": {"a": 0}}),
        ):
            self.refused(kind, message, sublet.plan, MOBILE, **options)
        self.assertEqual(sublet.plan(MOBILE, batch=None), sublet.plan(MOBILE))

    def test_what_is_no_program(self):
        self.refused(TypeError, "not int", sublet.plan, 3)
        self.refused(FileNotFoundError, "nowhere", sublet.plan, "nowhere.pdmodel")
        self.refused(FileNotFoundError, "nowhere", sublet.explain, "nowhere.pdmodel")
        self.refused(FileNotFoundError, "nowhere", sublet.verify, MOBILE, "nowhere.pdmodel")
        self.refused(sublet.OptionError, "'x'", sublet.explain, MOBILE, "x")
        self.refused(sublet.OptionError, "'--x'", sublet.explain, MOBILE, "--x")
        self.refused(sublet.OptionError, "comma", sublet.explain, MOBILE, keep="a,b")


if __name__ == "__main__":
    unittest.main()
