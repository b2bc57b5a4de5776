// What was configured, before it is resolved for one instance: entries of parameters in layers (file below, then the
// environment, programmatic maps above in call order). Reading never throws for a bad value: it is reported as a record
// and left out.
#pragma once

#include "config/schema/Parameter.h"
#include "eta/core/Refused.h"
#include "logging/Record.h"

#include <map>
#include <string>
#include <vector>

namespace emissary::parameters {

using logging::LogSeverity, logging::QueuedRecord;

/// A configuration document as read, before it is checked: XML elements, or a programmatic Map in the same shape.
struct ConfigNode {
    /// Type of a programmatic element; what comes from a file has none.
    enum class Form : std::uint8_t { untyped, text, unsignedInteger, integer, real, enumeration };
    std::string name, value;
    bool hasValue = false;
    Form form = Form::untyped;
    std::string place;  ///< "EmaConfig.xml:17", "programmatic configuration"
    std::vector<ConfigNode> children;
    bool reported = false;  ///< why it has no value has a record
    [[nodiscard]] const ConfigNode* child(std::string_view childName) const noexcept;
};

/// One checked value. Numbers, flags and enumerations are in `number` (reals in `real`).
struct ConfigValue {
    std::string text;
    std::int64_t number = 0;
    double real = 0;
    std::string place;
};

/// The parameters of one named entry (or of one filter of a service).
struct ConfigEntry {
    std::string name, place;
    std::map<std::string, ConfigValue, std::less<>> values;
    std::vector<ConfigNode> nested;  ///< elements that a reader of their own checks: a Directory's services
    [[nodiscard]] const ConfigValue* find(std::string_view parameter) const noexcept;
};

/// One source of configuration.
class ConfigLayer {
public:
    /// Checks a whole document against the parameter table; what is wrong goes to `records` and is left out.
    void absorb(const Schema& schema, const ConfigNode& root, std::vector<QueuedRecord>& records);

    [[nodiscard]] const ConfigEntry* find(SectionMask section, std::string_view name) const noexcept;
    [[nodiscard]] const std::vector<ConfigEntry>& entries(SectionMask section) const noexcept;
    /// What a group's default element names (DefaultConsumer); null when not given.
    [[nodiscard]] const ConfigValue* defaultName(std::string_view element) const noexcept;
    [[nodiscard]] bool empty() const noexcept { return sections_.empty() && defaults_.empty(); }
    /// The entry of that name, new when there was none.
    ConfigEntry& entryFor(SectionMask section, const std::string& name, const std::string& place);
    void setDefaultName(const std::string& element, ConfigValue value);

private:
    void absorbGroup(const Schema& schema, const ConfigNode& group, const EntryGroup& shape,
                     std::vector<QueuedRecord>& records);
    void absorbEntry(const Schema& schema, const ConfigNode& node, const EntryGroup& shape,
                     std::vector<QueuedRecord>& records);
    struct Entries {
        std::vector<ConfigEntry> list;  // in the order of the document
        std::map<std::string, std::size_t, std::less<>> byName;
    };
    std::map<SectionMask, Entries> sections_;
    std::map<std::string, ConfigValue, std::less<>> defaults_;
};

/// Checks one parameter element of a section and stores it; false when it was refused (a record says why).
bool absorbParameter(const Schema& schema, const ConfigNode& node, SectionMask section, ConfigEntry& into,
                     std::vector<QueuedRecord>& records);

/// A variable of the environment whose name begins with EMISSARY_.
struct EnvironmentVariable {
    std::string name, value;
};

/// All layers of one config object.
struct Configuration {
    ConfigLayer file;
    ConfigLayer environment;                     ///< fitted to the entries when an instance is resolved
    std::vector<EnvironmentVariable> variables;  ///< read with the file, not fitted to entries yet
    std::vector<ConfigLayer> programmatic;       ///< in call order; later ones win
    std::vector<QueuedRecord> records;
    std::string fileRead;  ///< path of the file; empty: none was there

    /// Strongest value of a parameter, or null.
    [[nodiscard]] const ConfigValue* value(SectionMask section, std::string_view entry,
                                           std::string_view parameter) const noexcept;
    /// Channel or ChannelSet of an instance section: of the strongest source that has either. In the file Channel wins
    /// over ChannelSet, programmatically the one added last.
    [[nodiscard]] const ConfigValue* channels(SectionMask section, std::string_view entry) const noexcept;
    [[nodiscard]] bool has(SectionMask section, std::string_view entry) const noexcept;
    [[nodiscard]] const ConfigValue* defaultName(std::string_view element) const noexcept;
    /// Strongest entry of that name (for what is taken whole, such as a Directory's services).
    [[nodiscard]] const ConfigEntry* entry(SectionMask section, std::string_view name) const noexcept;
};

/// Reads the product's file as ema-config.md section 2 says: `path` empty = what the schema's variable names, or else
/// the working directory's file (missing: defaults plus a record), a directory, or a file. Refused when an explicit
/// path cannot be used.
[[nodiscard]] eta::Refused loadConfigFile(const Schema& schema, const std::string& path, Configuration& into);

/// The parameters of one entry with their table types; a missing one leaves the target as it is. Lives as long as the
/// configuration and the name.
class Reader {
public:
    Reader(const Configuration& c, SectionMask section, std::string_view entry)
        : c_(c), section_(section), entry_(entry) {}

    [[nodiscard]] const ConfigValue* find(std::string_view parameter) const {
        return c_.value(section_, entry_, parameter);
    }
    void text(const char* parameter, std::string& out) const {
        if (const ConfigValue* v = find(parameter)) out = v->text;
    }
    template <class T>
    void number(const char* parameter, T& out) const {
        if (const ConfigValue* v = find(parameter)) out = static_cast<T>(v->number);
    }
    void flag(const char* parameter, bool& out) const {
        if (const ConfigValue* v = find(parameter)) out = v->number != 0;
    }

private:
    const Configuration& c_;
    SectionMask section_;
    std::string_view entry_;
};

/// Comma-separated list, blanks around the parts removed.
[[nodiscard]] std::vector<std::string> splitList(std::string_view text);

}  // namespace emissary::parameters
