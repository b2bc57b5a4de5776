#!/usr/bin/env python3
"""What tool_texts.py takes for a sentence of a program, and what counts as explained."""
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import tool_texts  # noqa: E402
import troubleshooting_texts as texts  # noqa: E402


class Cpp(unittest.TestCase):
    def test_sentences_have_words(self):
        self.assertEqual(tool_texts.of_cpp('f("cannot open " + x); g("the file is not there: " + x); h("name");'), ["the file is not there:"])

    def test_neighbours_are_one_and_places_are_dots(self):
        self.assertEqual(tool_texts.of_cpp('printf("no room for %s "\n   "in %.3f s\\n");'), ["no room for ... in ... s"])

    def test_comments_raw_texts_and_assertions_are_none(self):
        self.assertEqual(tool_texts.of_cpp('// "this is no sentence of it"\nstatic_assert(a(b), "it is as it is here");\n'
                                           'x = R"(usage: so many words here)";'), [])


    def test_meanings_of_options_are_none(self):
        self.assertEqual(tool_texts.of_cpp('{"--quiet", "", "no notes on what was skipped", takeFlag(c)},\n'
                                           '{"-p", "PORT", "the port that it "\n "listens on", take(p)}, {"a", "it is not an option here"}'),
                         ["it is not an option here"])


class Python(unittest.TestCase):
    def test_comments_of_functions_are_none_and_values_are_dots(self):
        self.assertEqual(tool_texts.of_python('"""A module of many words."""\ndef f(x):\n    """It does this and that."""\n'
                                              '    raise E(f"{x}: the file is damaged")\n'), ["...: the file is damaged"])


class Explained(unittest.TestCase):
    def test_a_new_sentence_is_missing_until_the_page_has_it(self):
        sentences = [("hub/a.cpp", "the cache is full of it"), ("hub/b.cpp", "everything went well here")]
        self.assertEqual(texts.unexplained(sentences, [], {"everything went well here"}), ([sentences[0]], []))
        self.assertEqual(texts.unexplained(sentences, ["... the cache is full of it ..."], {"everything went well here"}), ([], []))

    def test_part_of_a_sentence_is_not_enough(self):
        self.assertFalse(texts.explained("Error: the cache is full of ... items", ["Error: ..."]))
        self.assertTrue(texts.explained("the cache is full of ... items", ["the cache is full of ... items; wait"]))

    def test_the_list_of_no_complaints_has_nothing_old(self):
        self.assertEqual(texts.unexplained([("a", "one two three four")], ["one two three four"], {"gone with the source"}),
                         ([], ["gone with the source"]))


if __name__ == "__main__":
    unittest.main()
