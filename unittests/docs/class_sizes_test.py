#!/usr/bin/env python3
"""What class_sizes.py counts."""
import unittest

from class_sizes import measure, parse

HEADER = """namespace a::b {

/// One.
class Room final : public Base {
public:
    Room();
    ~Room();
    Room(const Room&) = delete;
    void open(int door);
    [[nodiscard]] bool isOpen() const noexcept { return open_; }  // inline
    struct Impl;

private:
    int calls_{0};
    bool open_ = false;
};

}  // namespace a::b
"""
SOURCE = """namespace a::b {

struct Room::Impl {
    void step();
};

void Room::Impl::step() {
    if (true) {}
}

Room::Room() : calls_{1} {}

void Room::open(int door) {
    open_ = door != 0;
}

}  // namespace a::b
"""


class ClassSizes(unittest.TestCase):
    def test_functions_leave_out_what_makes_and_ends_an_object(self):
        self.assertEqual(parse(HEADER)[1]["a::b::Room"], 2)

    def test_members_defined_outside_are_found(self):
        owners = [span.owner for span in parse(SOURCE)[0]]
        self.assertEqual(owners, ["a::b::Room::Impl", "a::b::Room::Impl", "a::b::Room", "a::b::Room"])

    def test_a_class_owns_the_files_that_it_fills(self):
        sizes = measure({"Room.h": HEADER, "Room.cpp": SOURCE})
        self.assertEqual(list(sizes), ["a::b::Room"])
        self.assertEqual(sizes["a::b::Room"][0], HEADER.count("\n") + SOURCE.count("\n"))
        self.assertEqual(sizes["a::b::Room"][1], 2)

    def test_of_a_shared_file_a_class_has_what_it_defines(self):
        other = "namespace a::b {\nstruct Door {\n" + "    int n;\n" * 40 + "};\nvoid Room::shut() {\n}\n}\n"
        sizes = measure({"Room.h": HEADER, "Door.cpp": other})
        self.assertEqual(sizes["a::b::Room"][2]["Door.cpp"], 2)
        self.assertEqual(sizes["a::b::Door"][2]["Door.cpp"], other.count("\n"))


if __name__ == "__main__":
    unittest.main()
