// Folders of the audit log and of the use of items: what is read, and what is refused with its place.
#include "hub/config/HubConfig.h"
#include "perftools/TempDir.h"
#include "support/catch.hpp"

using namespace emissary::hub;
using emissary::logging::LogSeverity;

namespace {

struct RecordsConfig {
    emissary::perf::test::TempDir dir;
    [[nodiscard]] HubConfig read(const std::string& parameters) const {
        return readHubConfig(dir.write("hub.xml", "<HubConfig><Hub>\n" + parameters + "\n</Hub></HubConfig>\n"), {});
    }
    [[nodiscard]] static std::string errorsOf(const HubConfig& c) {
        std::string all;
        for (const auto& r : c.records)
            if (r.severity == LogSeverity::error) all += r.text + "\n";
        return all;
    }
};

}  // namespace

TEST_CASE("the audit log and the use of items are off unless a folder is named", "[hub][config]") {
    const RecordsConfig t;
    const HubConfig none = t.read("");
    CHECK(none.settings.audit.folder.empty());
    CHECK(none.settings.usage.folder.empty());
    const std::string folder = t.dir.file("");
    const HubConfig all = t.read("<AuditFolder value=\"" + folder +
                                 "\"/><AuditFileBytes value=\"5000\"/><AuditFiles value=\"7\"/>"
                                 "<AuditSync value=\"every\"/><AuditQueueBytes value=\"70000\"/><UsageFolder value=\"" +
                                 folder + "\"/><UsageInterval value=\"5\"/><UsageRows value=\"9\"/>");
    CHECK(RecordsConfig::errorsOf(all).empty());
    CHECK(all.settings.audit.folder == folder);
    CHECK(all.settings.audit.fileBytes == 5000);
    CHECK(all.settings.audit.files == 7);
    CHECK(all.settings.audit.sync == AuditSettings::Sync::every);
    CHECK(all.settings.audit.queueBytes == 70'000);
    CHECK(all.settings.usage.folder == folder);
    CHECK(all.settings.usage.interval.count() == 5);
    CHECK(all.settings.usage.rows == 9);
}

TEST_CASE("a folder that is not there, or is none, is an error with its line", "[hub][config]") {
    const RecordsConfig t;
    const std::string missing = t.dir.file("missing"), file = t.dir.write("file", "");
    for (const char* const parameter : {"AuditFolder", "UsageFolder"}) {
        INFO(parameter);
        const auto errors = [&](const std::string& folder) {
            const HubConfig c = t.read("\n<" + std::string(parameter) + " value=\"" + folder + "\"/>");
            CHECK_FALSE(c.usable());
            return RecordsConfig::errorsOf(c);
        };
        const std::string absent = errors(missing);
        INFO(absent);
        CHECK(absent.find(std::string(parameter) + ": files cannot be made in [" + missing +
                          "]: No such file or directory") != std::string::npos);
        CHECK(absent.find("hub.xml:3") != std::string::npos);
        CHECK(errors(file).find("Not a directory") != std::string::npos);
    }
}
