#!/usr/bin/env python3
"""Keeps the two programs shown in README.md equal to examples/. With --check: says whether they are, changes nothing."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
readme = root / "README.md"
text = readme.read_text()
new = text
for name in ("PriceConsumer", "PriceProvider"):
    code = (root / "examples" / name / f"{name}.cpp").read_text().rstrip("\n")
    pattern = re.compile(r"(\[examples/%s\].*?```cpp\n).*?(\n```)" % name, re.S)
    new, count = pattern.subn(lambda m: m.group(1) + code + m.group(2), new)
    if count != 1:
        sys.exit(f"README.md: expected one code block for examples/{name}, found {count}")
if "--check" in sys.argv[1:]:
    if new != text:
        sys.exit("README.md shows other code than examples/; run dev/update_readme.py")
else:
    readme.write_text(new)
