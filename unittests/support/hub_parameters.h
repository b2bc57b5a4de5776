// Files of a hub in which one parameter has another value than before, for each parameter that there is.
#pragma once

#include "hub/config/reload.h"
#include "hub/config/schema.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::test {

/// One parameter in one section, and two files that differ in it alone.
struct OneParameter {
    std::string section, entry, name;
    hub::Reload mark = hub::Reload::restart;
    std::string before, after;  ///< documents
};

/// Another value than the default, which the reader takes.
inline std::string otherValue(const parameters::Parameter& p) {
    using parameters::Kind;
    const std::string_view name = p.name;
    if (name == "ConflateTypes") return "0,1";
    if (name == "PostRights") return "none";
    if (name == "Cache") return "all";
    if (name == "Logger") return "L2";
    if (name == "ChannelSet") return "C2, C";
    if (name == "Sources") return "S";
    if (name == "Port") return "16000";
    if (name == "View") return "V";
    if (name == "OfferedRates") return "jit, 500";
    if (name == "ConnectionPingTimeout") return "30000";  // the wire has whole seconds
    const std::string was = p.defaultText;
    switch (p.kind) {
    case Kind::boolean:
        return was == "1" ? "0" : "1";
    case Kind::unsignedInteger:
    case Kind::integer: {
        if (was.empty()) return std::to_string(std::clamp<std::int64_t>(70'000, p.minimum, p.maximum));
        const std::int64_t n = std::stoll(was);
        return std::to_string(n < p.maximum ? n + 1 : n - 1);
    }
    case Kind::enumeration:
        for (const parameters::EnumName& e : p.enums->values)
            if (e.name != was && std::string_view(e.name) != "none") return e.name;
        return p.enums->values.front().name;
    case Kind::real:
        return "1.5";
    case Kind::text:
    case Kind::list:
        break;
    }
    return "other";
}

/// All of them but names of entries. `hub`: what the Hub entry of both files has beside. Entries of other sections are
/// named by something, so that they hold.
inline std::vector<OneParameter> allParameters(const std::string& hub) {
    using namespace hub;
    namespace Section = emissary::hub::Section;
    const auto named = [](const char* list, const char* entry, const std::string& name, const std::string& inside) {
        return std::string("<") + list + "Group><" + list + "List><" + entry + "><Name value=\"" + name + "\"/>" +
               inside + "</" + entry + "></" + list + "List></" + list + "Group>";
    };
    const std::string loggers =
        "<LoggerGroup><LoggerList><Logger><Name value=\"L\"/></Logger><Logger><Name value=\"L2\"/><LoggerSeverity "
        "value=\"Error\"/></Logger></LoggerList></LoggerGroup>";
    const auto documentOf = [&](parameters::SectionMask section, const std::string& inside, bool withSource) {
        const std::string channel = "<ChannelGroup><ChannelList><Channel><Name value=\"C\"/>" +
                                    (section == Section::channel ? inside : "") +
                                    "</Channel><Channel><Name value=\"C2\"/></Channel></ChannelList></ChannelGroup>";
        const std::string source =
            named("Source", "Source", "S", "<Channel value=\"C\"/>" + (section == Section::source ? inside : ""));
        std::string own = hub, rest;
        if (section == Section::hub) {
            own += inside;
            if (inside.find("<Logger ") != std::string::npos) rest = loggers;
        } else if (section == Section::server) {
            own = "<Listeners value=\"a\"/>" + own;
            rest = named("Server", "Server", "a", inside);
        } else if (section == Section::service)
            rest = named("Service", "Service", "F", inside) + (withSource ? source + channel : "");
        else if (section == Section::mesh) rest = "<Mesh>" + inside + "</Mesh>";
        else if (section == Section::userClass)
            rest = named("UserClass", "UserClass", "U", inside) + named("View", "View", "V", "<Fields value=\"1\"/>");
        else if (section == Section::view)
            rest = named("UserClass", "UserClass", "U", "<View value=\"V\"/>") + named("View", "View", "V", inside);
        else if (section == Section::source || section == Section::channel) rest = source + channel;
        else if (section == Section::logger) {
            own = "<Logger value=\"L\"/>" + own;
            rest = named("Logger", "Logger", "L", inside);
        } else if (section == parameters::Section::dictionary) {
            own = "<Dictionary value=\"D\"/>" + own;
            rest = named("Dictionary", "Dictionary", "D", inside);
        }
        return "<HubConfig><Hub>" + own + "</Hub>" + rest + "</HubConfig>\n";
    };
    const auto entryOf = [](parameters::SectionMask section) {
        return section == Section::hub         ? ""
               : section == Section::mesh      ? ""
               : section == Section::server    ? "a"
               : section == Section::service   ? "F"
               : section == Section::userClass ? "U"
               : section == Section::view      ? "V"
               : section == Section::source    ? "S"
               : section == Section::channel   ? "C"
               : section == Section::logger    ? "L"
                                               : "D";
    };
    std::vector<OneParameter> all;
    for (const parameters::SectionTitle& title : emissary::hub::schema().titles) {
        constexpr parameters::SectionMask kNested = Section::serviceInfo | Section::serviceState |
                                                    Section::serviceStatus | Section::serviceLoad | Section::qosEntry;
        if ((title.section & kNested) != 0) continue;  // compared as a whole
        for (const parameters::Parameter& p : emissary::hub::schema().parameters) {
            const std::string name = p.name;
            if ((p.sections & title.section) == 0 || (name == "Name" && title.section != Section::hub)) continue;
            if (hub.find("<" + name + " ") != std::string::npos && title.section == Section::hub) continue;
            OneParameter one;
            one.section = title.name;
            one.entry = entryOf(title.section);
            one.name = name;
            one.mark = emissary::hub::reloadMark(title.section, name).value_or(emissary::hub::Reload::restart);
            const std::string with = name == "ConflationInterval" ? "<Conflation value=\"interval\"/>"
                                     : name == "ExportInterval"   ? "<ExportConflation value=\"interval\"/>"
                                                                  : "";
            const bool isChannel = title.section == Section::source && name == "Channel";
            const bool isSet = title.section == Section::source && name == "ChannelSet";
            const bool withSource = name == "Sources";
            one.before =
                documentOf(title.section, with + (name == "Logger" ? "<Logger value=\"L\"/>" : ""), withSource);
            one.after = isChannel ? one.before
                                  : documentOf(title.section, with + "<" + name + " value=\"" + otherValue(p) + "\"/>",
                                               withSource);
            if (isChannel || isSet) {  // one of the two says which channels
                const std::string was = "<Channel value=\"C\"/>";
                one.after.replace(one.after.find(was), was.size(), isChannel ? "<Channel value=\"C2\"/>" : "");
            }
            if (name == "PublisherGroups")  // groups come from a check
                for (std::string* const document : {&one.before, &one.after})
                    document->replace(document->find("<Hub>"), 5,
                                      "<Hub><LoginCheck value=\"command\"/><LoginCommand value=\"/bin/cat\"/>");
            all.push_back(std::move(one));
        }
    }
    return all;
}

}  // namespace emissary::test
