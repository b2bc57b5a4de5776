#!/usr/bin/env python3
"""Tests of hub_items.py."""
import unittest

from hub_items import faults

ITEM = """enum class Phase : std::uint8_t {
    idle,  ///< no source
    open,  ///< has an image
};
static constexpr std::uint32_t kNone = 0xFFFFFFFF;
static constexpr std::uint32_t
    cached = 0x02,  ///< kept; always
    early = 0x400000;
"""
MOUNT = "static constexpr std::uint16_t waiting = 0x01,  ///< more\n    paused = 0x04;\nstatic constexpr std::uint16_t kQosShift = 9, kWorstQos = 15;\n"
LIFE = """kRows{{
    {Event::parked, kIdle, Leads::stays, 0, 0},  // none
    {Event::refreshComplete, kAny, Leads::open, Item::cached, Item::early | Item::cached},
}};
"""
PAGE = """# I

## Phases

| phase | means |
|---|---|
| idle | a |
| open | b |

```mermaid
    [*] --> idle
    idle --> open : c
```

## Events

| event | in | leads to | sets | clears | happens when |
|---|---|---|---|---|---|
| parked | idle |  |  |  | h |
| refreshComplete | any | open | cached | early, cached | i |

## Flags of an item

| flag | means |
|---|---|
| cached | d |
| early | e |

## Flags of a mount

| flag | means |
|---|---|
| waiting | f |
| paused | g |
"""


class Items(unittest.TestCase):
    def test_a_page_that_names_all_is_in_order(self):
        self.assertEqual(faults(PAGE, ITEM, MOUNT, LIFE), [])

    def test_a_new_flag_without_a_row_is_found(self):
        self.assertEqual(faults(PAGE, ITEM.replace("early =", "late = 0x08,\n    early ="), MOUNT, LIFE), ["Flags of an item: late has no row"])

    def test_a_row_without_a_flag_is_found(self):
        self.assertEqual(faults(PAGE, ITEM, MOUNT.replace(",  ///< more\n    paused = 0x04", ""), LIFE), ["Flags of a mount: paused is not in the header"])

    def test_a_phase_that_is_not_drawn_is_found(self):
        item = ITEM.replace("    open,", "    parked,  ///< p\n    open,")
        self.assertEqual(
            faults(PAGE, item, MOUNT, LIFE), ["Phases: parked has no row", "the chart lacks parked", "the chart lacks parked --> open"]
        )

    def test_an_event_without_a_row_is_found(self):
        life = LIFE.replace("}};", "    {Event::queued, kIdle, Leads::stays, 0, 0},\n}};")
        self.assertEqual(faults(PAGE, ITEM, MOUNT, life), ["Events: queued has no row"])

    def test_a_row_without_an_event_is_found(self):
        life = LIFE.replace("    {Event::parked, kIdle, Leads::stays, 0, 0},  // none\n", "")
        self.assertEqual(faults(PAGE, ITEM, MOUNT, life), ["Events: parked is not in the code"])

    def test_a_flag_that_an_event_sets_and_the_page_does_not_say_is_found(self):
        found = faults(PAGE, ITEM, MOUNT, LIFE.replace("Leads::stays, 0, 0", "Leads::stays, Item::early, 0"))
        self.assertEqual(found, ["Events: parked is (['idle'], 'stays', [], []) here and (['idle'], 'stays', ['early'], []) in the code"])

    def test_a_way_that_is_not_drawn_is_found(self):
        page = PAGE.replace("| any | open |", "| idle | open |").replace("    idle --> open : c\n", "    [*] --> open\n")
        self.assertEqual(faults(page, ITEM, MOUNT, LIFE.replace("kAny", "kIdle")), ["the chart lacks idle --> open"])

    def test_a_way_that_no_event_leads_is_found(self):
        page = PAGE.replace("    idle --> open : c\n", "    idle --> open : c\n    open --> idle : d\n")
        self.assertEqual(faults(page, ITEM, MOUNT, LIFE), ["the chart has open --> idle, which no event leads"])

    def test_code_without_a_table_is_no_success(self):
        self.assertIn("Events: no row was found in the code", faults(PAGE, ITEM, MOUNT, ""))

    def test_a_header_without_phases_or_flags_is_no_success(self):
        self.assertIn("Flags of a mount: nothing was found in the header", faults(PAGE, ITEM, "", LIFE))


if __name__ == "__main__":
    unittest.main()
