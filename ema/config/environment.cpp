// ema/config: EmaConfig.xml, and environment variables to a layer of configuration over it (docs/config.md,
// "Environment variables").
#include "environment.h"

#include "errors/raise.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <unordered_set>

namespace emissary::ema {

namespace {

constexpr std::string_view kPrefix = "EMISSARY_", kFile = "EMISSARY_CONFIG";

/// Words that may follow the prefix, and the built-in entry that exists without being configured.
struct Group {
    const char* word;
    SectionMask section;
    const char* builtIn;
};
constexpr Group kGroups[] = {{"CONSUMER", Section::consumer, "EmaConsumer"},
                             {"NIPROVIDER", Section::niProvider, "EmaNiProvider"},
                             {"IPROVIDER", Section::iProvider, "EmaIProvider"},
                             {"CHANNEL", Section::channel, ""},
                             {"SERVER", Section::server, ""},
                             {"LOGGER", Section::logger, ""},
                             {"DICTIONARY", Section::dictionary, ""},
                             {"WARMSTANDBYSERVERINFO", Section::warmStandbyServer, ""},
                             {"WARMSTANDBYCHANNEL", Section::warmStandbyChannel, ""},
                             {"SESSIONCHANNEL", Section::sessionChannel, ""},
                             {"GLOBALCONFIG", Section::global, ""}};
/// Variables for the hub, scripts and tests of this project; they configure no instance.
constexpr std::string_view kOfScripts[] = {"BIN", "PORT", "DICTIONARY_DIR", "HUB_CONFIG"};
constexpr const char* kDefaults[] = {"DefaultConsumer", "DefaultNiProvider", "DefaultIProvider", "DefaultDirectory"};

char upper(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
}

std::string upper(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](char c) { return upper(c); });
    return out;
}

std::string place(const EnvironmentVariable& v) {
    return "environment variable " + v.name;
}

void report(Configuration& c, LogSeverity severity, const EnvironmentVariable& v, const std::string& text) {
    c.records.push_back({severity, text + " (" + place(v) + ")"});
}

// Case is ignored, because variables are written in capitals by habit.
const Parameter* parameterOf(SectionMask section, std::string_view word) {
    for (const Parameter& p : allParameters())
        if ((p.sections & section) != 0 && upper(p.name) == upper(word)) return &p;
    return nullptr;
}

std::vector<std::string> namesOf(const Configuration& c, const Group& group) {
    std::vector<std::string> names;
    std::unordered_set<std::string_view> have;
    const auto add = [&](const std::string& name) {
        if (have.insert(name).second) names.push_back(name);
    };
    for (const ConfigEntry& e : c.file.entries(group.section))
        add(e.name);
    for (const ConfigLayer& layer : c.programmatic)
        for (const ConfigEntry& e : layer.entries(group.section))
            add(e.name);
    // The built-in entry exists without being written anywhere, so a variable may name it.
    if (*group.builtIn != '\0' && !have.contains(group.builtIn)) names.emplace_back(group.builtIn);
    return names;
}

/// Replaces the name by that of the entry that it means: the entry of exactly this name, else the only one whose name
/// is written like this in a variable, else the only one when case is ignored. Returns false when several fit. A name
/// that fits nothing stays as it is: the variable creates the entry.
bool findEntry(const Configuration& c, const Group& group, std::string& name, bool& known, std::string& several) {
    known = name == group.builtIn || c.file.find(group.section, name) != nullptr ||
            std::any_of(c.programmatic.begin(), c.programmatic.end(),
                        [&](const ConfigLayer& layer) { return layer.find(group.section, name) != nullptr; });
    if (known) return true;
    const std::vector<std::string> names = namesOf(c, group);
    for (const bool ignoringCase : {false, true}) {
        std::vector<std::string> fitting;
        for (const std::string& n : names)
            if (inVariable(n) == name || (ignoringCase && upper(inVariable(n)) == upper(name))) fitting.push_back(n);
        if (fitting.size() == 1) return known = true, name = fitting.front(), true;
        for (const std::string& n : fitting)
            several += (several.empty() ? "[" : ", [") + n + "]";
        if (!fitting.empty()) return false;
    }
    return true;
}

