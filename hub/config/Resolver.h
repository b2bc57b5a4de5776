// Checked layers to the settings of one hub. Everything that is wrong is reported once, with the place where it was
// said.
#pragma once

#include "hub/config/HubConfig.h"

#include "config/options/services.h"

#include <map>
#include <set>

namespace emissary::hub {

/// Conflation and ConflationInterval of a Service or Server entry.
void readConflation(const parameters::Reader& r, Conflation& out);
/// MaxUpdateRate and MaxByteRate of a Server or UserClass entry.
void readLimit(const parameters::Reader& r, OutputLimit& out);

/// Made for one configuration, used once.
class Resolver {
public:
    explicit Resolver(const parameters::Configuration& configuration, TlsFiles tlsFiles)
        : c_(configuration), records_(configuration.records), tlsFiles_(tlsFiles) {}

    /// `sourcesOfCommandLine`: those of the file are left out.
    [[nodiscard]] HubSettings settings(bool sourcesOfCommandLine);
    [[nodiscard]] std::vector<logging::QueuedRecord> takeRecords() { return std::move(records_); }
    [[nodiscard]] std::vector<EffectiveValue> takeValues() { return std::move(values_); }

private:
    void readHub(HubSettings& s);
    void readPagesAccess(HubSettings& s);
    void readAccess(AccessSettings& s);
    void readCommand(AccessSettings& s);
    void readAudit(AuditSettings& s);
    void readUsage(UsageSettings& s);
    /// After services, which it looks at.
    void readMesh(HubSettings& s);
    [[nodiscard]] std::string firstLine(const char* parameter);
    void readLog(HubSettings& s);
    void readDictionary(HubSettings& s);
    void readListeners(const char* parameter, const char* builtIn, const char* defaultPort,
                       std::vector<ListenerSettings>& out);
    /// What both lists have to do with each other.
    void checkListeners(const HubSettings& s);
    /// Entries that nothing names.
    void checkUnused(const HubSettings& s);
    void checkPorts(const HubSettings& s);
    /// The marks of slow clients rise: those of the hub, or those in effect at a port.
    void checkSlow(const SlowLimits& limits, parameters::SectionMask section, const std::string& entry);
    /// Of a Server or Service entry; an error where nobody has groups.
    [[nodiscard]] std::vector<std::string> publisherGroups(parameters::SectionMask section, const std::string& entry);
    [[nodiscard]] ListenerSettings listener(const std::string& name, const char* defaultPort);
    void readWeb(const parameters::Reader& r, ListenerSettings& s);
    void readCookieLogin(ListenerSettings& s);
    void readSources(HubSettings& s, bool ofCommandLine);
    [[nodiscard]] SourceSettings source(const std::string& name, const std::string& place);
    void readChannel(const std::string& name, const parameters::ConfigValue& referredBy, SourceSettings& out);
    void readServices(HubSettings& s);
    void readUserClasses(HubSettings& s);
    /// The View entry that a UserClass entry names.
    void readView(const std::string& userClass, UserClassSettings& out);
    void readViews();
    /// Rules for the rate of updates, and how many there are together.
    void checkConflation(const HubSettings& s);
    void checkLimits(const HubSettings& s);
    [[nodiscard]] ServiceSettings service(const parameters::ConfigEntry& entry, const HubSettings& s);
    void readOfferedRates(const parameters::ConfigEntry& entry, ServiceSettings& out);
    void readDelay(const parameters::ConfigEntry& entry, ServiceSettings& out);
    void checkDelays(const HubSettings& s);
    void readFixed(const parameters::ConfigEntry& entry, ServiceSettings& out);
    void readCache(const parameters::ConfigValue& value, CachePolicy& out);
    /// Bit n: type n is in the list.
    [[nodiscard]] std::uint64_t updateTypes(const parameters::ConfigValue& value);
    void readPostRights(const parameters::ConfigValue& value, ServiceSettings& out);

    /// Certificate and key of an encrypted port, as its listener reads them.
    void checkCertificate(const ListenerSettings& s);
    void warning(const std::string& text, const std::string& place);
    void error(const std::string& text, const std::string& place);
    void checkFile(const std::string& path, const std::string& what, const std::string& place);
    /// `place`: of the parameter; empty: in the Hub section.
    void checkWritable(const std::string& folder, const char* parameter, const std::string& place = {});
    void checkFolder(const std::string& fileName, const std::string& logger);
    void checkPort(const std::string& port, const std::string& what, const std::string& place);
    /// Lists an entry's values for --print-config.
    void show(parameters::SectionMask section, const std::string& entry, const char* defaultPort = "");
    [[nodiscard]] std::string placeOf(parameters::SectionMask section, std::string_view entry,
                                      std::string_view parameter) const;
    [[nodiscard]] std::vector<std::string> names(parameters::SectionMask section) const;
    [[nodiscard]] std::string text(parameters::SectionMask section, std::string_view entry,
                                   std::string_view parameter) const;

    const parameters::Configuration& c_;
    std::vector<logging::QueuedRecord> records_;
    TlsFiles tlsFiles_;
    std::vector<EffectiveValue> values_;
    std::set<std::pair<parameters::SectionMask, std::string>> shown_;
    std::map<std::string, std::vector<std::string>> views_;  // fields by the names of View entries
};

}  // namespace emissary::hub
