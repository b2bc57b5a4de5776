// Where the tests find files of the source tree. Only paths.cpp is compiled with the tree's place, so that a compiler
// cache serves every other test source in any checkout.
#pragma once

#include <string>

namespace emissary::test {

/// The path of a file in the source tree, e.g. sourcePath("/etc/enumtype.def").
[[nodiscard]] std::string sourcePath(const char* below);

/// The path of a golden vector file, e.g. vectorPath("/rwf/messages.jsonl").
[[nodiscard]] std::string vectorPath(const char* below);

}  // namespace emissary::test
