// What the logging tests share: a folder of their own, loggers, a sink that notes.
#pragma once

#include "parameters/Logger.h"

#include "support/StillClock.h"
#include "support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace emissary::parameters::test {

namespace fs = std::filesystem;
using emissary::test::StillClock;

/// A new empty folder that is the working directory until the end of the test.
class TestFolder {
public:
    TestFolder() : before_(fs::current_path()) {
        std::string name = (fs::temp_directory_path() / "emissary-log-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        folder_ = name;
        fs::current_path(folder_);
    }
    ~TestFolder() {
        std::error_code ec;
        fs::current_path(before_, ec);
        fs::remove_all(folder_, ec);
    }
    TestFolder(const TestFolder&) = delete;
    TestFolder& operator=(const TestFolder&) = delete;

private:
    fs::path before_, folder_;
};

[[nodiscard]] inline std::string contentOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    INFO(file);
    REQUIRE(in.good());
    return {std::istreambuf_iterator<char>(in), {}};
}

[[nodiscard]] inline std::size_t count(std::string_view text, std::string_view part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
        ++n;
    return n;
}

[[nodiscard]] inline std::string fileOfProcess(const std::string& base) {
    return base + "_" + std::to_string(getpid()) + ".log";
}

[[nodiscard]] inline std::shared_ptr<Logger> openLogger(const LoggerSettings& s,
                                                        const std::string& instance = "Consumer_1_1") {
    std::string file;
    eta::Refused refused;
    std::shared_ptr<Logger> logger = Logger::open(s, instance, file, refused);
    INFO(refused.text);
    REQUIRE(logger);
    return logger;
}

/// Keeps what it is given.
struct NotingSink : LogSink {
    struct Kept {
        LogSeverity severity;
        std::string instance, component, text;
    };
    void write(const LogRecord& r) override {
        const std::lock_guard guard(mutex);
        kept.push_back({r.severity, std::string(r.instance), std::string(r.component), std::string(r.text)});
    }
    std::mutex mutex;
    std::vector<Kept> kept;
};

[[nodiscard]] inline LoggerSettings to(std::shared_ptr<LogSink> sink) {
    LoggerSettings s;
    s.sink = std::move(sink);
    return s;
}

/// What standard error gets while this lives goes to a file.
class CapturedStderr {
public:
    explicit CapturedStderr(const std::string& file) : before_(dup(STDERR_FILENO)) {
        REQUIRE(before_ >= 0);
        std::FILE* const own = std::fopen(file.c_str(), "w");
        REQUIRE(own != nullptr);
        std::fflush(stderr);
        dup2(fileno(own), STDERR_FILENO);
        std::fclose(own);
    }
    ~CapturedStderr() {
        std::fflush(stderr);
        dup2(before_, STDERR_FILENO);
        close(before_);
    }
    CapturedStderr(const CapturedStderr&) = delete;
    CapturedStderr& operator=(const CapturedStderr&) = delete;

private:
    int before_;
};

}  // namespace emissary::parameters::test
