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

## Flags of an item

| flag | set by | means |
|---|---|---|
| cached | flow | d |
| early | flow | e |

## Flags of a mount

| flag | means |
|---|---|
| waiting | f |
| paused | g |
"""


class Items(unittest.TestCase):
    def test_a_page_that_names_all_is_in_order(self):
        self.assertEqual(faults(PAGE, ITEM, MOUNT), [])

    def test_a_new_flag_without_a_row_is_found(self):
        self.assertEqual(faults(PAGE, ITEM.replace("early =", "late = 0x08,\n    early ="), MOUNT), ["Flags of an item: late has no row"])

    def test_a_row_without_a_flag_is_found(self):
        self.assertEqual(faults(PAGE, ITEM, MOUNT.replace(",  ///< more\n    paused = 0x04", "")), ["Flags of a mount: paused is not in the header"])

    def test_a_phase_that_is_not_drawn_is_found(self):
        item = ITEM.replace("    open,", "    parked,  ///< p\n    open,")
        self.assertEqual(faults(PAGE, item, MOUNT), ["Phases: parked has no row", "the chart lacks parked"])

    def test_a_header_without_phases_or_flags_is_no_success(self):
        self.assertIn("Flags of a mount: nothing was found in the header", faults(PAGE, ITEM, ""))


if __name__ == "__main__":
    unittest.main()
