// A folder of a test's own, and what is in its files.
#pragma once

#include "support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

namespace emissary::test {

/// A new empty folder that is the working directory until the end of the test.
class TestFolder {
public:
    TestFolder() : before_(std::filesystem::current_path()) {
        std::string name = (std::filesystem::temp_directory_path() / "emissary-test-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        folder_ = name;
        std::filesystem::current_path(folder_);
    }
    ~TestFolder() {
        std::error_code ec;
        std::filesystem::current_path(before_, ec);
        std::filesystem::remove_all(folder_, ec);
    }
    TestFolder(const TestFolder&) = delete;
    TestFolder& operator=(const TestFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return folder_; }
    static void write(const std::string& file, const std::string& content) {
        std::ofstream out(file, std::ios::binary);
        out << content;
        REQUIRE(out.good());
    }

private:
    std::filesystem::path before_, folder_;
};

[[nodiscard]] inline std::string contentOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    INFO(file);
    REQUIRE(in.good());
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace emissary::test