/// True when a parameter of any source names the entry, alone or in a list.
// An entry without a reader is probably a slip of the pen in the name.
bool isReferredTo(const Configuration& c, const std::string& name) {
    const auto in = [&](const ConfigLayer& layer) {
        for (const Group& g : kGroups)
            for (const ConfigEntry& e : layer.entries(g.section))
                for (const auto& [parameter, value] : e.values) {
                    const std::vector<std::string> parts = splitList(value.text);
                    if (std::find(parts.begin(), parts.end(), name) != parts.end()) return true;
                }
        return std::any_of(std::begin(kDefaults), std::end(kDefaults), [&](const char* element) {
            const ConfigValue* v = layer.defaultName(element);
            return v != nullptr && v->text == name;
        });
    };
    return in(c.file) || in(c.environment) || std::any_of(c.programmatic.begin(), c.programmatic.end(), in);
}

struct Made {
    SectionMask section;
    std::string name;
    const EnvironmentVariable* by;
};

void absorb(Configuration& c, const EnvironmentVariable& v, const Group& group, std::string_view rest,
            std::vector<Made>& made) {
    std::string name;
    bool known = true;
    if (group.section != Section::global) {
        // The last underscore divides: names of entries may have underscores, names of parameters have none.
        const std::size_t split = rest.rfind('_');
        if (split == std::string_view::npos || split == 0)
            return report(c, LogSeverity::error, v,
                          std::string("no parameter behind the name of the ") + sectionName(group.section) +
                              "; write EMISSARY_" + group.word + "_<name>_<parameter>; variable ignored");
        name = rest.substr(0, split);
        rest.remove_prefix(split + 1);
        std::string several;
        if (!findEntry(c, group, name, known, several))
            return report(c, LogSeverity::error, v,
                          "[" + name + "] may mean the " + sectionName(group.section) + " entries " + several +
                              "; rename one of them; variable ignored");
    }
    const Parameter* p = parameterOf(group.section, rest);
    if (p == nullptr || std::string_view(p->name) == "Name")
        return report(c, LogSeverity::error, v,
                      "unsupported configuration element [" + std::string(rest) + "] of " + sectionName(group.section) +
                          "; variable ignored");
    ConfigEntry value;
    const ConfigNode node{p->name, v.value, true, ConfigNode::Form::untyped, place(v), {}};
    if (!absorbParameter(node, group.section, value, c.records)) return;
    const bool first = c.environment.find(group.section, name) == nullptr;
    ConfigEntry& entry = c.environment.entryFor(group.section, name, place(v));
    // Two spellings of one parameter: the sorted order makes the result the same on every run.
    if (const ConfigValue* before = entry.find(p->name))
        report(c, LogSeverity::warning, v,
               std::string("[") + p->name + "] of [" + name + "] is given twice, also by " + before->place +
                   "; the last one in the order of the names wins");
    entry.values.insert_or_assign(p->name, *value.find(p->name));
    if (!known && first) made.push_back({group.section, name, &v});
}

void absorb(Configuration& c, const EnvironmentVariable& v, std::vector<Made>& made) {
    const std::string_view rest = std::string_view(v.name).substr(kPrefix.size());
    for (const char* element : kDefaults)
        if (rest == upper(element)) return c.environment.setDefaultName(element, {v.value, 0, 0, place(v)});
    const Group* group = nullptr;
    // IPROVIDER does not fit NIPROVIDER_..., because a word must begin the text.
    for (const Group& g : kGroups) {
        const std::size_t n = std::strlen(g.word);
        if (rest.size() > n && rest[n] == '_' && rest.starts_with(g.word)) group = &g;
    }
    if (group != nullptr) return absorb(c, v, *group, rest.substr(std::strlen(group->word) + 1), made);
    if (rest.starts_with("DIRECTORY_"))
        return report(c, LogSeverity::error, v,
                      "a Directory cannot be configured by environment variables, use EmaConfig.xml or programmatic "
                      "configuration; variable ignored");
    // The prefix is shared with variables that are no configuration.
    const bool ofScripts = std::find(std::begin(kOfScripts), std::end(kOfScripts), rest) != std::end(kOfScripts);
    if (ofScripts || rest.starts_with("TEST_")) return;
    report(c, LogSeverity::warning, v, "no configuration group begins like this; variable ignored");
}

}  // namespace

std::vector<EnvironmentVariable> environmentVariables() {
    std::vector<EnvironmentVariable> out;
    for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
        const std::string_view line = *at;
        const std::size_t equals = line.find('=');
        if (!line.starts_with(kPrefix) || equals == std::string_view::npos || line.substr(0, equals) == kFile) continue;
        out.push_back({std::string(line.substr(0, equals)), std::string(line.substr(equals + 1))});
    }
    // The environment has no order of its own.
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return out;
}

std::string inVariable(std::string_view entryName) {
    std::string out(entryName);
    for (char& c : out) {
        const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!fits) c = '_';
    }
    return out;
}

