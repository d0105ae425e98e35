import contextlib
import io
import re
import unittest

from testing_support import MOBILE, ONNX, PROJECT, FolderTest, binary


class DocsTest(FolderTest):
    """The examples of docs/python.md print what the page says."""

    def test_the_examples(self):
        (self.folder / "model.pdmodel").write_bytes(binary(MOBILE))
        (self.folder / "model.onnx").write_bytes(binary(ONNX))
        page = (PROJECT / "docs" / "python.md").read_text("utf-8")
        examples = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", page, re.DOTALL)
        self.assertEqual(len(examples), page.count("```python"))
        self.assertGreaterEqual(len(examples), 5)
        for code, expected in examples:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(code, "docs/python.md", "exec"), {})
            self.assertEqual(printed.getvalue().rstrip(), expected.rstrip(), code)


if __name__ == "__main__":
    unittest.main()
