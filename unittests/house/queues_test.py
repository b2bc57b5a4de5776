#!/usr/bin/env python3
"""What queues.py finds."""
import unittest

from queues import check, queues

ROW = "| posts | `a/Posts.h` | 100 | refused | `emissary_posts_refused_total` |\n"
QUEUE = "class Posts {\n    std::deque<Post> waiting_;  // in order\n};\n"
COUNTS = "| `emissary_posts_refused_total` | counter |"


class Queues(unittest.TestCase):
    def test_members_are_queues(self):
        for line in ("std::deque<std::pair<A, B>> order_;", "ItemQueue<int> ids;", "Ring<ToFront> toFront_{kPlaces};", "FrameRing out;",
                     "std::map<int, std::deque<Ref>, std::greater<>> byClass_;", "std::deque<int> ring_, late_;", "Mailbox<Letter> letters{4096};", "std::map<std::uint64_t, Client*> waiting_;",
                     "std::vector<std::pair<A, B>> held;", "reactor::ItemMap<std::uint32_t, Time> due_;"):
            self.assertEqual(queues({"a.h": f"    {line}  // why\n"}), {"a.h"}, line)

    def test_calls_and_references_are_none(self):
        for line in ("[[nodiscard]] const std::deque<End>& list() const noexcept { return ends_; }", "std::deque<int>& ids = ids_[handle];",
                     "void trimDeque(std::deque<T>& d) noexcept {", "// std::deque<int> ids_;", "#include <deque>", "std::map<int, int> known_;", "std::uint64_t waiting_;",
                     "std::vector<Due>& due = dueOf(item);"):
            self.assertEqual(queues({"a.h": f"    {line}\n"}), set(), line)

    def test_a_row_for_each_queue_is_no_finding(self):
        self.assertEqual(check(ROW, {"a/Posts.h": QUEUE}, COUNTS), [])

    def test_a_queue_without_a_row(self):
        self.assertEqual(check("", {"a/Posts.h": QUEUE}, COUNTS), ["a/Posts.h: has a queue, and docs/queues.md has no row for it"])

    def test_a_row_of_a_file_that_is_gone(self):
        self.assertEqual(check(ROW, {}, COUNTS), ["a/Posts.h: has a row, and is no header of the tree"])

    def test_a_count_that_is_gone_or_not_named(self):
        self.assertEqual(check(ROW, {"a/Posts.h": QUEUE}, ""), ["a/Posts.h: there is no count emissary_posts_refused_total"])
        bare = ROW.replace("`emissary_posts_refused_total`", "")
        self.assertEqual(check(bare, {"a/Posts.h": QUEUE}, COUNTS), ["a/Posts.h: its row names no count, and does not say why (none: ...)"])
        self.assertEqual(check(bare.replace("refused |", "refused | none: it cannot be |").replace("|  |", "|"), {"a/Posts.h": QUEUE}, COUNTS), [])


if __name__ == "__main__":
    unittest.main()
