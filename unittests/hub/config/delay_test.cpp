// Entries of delayed services: what is read, and what is refused with its place and what to do.
#include "hub/config/HubConfig.h"
#include "perftools/TempDir.h"
#include "support/catch.hpp"

using namespace emissary::hub;
using emissary::logging::LogSeverity;

namespace {

struct DelayConfig {
    emissary::perf::test::TempDir dir;
    /// The entry of service LATER, from line 3 on; `more`: other entries.
    [[nodiscard]] HubConfig read(const std::string& parameters, const std::string& more = "") const {
        return readHubConfig(
            dir.write("hub.xml", "<HubConfig><ServiceGroup><ServiceList>\n<Service><Name value=\"LATER\"/>\n" +
                                     parameters + "\n</Service>" + more +
                                     "</ServiceList></ServiceGroup></HubConfig>\n"),
            {});
    }
    [[nodiscard]] static std::string said(const HubConfig& c, LogSeverity severity = LogSeverity::error) {
        std::string all;
        for (const auto& r : c.records)
            if (r.severity == severity) all += r.text + "\n";
        return all;
    }
};

}  // namespace

TEST_CASE("a service is another one some time ago when its entry says so", "[hub][config][delay]") {
    const DelayConfig t;
    CHECK_FALSE(t.read("").settings.services.at(0).delay);
    const HubConfig least = t.read(R"(<DelayOf value="FAST"/>)");
    CHECK(DelayConfig::said(least).empty());
    const ServiceSettings& s = least.settings.services.at(0);
    REQUIRE(s.delay);
    CHECK(s.delay->of == "FAST");
    CHECK(s.delay->time.count() == 900);
    CHECK(s.delay->memoryBytes == 256u << 20);
    CHECK(s.delay->fileBytes == 0);
    CHECK(s.cache.rule == CachePolicy::Rule::all);
    const HubConfig all = t.read(R"(<DelayOf value="FAST"/><DelayTime value="60"/><DelayMemoryBytes value="2000000"/>)"
                                 R"(<DelayFolder value=")" +
                                 t.dir.file("") + R"("/><DelayFileBytes value="5000000"/><DelayItems value="A, B"/>)");
    CHECK(DelayConfig::said(all).empty());
    const DelaySettings& d = *all.settings.services.at(0).delay;
    CHECK(d.time.count() == 60);
    CHECK(d.memoryBytes == 2'000'000);
    CHECK(d.fileBytes == 5'000'000);
    CHECK(d.folder == t.dir.file(""));
    CHECK(d.items == std::vector<std::string>{"A", "B"});
}

TEST_CASE("an entry of a delayed service that contradicts itself is refused, with place and remedy",
          "[hub][config][delay]") {
    const DelayConfig t;
    const auto refused = [&](const std::string& parameters, const std::string& text, const std::string& more = "") {
        INFO(parameters);
        const HubConfig c = t.read(parameters, more);
        CHECK_FALSE(c.usable());
        INFO(DelayConfig::said(c));
        CHECK(DelayConfig::said(c).find(text) != std::string::npos);
        CHECK(DelayConfig::said(c).find("hub.xml:3") != std::string::npos);
    };
    const std::string of = R"(<DelayOf value="FAST"/>)";
    refused(R"(<DelayOf value="LATER"/>)", "names the service itself");
    refused(of + R"(<Cache value="none"/>)", "leave Cache out, or write all");
    refused(of + R"(<DelayFileBytes value="5000000"/>)", "needs DelayFolder, the folder of the file");
    refused(of + R"(<DelayFolder value=")" + t.dir.file("") + R"("/>)", "needs DelayFileBytes");
    refused(of + R"(<DelayFileBytes value="5000000"/><DelayFolder value="/nowhere/at/all"/>)",
            "DelayFolder: files cannot be made in [/nowhere/at/all]: No such file or directory");
    refused(R"(<DelayOf value="B"/>)", "[B], which is delayed itself; name the original, [A]",
            R"(<Service><Name value="B"/><DelayOf value="A"/></Service>)");
    const HubConfig alone = t.read(R"(<DelayTime value="60"/>)");
    CHECK(alone.usable());
    CHECK(DelayConfig::said(alone, LogSeverity::warning)
              .find("DelayTime of Service [LATER] has no effect without DelayOf") != std::string::npos);
}
