// What the logging tests share: a folder of their own, loggers, a sink that notes.
#pragma once

#include "logging/Logger.h"

#include "support/StillClock.h"
#include "support/TestFolder.h"
#include "support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace emissary::logging::test {

namespace fs = std::filesystem;
using emissary::test::contentOf, emissary::test::StillClock, emissary::test::TestFolder;

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

}  // namespace emissary::logging::test
