import importlib.util
import os
import pathlib
import subprocess
import sys
import unittest
import zipfile

import sublet
from testing_support import MOBILE, PROJECT, FolderTest

BUILDER = PROJECT / "src" / "main" / "python" / "build_wheel.py"
# A jar that runs this build; PythonPackageTest makes it.
JAR = os.environ.get("SUBLET_TEST_JAR", "")


def run(*command, **variables):
    environment = {name: value for name, value in os.environ.items() if name not in ("SUBLET", "PYTHONPATH")}
    done = subprocess.run(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**environment, **variables},
    )
    return done.returncode, done.stdout, done.stderr


class WheelTest(FolderTest):
    def build(self, out, *arguments):
        return run(sys.executable, BUILDER, "--out", out, *arguments)

    def test_it_is_reproducible_and_complete(self):
        (self.folder / "my.jar").write_bytes(b"a jar")
        for out in ("a", "b"):
            code, printed, errors = self.build(out, "--jar", "my.jar", "--version", "0.2.0")
            self.assertEqual((code, errors), (0, ""))
            self.assertEqual(printed.strip(), os.path.join(out, "sublet-0.2.0-py3-none-any.whl"))
        first, second = (pathlib.Path(out, "sublet-0.2.0-py3-none-any.whl") for out in ("a", "b"))
        self.assertEqual(first.read_bytes(), second.read_bytes())
        with zipfile.ZipFile(first) as wheel:
            names = wheel.namelist()
            self.assertEqual(wheel.read("sublet/sublet-all.jar"), b"a jar")
            record = wheel.read("sublet-0.2.0.dist-info/RECORD").decode("utf-8")
            self.assertEqual([line.split(",")[0] for line in record.splitlines()], names)
            self.assertIn("Version: 0.2.0\n", wheel.read("sublet-0.2.0.dist-info/METADATA").decode("utf-8"))
        sources = {f"sublet/{path.name}" for path in (BUILDER.parent / "sublet").glob("*.py")}
        self.assertLessEqual(sources | {"sublet/py.typed"}, set(names))

    def test_its_version_is_that_of_the_package(self):
        code, printed, errors = self.build("w")
        self.assertEqual((code, errors), (0, ""))
        wheel = f"sublet-{sublet.__version__}-py3-none-any.whl"
        self.assertEqual(printed.strip(), os.path.join("w", wheel))

    def test_without_a_jar_there_is_no_command(self):
        self.assertEqual(self.build("w", "--version", "0.2.0-SNAPSHOT")[0], 0)
        with zipfile.ZipFile("w/sublet-0.2.0.dev0-py3-none-any.whl") as wheel:
            self.assertNotIn("sublet-0.2.0.dev0.dist-info/entry_points.txt", wheel.namelist())

    def test_wrong_arguments_leave_nothing(self):
        for arguments in (("--version", "new"), ("--jar", "none.jar", "--version", "1.0")):
            code, printed, errors = self.build("w", *arguments)
            self.assertEqual((code, printed), (3, ""))
            self.assertRegex(errors, "^error: .*\n$")
        self.assertFalse(pathlib.Path("w").exists())

    @unittest.skipUnless(JAR, "skipped: SUBLET_TEST_JAR names no jar")
    @unittest.skipUnless(importlib.util.find_spec("ensurepip"), "skipped: this Python makes no environments with pip")
    def test_in_an_empty_environment_it_works_by_itself(self):
        self.assertEqual(self.build("w", "--jar", JAR, "--version", "0.2.0")[0], 0)
        self.assertEqual(run(sys.executable, "-m", "venv", "env")[0], 0)
        wheel = "w/sublet-0.2.0-py3-none-any.whl"
        code, _, errors = run("env/bin/python", "-m", "pip", "install", "--no-index", wheel)
        self.assertEqual(code, 0, errors)
        program = "import sys, sublet; print(sublet.optimize(sys.argv[1]))"
        code, printed, errors = run("env/bin/python", "-c", program, MOBILE)
        self.assertEqual((code, errors), (0, ""))
        self.assertEqual(printed, "Optimized(bytes_before=3674464, bytes_after=640168)\n")
        code, printed, errors = run("env/bin/sublet", "optimize", MOBILE, "-o", "ö.pdmodel", "-q")
        self.assertEqual((code, printed, errors), (0, "", ""))
        code, printed, errors = run("env/bin/sublet", "plan", MOBILE, "-q")
        self.assertEqual((code, errors), (0, ""))
        self.assertIn("arena", printed)
        self.assertTrue(pathlib.Path("ö.pdmodel").is_file())
        self.assertEqual(run("env/bin/sublet", "inspect", "nothing")[0], 3)
        self.assertEqual(run("env/bin/python", "-m", "pip", "uninstall", "-q", "-y", "sublet")[0], 0)
        self.assertEqual(list(self.folder.glob("env/lib/*/site-packages/sublet*")), [])


if __name__ == "__main__":
    unittest.main()
