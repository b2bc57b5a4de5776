// EmaConfig.xml files for tests: the groups that most of them need, each written in one place.
#pragma once
#include "support/paths.h"

#include "Access/Include/EmaString.h"

#include <atomic>
#include <cstdio>
#include <fstream>
#include <initializer_list>
#include <string>
#include <unistd.h>

namespace emissary::test {

/// A file that lives as long as this object, in the working directory, under a name that no other test has.
class EmaConfigFile {
public:
    explicit EmaConfigFile(const std::string& groups) {
        static std::atomic<int> number{0};
        path_ = "test_config_" + std::to_string(::getpid()) + "_" + std::to_string(++number) + ".xml";
        std::ofstream(path_) << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<EmaConfig>\n"
                             << groups << "</EmaConfig>\n";
    }
    ~EmaConfigFile() { std::remove(path_.c_str()); }
    EmaConfigFile(const EmaConfigFile&) = delete;
    EmaConfigFile& operator=(const EmaConfigFile&) = delete;
    [[nodiscard]] refinitiv::ema::access::EmaString path() const {
        return refinitiv::ema::access::EmaString(path_.c_str());
    }

private:
    std::string path_;
};

/// The groups, each with one section, the default one where there is such a thing, which has the name of its kind
/// ("Consumer", "Server"...). `parameters` are elements of that section.
namespace config {

[[nodiscard]] inline std::string section(const std::string& kind, const std::string& parameters) {
    const bool hasDefault = kind.ends_with("Consumer") || kind.ends_with("Provider") || kind == "Directory";
    const std::string name = kind == "IProvider" ? "Provider" : kind;
    return "<" + kind + "Group>" + (hasDefault ? "<Default" + kind + " value=\"" + name + "\"/>" : "") + "<" + kind +
           "List><" + kind + "><Name value=\"" + name + "\"/>\n  " + parameters + "\n</" + kind + "></" + kind +
           "List></" + kind + "Group>\n";
}
[[nodiscard]] inline std::string parameter(const std::string& name, const std::string& value) {
    return "<" + name + " value=\"" + value + "\"/>";
}
[[nodiscard]] inline std::string consumer(const std::string& parameters,
                                          const std::string& connection = R"(<Channel value="Channel"/>)") {
    return section("Consumer", connection + R"(<Dictionary value="Dictionary"/><Logger value="Logger"/>)" + parameters);
}
[[nodiscard]] inline std::string provider(const std::string& parameters) {
    return section("IProvider",
                   R"(<Server value="Server"/><Directory value="Directory"/><Logger value="Logger"/>)" + parameters);
}
[[nodiscard]] inline std::string niProvider(const std::string& parameters) {
    return section("NiProvider",
                   R"(<Channel value="Channel"/><Directory value="Directory"/><Logger value="Logger"/>)" + parameters);
}
[[nodiscard]] inline std::string channel(const std::string& type, const std::string& parameters) {
    return section("Channel", parameter("ChannelType", "ChannelType::" + type) + parameters);
}
/// On a port that the system chooses.
[[nodiscard]] inline std::string server(const std::string& parameters) {
    return section("Server", R"(<ServerType value="ServerType::RSSL_SOCKET"/><Port value="0"/>)" + parameters);
}
inline const std::string kSilent =
    R"(<LoggerType value="LoggerType::Stdout"/><LoggerSeverity value="LoggerSeverity::NoLogMsg"/>)";
[[nodiscard]] inline std::string logger(const std::string& parameters = kSilent) {
    return section("Logger", parameters);
}
[[nodiscard]] inline std::string dictionary(const std::string& fieldFile = sourcePath("/etc/RDMFieldDictionary"),
                                            const std::string& enumFile = sourcePath("/etc/enumtype.def"),
                                            const std::string& type = "FileDictionary") {
    return section("Dictionary", parameter("DictionaryType", "DictionaryType::" + type) +
                                     parameter("RdmFieldDictionaryFileName", fieldFile) +
                                     parameter("EnumTypeDefFileName", enumFile));
}
/// `capabilities`: names of domains, such as MMT_MARKET_PRICE. A service that provides its dictionary is an interactive
/// one.
[[nodiscard]] inline std::string directory(const std::string& service, unsigned id,
                                           std::initializer_list<const char*> capabilities, bool providesDictionary) {
    std::string out = "<Service><Name value=\"" + service + "\"/>\n    <InfoFilter>" +
                      parameter("ServiceId", std::to_string(id)) + "<Capabilities>";
    for (const char* domain : capabilities)
        out += parameter("CapabilitiesEntry", domain);
    out += "</Capabilities>";
    if (providesDictionary)
        out += "<DictionariesProvided><DictionariesProvidedEntry value=\"Dictionary\"/></DictionariesProvided>";
    out += "<DictionariesUsed><DictionariesUsedEntry value=\"Dictionary\"/></DictionariesUsed>";
    if (providesDictionary)
        out +=
            R"(<QoS><QoSEntry><Timeliness value="Timeliness::RealTime"/><Rate value="Rate::TickByTick"/></QoSEntry></QoS>)";
    out += R"(</InfoFilter><StateFilter><ServiceState value="1"/>)";
    if (providesDictionary) out += R"(<AcceptingRequests value="1"/>)";
    return section("Directory", out + "</StateFilter></Service>");
}

}  // namespace config

}  // namespace emissary::test
