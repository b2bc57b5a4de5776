// What the configuration tests share: files in a folder of their own, and questions about records.
#pragma once

#include "Access/Include/OmmException.h"
#include "config/Configuration.h"
#include "config/Resolver.h"

#include "support/TestFolder.h"
#include "support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::ema::test {

namespace fs = std::filesystem;
using emissary::test::contentOf, emissary::test::TestFolder;

/// Reads a document (without its root element) as ./EmaConfig.xml would be.
[[nodiscard]] inline Configuration readXml(const std::string& groups) {
    const TestFolder folder;
    TestFolder::write("EmaConfig.xml", "<EmaConfig>\n" + groups + "\n</EmaConfig>\n");
    Configuration c;
    loadConfigFile("", c);
    return c;
}

[[nodiscard]] inline bool holdsAll(std::string_view text, std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts)
        if (text.find(part) == std::string_view::npos) return false;
    return true;
}

/// Number of records of that severity that contain every part.
[[nodiscard]] inline std::size_t recordsWith(const std::vector<QueuedRecord>& records, LogSeverity severity,
                                             std::initializer_list<std::string_view> parts) {
    std::size_t n = 0;
    for (const QueuedRecord& r : records)
        n += r.severity == severity && holdsAll(r.text, parts);
    return n;
}

/// All records as one text, for messages of failed checks.
[[nodiscard]] inline std::string listed(const std::vector<QueuedRecord>& records) {
    std::string text;
    for (const QueuedRecord& r : records)
        text += std::to_string(static_cast<int>(r.severity)) + " " + r.text + "\n";
    return text;
}

struct Thrown {
    int type = -1;  ///< OmmException::ExceptionType, -1 = nothing was thrown
    std::string text;
};

template <class F>
[[nodiscard]] Thrown thrownBy(F&& call) {
    try {
        call();
    } catch (const refinitiv::ema::access::OmmException& e) { return {e.getExceptionType(), e.getText().c_str()}; }
    return {};
}

inline constexpr int kInvalidConfiguration = refinitiv::ema::access::OmmException::OmmInvalidConfigurationExceptionEnum;
inline constexpr int kInvalidUsage = refinitiv::ema::access::OmmException::OmmInvalidUsageExceptionEnum;

}  // namespace emissary::ema::test
