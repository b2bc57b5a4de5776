#!/usr/bin/env python3
"""What the documentation's filter (docs/site/filter.py) and dev/make_site.py do to small documents, headers and pages."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TREE = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(TREE / "dev"), str(TREE / "docs/site")]
import filter as site_filter  # noqa: E402
import make_site  # noqa: E402


def page(name, sections=(), anchors=()):
    return {"id": name, "sections": dict(sections), "anchors": dict(anchors), "below": []}


PAGES = {"docs/spec/tunnel.md": page("page_a", anchors=[("second-part", "page_a__second_part")]),
         "docs/spec/session.md": page("page_spec_rules", sections=[("4.1", "page_spec_rules__41")], anchors=[("41-one", "page_spec_rules__41")])}

RULES = "session.md"


class Documents(unittest.TestCase):
    def shown(self, text, path="docs/spec/tunnel.md"):
        return site_filter.document(path, text, PAGES)

    def test_headings_have_names(self):
        self.assertEqual(self.shown("# Title\n\n## Second part\n"), "# Title {#page_a}\n\n## Second part {#page_a__second_part}\n")

    def test_links_lead_to_pages_and_sections(self):
        self.assertEqual(self.shown(f"[x]({RULES}) [y]({RULES}#41-one) [z](#second-part)"),
                         "[x](@ref page_spec_rules) [y](@ref page_spec_rules__41) [z](@ref page_a__second_part)\n")
        self.assertEqual(self.shown(f"[over two\nlines]({RULES})"), "[over two\nlines](@ref page_spec_rules)\n")
        self.assertEqual(self.shown("[x](https://example.org/a)"), "[x](https://example.org/a)\n")

    def test_files_without_a_page_are_named_and_missing_ones_complained_about(self):
        self.assertEqual(self.shown("[`the licence`](../../LICENSE)"), "`the licence`\n")
        self.assertIn("@ref missing", self.shown("[x](nowhere" + ".md)"))
        self.assertIn("@ref missing", self.shown(f"[x]({RULES}#nothing)"))

    def test_lines_stay_on_their_lines(self):
        text = f"# Title\n\ntext `code\nof two lines` and [a\nlink]({RULES})\n\n| a | b |\n|---|---|\n| 1 | <x> |\n\n```sh\n@x <y>\n```\n    @z\n"
        self.assertEqual(self.shown(text).count("\n"), text.count("\n"))

    def test_what_means_something_to_doxygen_is_written_out(self):
        self.assertEqual(self.shown("a @brief <b> 5 %x"), "a \\@brief \\<b> 5 \\%x\n")
        self.assertEqual(self.shown("`'<a>' %s`"), "<code>'&lt;a&gt;' \\%s</code>\n")
        self.assertEqual(self.shown("```\n@x <y> %s\n```"), "```\n@x <y> %s\n```\n")


class Headers(unittest.TestCase):
    def shown(self, text):
        return site_filter.header(text, PAGES)

    def test_overloads_share_a_comment(self):
        self.assertEqual(self.shown("/// Says\n/// it.\nvoid f();\nvoid f(int);\n\nvoid g();\n"),
                         "/// Says\n/// it.\nvoid f();\n/** Says it. */ void f(int);\n\nvoid g();\n")
        self.assertEqual(self.shown("int f();  ///< says it\nint f(int);\n"), "int f();  ///< says it\n/** says it */ int f(int);\n")
        self.assertEqual(self.shown("/// Says it.\nvoid f();\n\nvoid f(int);\n"), "/// Says it.\nvoid f();\n\nvoid f(int);\n")

    def test_constants_and_aliases_share_a_comment(self):
        self.assertEqual(self.shown("/// Kinds.\nstatic constexpr int a = 1;\nstatic constexpr int b = 2;\n\nstatic constexpr int c = 3;\n"),
                         "/// Kinds.\nstatic constexpr int a = 1;\n/** Kinds. */ static constexpr int b = 2;\n\nstatic constexpr int c = 3;\n")
        self.assertEqual(self.shown("/// Kinds.\nusing A = int;\nusing B = char;\n"), "/// Kinds.\nusing A = int;\n/** Kinds. */ using B = char;\n")

    def test_each_name_of_a_declaration_has_its_comment(self):
        self.assertEqual(self.shown("    int a = 0, b;  ///< both\n"), "    /** both */ int a = 0;    /** both */ int b;\n")
        self.assertEqual(self.shown("enum E { x, y };  ///< which\n"), "/** which */ enum E { x, y };\n")
        self.assertEqual(self.shown("    int a = 0;  ///< one\n"), "    int a = 0;  ///< one\n")

    def test_protected_members_are_not_shown_and_citations_are_links(self):
        self.assertEqual(self.shown("class A {\nprotected:\n    int x;\n};\n"), "class A {\nprivate:\n    int x;\n};\n")
        self.assertEqual(self.shown("/// As session.md 4.1 says.\n"), '/// As @ref page_spec_rules__41 "session.md 4.1" says.\n')
        self.assertEqual(self.shown('const char* s = "session.md 4.1";\n'), 'const char* s = "session.md 4.1";\n')

    def test_lines_stay_on_their_lines_in_every_public_header(self):
        for folder in ("ema/include", "book/include"):
            for header in sorted((TREE / folder).rglob("*.h")):
                text = header.read_text(encoding="utf-8")
                self.assertEqual(self.shown(text).count("\n"), text.count("\n"), header)


class Links(unittest.TestCase):
    def dead(self, pages):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in pages.items():
                (pathlib.Path(folder) / name).write_text(text)
            return make_site.dead_links(folder)[0]

    def test_links_that_lead_somewhere(self):
        self.assertEqual(self.dead({"a.html": '<h1 id="top"></h1><a href="b.html#x">b</a><a href="#top">t</a><a href="https://example.org/no">e</a>'
                                              '<a href="javascript:void(0)">j</a>', "b.html": '<a name="x"></a><img src="p%20q.svg"/>', "p q.svg": ""}), [])

    def test_dead_ones_are_named_with_page_and_line(self):
        self.assertEqual(self.dead({"a.html": '<p>\n<a href="b.html">b</a>'}), ["a.html:2: b.html (no such file)"])
        self.assertEqual(self.dead({"a.html": '<a href="#x">b</a>'}), ["a.html:1: #x (no such place in the page)"])
        self.assertEqual(self.dead({"a.html": '<object data="p.svg"></object>'}), ["a.html:1: p.svg (no such file)"])
        self.assertEqual(self.dead({"a.html": '<a href="../../etc/passwd">b</a>'}), ["a.html:1: ../../etc/passwd (no such file)"])


class Classes(unittest.TestCase):
    def test_a_class_without_a_comment_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            header = pathlib.Path(folder) / "x.h"
            header.write_text("namespace n {\nclass A;\n/// Says it.\nclass B {\n    struct C {};\n};\nclass D {};\n}\n")
            self.assertEqual(make_site.undocumented([header]), [f"{header}:7: class D has no comment"])


class Folders(unittest.TestCase):
    def test_a_folder_of_somebody_else_is_left_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            mine = pathlib.Path(folder) / "mine"
            mine.mkdir()
            (mine / "file").touch()
            with self.assertRaises(SystemExit):
                make_site.prepared(mine)
            self.assertTrue((mine / "file").exists())
            (mine / make_site.MARK).touch()
            make_site.prepared(mine)
            self.assertFalse((mine / "file").exists())


@unittest.skipUnless(shutil.which("doxygen"), "doxygen is not installed")
class Doxygen(unittest.TestCase):
    def complaints(self, header):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "x.h").write_text(header)
            lines = [f'@INCLUDE = "{TREE}/docs/site/Doxyfile"', f'INPUT = "{folder}/x.h"', f'OUTPUT_DIRECTORY = "{folder}"',
                     "IMAGE_PATH =", "HTML_EXTRA_STYLESHEET =", "SEARCHENGINE = NO"]
            done = subprocess.run(["doxygen", "-"], input="\n".join(lines) + "\n", text=True, capture_output=True, cwd=folder)
            return [line.split(": ", 1)[1] for line in done.stderr.splitlines()]

    def test_a_public_member_without_a_comment_is_a_warning(self):
        self.assertEqual(self.complaints("/// Says it.\nclass A {\npublic:\n    /// So does this.\n    void f();\n\nprivate:\n    void h();\n};\n"), [])
        self.assertEqual(self.complaints("/// Says it.\nclass A {\npublic:\n    /// So does this.\n    void f();\n    void g();\n};\n"),
                         ["warning: Member g() (function) of class A is not documented."])
        self.assertEqual(self.complaints("/// Says it.\nstruct A {\n    int x;\n};\n"), ["warning: Member x (variable) of struct A is not documented."])


if __name__ == "__main__":
    unittest.main()
