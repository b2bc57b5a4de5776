#!/usr/bin/env python3
"""What citations.py says of small trees: which citations it takes and which it finds broken."""
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import citations  # noqa: E402

SPEC = """# Things
## 1. First
| 1.2 | a row with a number of its own |
### 1.1 Part of it
## 2. Second
## 3. Rooms (many)
"""


class Citations(unittest.TestCase):
    def broken(self, text, name="a.cpp", more=()):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            for path, content in {"docs/spec/things.md": SPEC, name: text, **dict(more)}.items():
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_text(content)
            return citations.Check(tree).run()

    def test_what_stands_in_the_tree_may_be_cited(self):
        for text in (
            "// as things.md says",
            "// (things.md 1.1).",
            "// (things.md, section 1.1)",
            "// (things.md sections 1 to 3, 1.1)",
            "// (things.md 1.1, 1.2 and 2)",
            "// (things.md 1.2, step 7)",
            '// (docs/spec/things.md, "Rooms")',
            "/// (things.md\n/// 2)",
            "# (things.md 1,\n# 2)",
        ):
            self.assertEqual(self.broken(text), [], text)

    def test_a_document_that_is_not_there(self):
        self.assertEqual(self.broken("\n// nothing.md 1"), ["a.cpp:2: nothing.md is not in the tree"])
        self.assertEqual(self.broken("// docs/things.md 1"), ["a.cpp:1: docs/things.md is not in the tree"])

    def test_a_section_that_is_not_there(self):
        self.assertEqual(self.broken("// things.md 1.3"), ["a.cpp:1: things.md has no section 1.3"])
        self.assertEqual(self.broken("// things.md sections 1, 4 and 2"), ["a.cpp:1: things.md has no section 4"])
        self.assertEqual(self.broken("//\n// things.md\n// 9"), ["a.cpp:2: things.md has no section 9"])
        self.assertEqual(self.broken('// things.md, "Doors"'), ['a.cpp:1: things.md has no heading "Doors"'])
        self.assertEqual(self.broken("// things.md 2.x"), ["a.cpp:1: the section behind things.md cannot be read: 2.x"])

    def test_a_name_that_two_documents_have(self):
        more = {"docs/wire/things.md": "# Other things\n"}.items()
        found = self.broken("// things.md", more=more)
        self.assertEqual(found, ["a.cpp:1: things.md is ambiguous: docs/spec/things.md, docs/wire/things.md"])
        self.assertEqual(self.broken("// docs/wire/things.md", more=more), [])

    def test_sections_of_the_specification_itself(self):
        self.assertEqual(self.broken("# More\n## 1. One\nas §1 and section 1 say\n", "docs/spec/more.md"), [])
        found = self.broken("# More\n## 1. One\nas §4 says; things.md section 2\n", "docs/spec/more.md")
        self.assertEqual(found, ["docs/spec/more.md:3: more.md has no section 4"])

    def test_links(self):
        self.assertEqual(self.broken("[things](spec/things.md), [net](https://example.org/x)", "docs/a.md"), [])
        found = self.broken("[things](things.md)\n[code](../b.cpp)\n", "docs/a.md")
        self.assertIn("docs/a.md:1: things.md is not in the tree", found)
        self.assertIn("docs/a.md:2: the link to ../b.cpp leads nowhere", found)


if __name__ == "__main__":
    unittest.main()
