// hub/config: a folder for HubConfig.xml, and what was read from it.
#pragma once

#include "hub/config/HubConfig.h"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>

namespace emissary::test {

using namespace hub;
namespace fs = std::filesystem;

/// A new empty folder that is the working directory until the end of the test.
class Folder {
public:
    Folder() : before_(fs::current_path()) {
        std::string name = (fs::temp_directory_path() / "emissary-hub-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        folder_ = name;
        fs::current_path(folder_);
        unsetenv("EMISSARY_HUB_CONFIG");
    }
    ~Folder() {
        std::error_code ec;
        fs::current_path(before_, ec);
        fs::remove_all(folder_, ec);
        unsetenv("EMISSARY_HUB_CONFIG");
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    static void write(const std::string& file, const std::string& content) { std::ofstream(file) << content; }

private:
    fs::path before_, folder_;
};

inline HubConfig read(const std::string& groups, const Overrides& overrides = {}) {
    Folder::write("hub.xml", "<HubConfig>\n" + groups + "\n</HubConfig>\n");
    return readHubConfig("hub.xml", overrides);
}

/// A line for each record of that severity.
inline std::string recordsOf(const HubConfig& c, logging::LogSeverity severity) {
    std::string all;
    for (const auto& r : c.records)
        if (r.severity == severity) all += r.text + "\n";
    return all;
}
inline std::string errorsOf(const HubConfig& c) {
    return recordsOf(c, logging::LogSeverity::error);
}
inline std::string warningsOf(const HubConfig& c) {
    return recordsOf(c, logging::LogSeverity::warning);
}

/// The configuration is refused, once, with a sentence that has all these parts.
inline void refused(const HubConfig& c, std::initializer_list<const char*> parts) {
    const std::string errors = errorsOf(c);
    INFO(errors);
    CHECK_FALSE(c.usable());
    CHECK(std::count(errors.begin(), errors.end(), '\n') == 1);
    for (const char* part : parts) {
        INFO(part);
        CHECK(errors.find(part) != std::string::npos);
    }
}

inline const EffectiveValue* valueOf(const HubConfig& c, const std::string& section, const std::string& parameter) {
    for (const EffectiveValue& v : c.values)
        if (v.section == section && v.parameter == parameter) return &v;
    return nullptr;
}

}  // namespace emissary::test
