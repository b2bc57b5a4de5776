#!/usr/bin/env python3
"""What public_docs.py finds in small headers: what is a public declaration, and what counts as its comment."""
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import public_docs  # noqa: E402


class PublicDocs(unittest.TestCase):
    def missing(self, text):
        return [f"{d.first}: {d.kind} {d.name}" for d in public_docs.undocumented(text)]

    def test_classes_enumerations_and_functions_need_a_comment(self):
        self.assertEqual(self.missing("class EMA_ACCESS_API A final : public B {};"), ["1: class A"])
        self.assertEqual(self.missing("template <class T>\nstruct A {\n    int x;\n};"), ["1: struct A"])
        self.assertEqual(self.missing("enum class E : unsigned { a = (1), b };"), ["1: enum E"])
        self.assertEqual(self.missing("namespace n {\nvoid f(int x = g({1, 2}));\n}"), ["2: function f"])
        self.assertEqual(self.missing("[[nodiscard]] inline int f() {\n    return h(1);\n}\nint g();"), ["1: function f", "4: function g"])

    def test_members_are_public_where_the_class_says_so(self):
        text = "/// a\nclass A {\n    void f();\npublic:\n    A(int x) : x_(x) {}\n    void g() const noexcept;\nprotected:\n    void h();\nprivate:\n    int x_;\n};"
        self.assertEqual(self.missing(text), ["5: function A", "6: function g"])
        self.assertEqual(self.missing("/// a\nstruct A {\n    int x = 1;\n    std::function<void(int)> y;\n    void f();\n};"), ["5: function f"])
        self.assertEqual(self.missing("/// a\nclass A {\n    struct B {\n        void f();\n    };\n};"), [])

    def test_operators_and_conversions_are_functions(self):
        text = "/// a\nstruct A {\n    bool operator==(const A& a) const;\n    operator const char*() const;\n    char operator[](int i);\n};"
        self.assertEqual(self.missing(text), ["3: function operator==", "4: function operator const char*", "5: function operator[]"])

    def test_a_comment_stands_directly_above_or_behind(self):
        self.assertEqual(self.missing("/// says it\nvoid f();"), [])
        self.assertEqual(self.missing("void f();  ///< says it"), [])
        self.assertEqual(self.missing("/** says it */\nvoid f(int a,\n       int b);"), [])
        self.assertEqual(self.missing("void f(int a,\n       int b);  ///< says it"), [])
        self.assertEqual(self.missing("/// says it\n\nvoid f();"), ["3: function f"])
        self.assertEqual(self.missing("/// says it\n// NOLINTNEXTLINE(x): why\nvoid f();"), [])
        self.assertEqual(self.missing("// not for readers\nvoid f();"), ["2: function f"])
        self.assertEqual(self.missing("int a();  ///< of a\n          ///< still of a\nvoid f();"), ["3: function f"])

    def test_overloads_that_follow_share_a_comment(self):
        self.assertEqual(self.missing("/// says it\nvoid f();\nvoid f(int);"), [])
        self.assertEqual(self.missing("/// says it\nvoid f() {\n    g();\n}\nvoid f(int);"), [])
        self.assertEqual(self.missing("/// says it\nvoid f();\n\nvoid f(int);"), ["4: function f"])
        self.assertEqual(self.missing("/// says it\nvoid f();\nvoid g();\nvoid f(int);"), ["3: function g", "4: function f"])

    def test_what_needs_none(self):
        text = "/// a\nclass A : B {\npublic:\n    A() = default;\n    A(const A&) = delete;\n    virtual ~A();\n    void f() override;\n    friend class C;\n    friend void g();\n    using T = int (*)(int);\n};"
        self.assertEqual(self.missing(text), [])
        self.assertEqual(self.missing("class A;\nenum E : int;\nnamespace n {\nstruct B;\n}"), [])
        self.assertEqual(self.missing("inline int A::f() {\n    return 1;\n}\n#define M(x) \\\n    int x();\n"), [])
        self.assertEqual(self.missing('inline const EmaString NAME_OF("x");\nstatic constexpr int k = f(1);'), [])
        self.assertEqual(self.missing('/* int f(); */ // int g();\nconst char* s = "int f();";'), [])


if __name__ == "__main__":
    unittest.main()
