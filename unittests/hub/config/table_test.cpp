// The table of the hub's parameters, and the page made from it.
#include "hub/config/HubConfig.h"
#include "hub/config/schema.h"

#include "config/layers/Configuration.h"
#include "support/catch.hpp"
#include "support/paths.h"

#include <fstream>
#include <iterator>
#include <set>

using namespace emissary;
using namespace emissary::hub;
using parameters::Kind;
using parameters::Parameter;

TEST_CASE("every section of HubConfig.xml has no parameter twice", "[hub][config]") {
    for (const parameters::SectionTitle& title : schema().titles) {
        std::set<std::string> names;
        for (const Parameter& p : schema().parameters) {
            if ((p.sections & title.section) == 0) continue;
            INFO(title.name << " / " << p.name);
            CHECK(names.insert(p.name).second);
            CHECK(schema().find(title.section, p.name) == &p);
        }
        CHECK_FALSE(names.empty());
    }
}

TEST_CASE("every default is a value that the reader takes without a word", "[hub][config]") {
    for (const parameters::SectionTitle& title : schema().titles)
        for (const Parameter& p : schema().parameters) {
            if ((p.sections & title.section) == 0 || *p.defaultText == '\0') continue;
            INFO(title.name << " / " << p.name);
            const parameters::ConfigNode node{
                p.name, p.defaultText, true, parameters::ConfigNode::Form::untyped, "here", {}};
            parameters::ConfigEntry entry;
            std::vector<logging::QueuedRecord> records;
            CHECK(parameters::absorbParameter(schema(), node, title.section, entry, records));
            CHECK(records.empty());
            const parameters::ConfigValue* const v = entry.find(p.name);
            REQUIRE(v != nullptr);
            CHECK(parameters::isDefault(p, v->number, v->text));
        }
}

TEST_CASE("the parameters of hub.md 13 are all there", "[hub][config]") {
    struct Row {
        parameters::SectionMask section;
        std::initializer_list<const char*> names;
    };
    const Row rows[] = {{Section::hub,
                         {"Name",
                          "AnnounceName",
                          "Listeners",
                          "NiListeners",
                          "Threads",
                          "ThreadBind",
                          "Dictionary",
                          "HttpPort",
                          "HttpAddress",
                          "SupportOMMPost",
                          "SupportStandby",
                          "RttInterval",
                          "LoginCheckTimeout",
                          "MaxConnections",
                          "MaxConnectionsPerAddress",
                          "MaxLoginsPerUser",
                          "LoginProbeTime",
                          "MaxMountsPerUser",
                          "MaxMountsPerClient",
                          "RequestsPerSecondPerClient",
                          "MaxOutstandingPosts",
                          "PostAckTimeout",
                          "ConflateAbove",
                          "ConflateBelow",
                          "DisconnectAbove",
                          "SlowClientTimeout",
                          "RefreshPartBytes",
                          "MaxBatchItems",
                          "StatusRate",
                          "DrainTimeout",
                          "AllowTunnels"}},
                        {Section::service, {"Name",          "ServiceId",      "Static",
                                            "Sources",       "SourceMode",     "FailBack",
                                            "Cache",         "MaxItems",       "MaxBytes",
                                            "ExpireAfter",   "DropOldest",     "UnknownItem",
                                            "TemplateFile",  "KeepServiceUp",  "DeleteLostServices",
                                            "PublisherMode", "PublisherOrder", "RepublishTimeout",
                                            "ItemLinger",    "NegativeCache",  "AddUnknownFields",
                                            "SeqNumGaps",    "ForwardPosts",   "ForwardGenerics",
                                            "PostRights",    "OpenWindow",     "OpenLimit"}},
                        {Section::source,
                         {"Channel", "ChannelSet", "UserName", "ApplicationId", "Position", "RequestRate",
                          "RequestTimeout", "MaxItemsPerSource", "ReconnectMinDelay", "ReconnectMaxDelay"}}};
    for (const Row& row : rows)
        for (const char* name : row.names) {
            INFO(schema().title(row.section) << " / " << name);
            CHECK(schema().find(row.section, name) != nullptr);
        }
    CHECK(schema().find(Section::channel, "RecvAddress") == nullptr);  // no multicast
}

TEST_CASE("docs/hub-config.md is what the table says", "[hub][config]") {
    std::ifstream in(test::sourcePath("/docs/hub-config.md"), std::ios::binary);
    REQUIRE(in.good());
    INFO("run generate_hub_config_doc > docs/hub-config.md");
    CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == referenceAsMarkdown());
}
