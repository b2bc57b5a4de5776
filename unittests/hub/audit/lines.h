// Lines of an audit folder, read as JSON.
#pragma once

#include "eta/json/support.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace emissary::test {

/// Whole lines of all files in their order; what is no JSON throws std::runtime_error.
[[nodiscard]] inline std::vector<json_test::Json> auditLines(const std::string& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
    std::ranges::sort(files);
    std::vector<json_test::Json> lines;
    for (const auto& file : files) {
        std::ifstream in(file);
        for (std::string line; std::getline(in, line) && !in.eof();)
            lines.push_back(json_test::parseJson(line));
    }
    return lines;
}

/// The text of a member; empty: it is not there.
[[nodiscard]] inline std::string textOf(const json_test::Json& line, const std::string& name) {
    const json_test::Json* const found = line.find(name);
    return found == nullptr ? std::string() : found->text;
}

}  // namespace emissary::test
