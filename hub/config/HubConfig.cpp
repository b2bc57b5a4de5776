// HubConfig.xml, read into layers and resolved (hub.md 13).
#include "hub/config/HubConfig.h"

#include "config/options/transport_options.h"
#include "hub/config/Resolver.h"
#include "hub/config/schema.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace emissary::hub {

using logging::LogSeverity;
using parameters::Configuration;

namespace {

/// Values of the command line, as a layer over the file.
class CommandLine {
public:
    CommandLine(Configuration& c, std::vector<logging::QueuedRecord>& records)
        : layer_(c.programmatic.emplace_back()), records_(records) {}

    void set(parameters::SectionMask section, const std::string& entry, const char* parameter, const std::string& value,
             const std::string& option) {
        const std::string place = "option " + option;
        const parameters::ConfigNode node{parameter, value, true, parameters::ConfigNode::Form::untyped, place, {}};
        (void)parameters::absorbParameter(schema(), node, section, layer_.entryFor(section, entry, place), records_);
    }
    void source(const std::string& text) {
        const auto equals = text.find('=');
        const std::string where = equals == std::string::npos ? text : text.substr(equals + 1);
        const std::string name = equals == std::string::npos ? text : text.substr(0, equals);
        const auto [host, port] = parameters::splitHostPort(where);
        if (name.empty() || host.empty() || port.empty())
            return records_.push_back(
                {LogSeverity::error, "option -source " + text + " is not written host:port or name=host:port"});
        if (std::ranges::find(sources_, name) != sources_.end())
            return records_.push_back({LogSeverity::error, "option -source " + text + ": there is a source [" + name +
                                                               "] already; give each a name of its own, or write a "
                                                               "ChannelSet into the file"});
        sources_.push_back(name);
        set(Section::source, name, "Channel", name, "-source");
        set(Section::channel, name, "Host", std::string(host), "-source");
        set(Section::channel, name, "Port", std::string(port), "-source");
    }

private:
    parameters::ConfigLayer& layer_;
    std::vector<logging::QueuedRecord>& records_;
    std::vector<std::string> sources_;  ///< names
};

}  // namespace

bool HubConfig::usable() const noexcept {
    return std::ranges::none_of(records, [](const auto& r) { return r.severity == LogSeverity::error; });
}

HubConfig readHubConfig(const std::string& path, const Overrides& overrides, TlsFiles tlsFiles) {
    HubConfig out;
    Configuration c;
    const char* const named = std::getenv(schema().fileVariable);
    std::error_code ec;
    // Without any file the defaults are meant, not missed.
    if (!path.empty() || (named != nullptr && *named != '\0') ||
        std::filesystem::exists(std::filesystem::symlink_status(schema().fileName, ec))) {
        if (const eta::Refused refused = parameters::loadConfigFile(schema(), path, c))
            c.records.push_back({LogSeverity::error, refused.text});
    }
    CommandLine line(c, c.records);
    for (const std::string& source : overrides.sources)
        line.source(source);
    if (!overrides.name.empty()) line.set(Section::hub, "", "Name", overrides.name, "-name");
    if (!overrides.httpPort.empty()) line.set(Section::hub, "", "HttpPort", overrides.httpPort, "-httpPort");
    const auto listener = [&](const char* parameter, const char* builtIn, const std::string& port, const char* option) {
        if (port.empty()) return;
        const auto* const value = c.value(Section::hub, "", parameter);
        const std::vector<std::string> names = parameters::splitList(value == nullptr ? "" : value->text);
        line.set(Section::server, names.empty() ? builtIn : names.front(), "Port", port, option);
    };
    listener("Listeners", "consumers", overrides.port, "-port");
    listener("NiListeners", "publishers", overrides.publisherPort, "-niPort");
    out.file = c.fileRead;
    Resolver resolver(c, tlsFiles);
    out.settings = resolver.settings(!overrides.sources.empty());
    out.records = resolver.takeRecords();
    out.values = resolver.takeValues();
    return out;
}

std::string HubConfig::text() const {
    return parameters::valuesAsText(values);
}

}  // namespace emissary::hub
