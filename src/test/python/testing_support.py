"""Files and folders for the tests."""

import os
import pathlib
import tempfile
import unittest

import sublet
from sublet import _cli

PROJECT = pathlib.Path(__file__).resolve().parents[3]
MOBILE = PROJECT / "testdata" / "examples" / "mobile_block" / "program.textproto"
ONNX = PROJECT / "testdata" / "onnx" / "dynamic_reshape" / "model.textproto"
LOD = PROJECT / "testdata" / "share" / "lod_replaced" / "in.textproto"


def binary(path):
    """The program in a file of the test data, serialized."""
    return _cli.run(["convert", str(path), "-o", "-", "--to", "binary"]).output


class FolderTest(unittest.TestCase):
    """A test in an empty folder, whose name has a space and a letter beyond ASCII."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="sublet tést ")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)

    @classmethod
    def tearDownClass(cls):
        sublet.close()