Configuration withEnvironment(Configuration c) {
    // Only once: a configuration that is resolved again has these values in its layer.
    const std::vector<EnvironmentVariable> variables = std::move(c.variables);
    c.variables.clear();
    std::vector<Made> made;
    for (const EnvironmentVariable& v : variables)
        absorb(c, v, made);
    // An entry that only the environment has is useful only when something refers to it; otherwise its name is probably
    // misspelt.
    for (const Made& m : made)
        if (!isReferredTo(c, m.name))
            report(c, LogSeverity::warning, *m.by,
                   std::string("no ") + sectionName(m.section) + " entry [" + m.name +
                       "] is configured and nothing refers to it; a new entry of that name was made");
    return c;
}

/// What docs/config.md says before its tables of parameters. Names of groups come from kGroups, the rest is text.
std::string environmentAsMarkdown() {
    std::string groups;
    for (const Group& g : kGroups)
        groups += std::string("| `") + g.word + "` | " + sectionName(g.section) + " |\n";
    std::string out = R"(
## Sources and precedence

For each parameter the strongest source that gives it wins, weakest first:

1. the built-in default;
2. the configuration file;
3. the environment variable of the parameter;
4. programmatic configuration, `config(const Data&)`; of several calls the last one;
5. function calls on the configuration object: `host()`, `port()`, `consumerName()` and so on.

The environment belongs to whoever installs and starts the program, as the file does, and is nearer to the one process:
it overrides the file. What the program says in its code it insists on, against both. A program that wants to be
configured from outside leaves such calls out.

The performance tools list every value in effect and where it came from: `EmaCppConsPerf --print-config`; programs get the
same from `emissary::effectiveConfiguration()` (`emissary/EffectiveConfiguration.h`).

### The configuration file

`EMISSARY_CONFIG` names the file, or the folder of an `EmaConfig.xml`, for configuration objects that are made without a path.
A path given by the program wins. Without either, `EmaConfig.xml` of the working directory is read, if there is one. What
`EMISSARY_CONFIG` names must exist and be readable, as a path given by the program must.

### Environment variables

Every parameter of every named entry has a variable:

    EMISSARY_<GROUP>_<NAME>_<PARAMETER>=value
    EMISSARY_CHANNEL_Channel_1_Port=14003
    EMISSARY_LOGGER_Logger_1_LoggerSeverity=LoggerSeverity::Verbose

| GROUP | entries of |
|---|---|
)" + groups;
    return out + R"(
- GROUP is written in capitals, as in the table. `GLOBALCONFIG` has no NAME: `EMISSARY_GLOBALCONFIG_<PARAMETER>`.
- NAME is the name of the entry. Each character that is no letter (A-Z, a-z), digit or underscore is written as one
  underscore, for each byte of it: `Feed-A.1` becomes `Feed_A_1`. An entry of exactly that name comes first, then the only
  one that is written so, then the only one that is written so when case is ignored. When several
  entries fit, none gets the value.
- PARAMETER is what follows the last underscore: a name of the tables below, in upper, lower or mixed case.
- The value is written as in the file: `Type::Value` for enumerations, commas between the parts of lists. It is checked and
  clamped as in the file.
- A NAME that neither the file nor the program has makes a new entry, so that a program can be configured without a file:
  `EMISSARY_CONSUMER_EmaConsumer_Channel=Feed` with `EMISSARY_CHANNEL_Feed_Host=...`. A Warning says so when nothing refers
  to the new entry.
- `EMISSARY_DEFAULTCONSUMER`, `EMISSARY_DEFAULTIPROVIDER`, `EMISSARY_DEFAULTNIPROVIDER` and `EMISSARY_DEFAULTDIRECTORY` stand for
  the elements of these names. Directories themselves have no variables.

Variables are read with the file, when the configuration object is made, and fitted to the entries when a consumer or
provider is made from it. What cannot be used is left out and logged with the variable's name: Error for an unknown
parameter, a value that is refused and a NAME that fits several entries; Warning for a variable that begins with
`EMISSARY_` and has no known group, and for two variables that mean the same parameter.
)";
}

void loadConfigFile(const std::string& path, Configuration& into) {
    // Variables are read with the file and laid over it when an instance is made: their names are fitted to entries,
    // and programmatic ones come later.
    into.variables = environmentVariables();
    if (const eta::Refused refused = parameters::loadConfigFile(schema(), path, into))
        throwInvalidConfiguration(refused.text);
}

}  // namespace emissary::ema
