// The defaults of the table are those of the settings: a file that writes all of them says what an empty one says.
#include "config/layers/Configuration.h"
#include "hub/config/HubConfig.h"
#include "hub/config/schema.h"
#include "support/catch.hpp"
#include "support/same.h"

#include <filesystem>
#include <fstream>

using namespace emissary;
using namespace emissary::hub;
using parameters::Parameter;
using parameters::SectionMask;
using test::same;

namespace {

[[nodiscard]] HubSettings settingsOf(const std::string& groups) {
    const std::string file =
        (std::filesystem::temp_directory_path() / ("emissary-defaults-" + std::to_string(getpid()))).string();
    std::ofstream(file) << "<HubConfig>\n" << groups << "\n</HubConfig>\n";
    const HubConfig c = readHubConfig(file, {});
    std::filesystem::remove(file);
    for (const auto& r : c.records)
        UNSCOPED_INFO(r.text);
    REQUIRE(c.usable());
    return c.settings;
}

/// The section with one entry, and in it what it needs.
struct Place {
    SectionMask section;
    std::string before, after;  ///< of the parameters
};

/// Written or not makes a difference, as the page says: a port has the Hub's bounds; output without a maximum of its
/// own has the guaranteed one; a log file without a limit of its own goes on in another.
[[nodiscard]] bool isSaidBefore(SectionMask section, std::string_view name) {
    return (section == Section::server && (name == "MaxConnections" || name == "MaxConnectionsPerAddress")) ||
           name == "MaxOutputBuffers" || name == "MaxLogFileSize";
}

}  // namespace

TEST_CASE("every default of the table is the default of the settings", "[hub][config]") {
    const std::string channel = "<ChannelGroup><ChannelList><Channel><Name value=\"C\"/>";
    const std::string sources = "<SourceGroup><SourceList><Source><Name value=\"S\"/><Channel value=\"C\"/>";
    const Place places[] = {
        {Section::hub, "<Hub>", "</Hub>"},
        {Section::server, "<Hub><Listeners value=\"a\"/></Hub><ServerGroup><ServerList><Server><Name value=\"a\"/>",
         "</Server></ServerList></ServerGroup>"},
        {Section::source, channel + "</Channel></ChannelList></ChannelGroup>" + sources,
         "</Source></SourceList></SourceGroup>"},
        {Section::channel, sources + "</Source></SourceList></SourceGroup>" + channel,
         "</Channel></ChannelList></ChannelGroup>"},
        {Section::service, "<ServiceGroup><ServiceList><Service><Name value=\"F\"/>",
         "</Service></ServiceList></ServiceGroup>"},
        {Section::logger, "<Hub><Logger value=\"L\"/></Hub><LoggerGroup><LoggerList><Logger><Name value=\"L\"/>",
         "</Logger></LoggerList></LoggerGroup>"}};
    for (const Place& place : places) {
        const HubSettings without = settingsOf(place.before + place.after);
        std::size_t tried = 0;
        for (const Parameter& p : schema().parameters) {
            if ((p.sections & place.section) == 0 || *p.defaultText == '\0' || isSaidBefore(place.section, p.name))
                continue;
            INFO(schema().title(place.section) << " / " << p.name << " = " << p.defaultText);
            const HubSettings with =
                settingsOf(place.before + "<" + p.name + " value=\"" + p.defaultText + "\"/>" + place.after);
            std::string where;
            const bool unchanged = same(without, with, where, "settings");
            INFO("field " << where);
            CHECK(unchanged);
            ++tried;
        }
        INFO(schema().title(place.section));
        CHECK(tried > 3);
    }
}
