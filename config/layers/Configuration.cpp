// Documents to checked layers: each element is looked up in the parameter table, converted, clamped and stored, or
// reported and left out.
#include "config/layers/Configuration.h"

#include "config/schema/near_name.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <set>

namespace emissary::parameters {

namespace {

using Records = std::vector<QueuedRecord>;

void report(Records& records, LogSeverity severity, const ConfigNode& node, const std::string& text) {
    records.push_back({severity, text + " (" + node.place + ")"});
}

/// What becomes of a fault: a strict document is refused whole, so nothing is ignored and no default applies.
std::string outcome(const Schema& schema, const char* otherwise) {
    return schema.strict ? std::string() : std::string("; ") + otherwise;
}

void unsupported(const Schema& schema, Records& records, const ConfigNode& node,
                 std::span<const std::string_view> known) {
    report(records, LogSeverity::error, node,
           "unsupported configuration element [" + node.name + "]" + outcome(schema, "element ignored") +
               nearName(node.name, known));
}

std::vector<std::string_view> namesOf(const Schema& schema, SectionMask section) {
    std::vector<std::string_view> names;
    for (const Parameter& p : schema.parameters)
        if ((p.sections & section) != 0) names.emplace_back(p.name);
    return names;
}

void withoutContent(Records& records, const ConfigNode& node) {
    report(records, LogSeverity::verbose, node, "element [" + node.name + "] has no value");
}

template <class T>
bool parseWhole(std::string_view text, T& out) {
    const auto end = text.data() + text.size();
    const auto [ptr, ec] = std::from_chars(text.data(), end, out);
    return ec == std::errc() && ptr == end && !text.empty();
}

bool refuse(const Schema& schema, Records& records, const ConfigNode& node, const char* wanted) {
    report(records, LogSeverity::error, node,
           "value [" + node.value + "] for config element [" + node.name + "] is not " + wanted +
               outcome(schema, "element ignored"));
    return false;
}

bool readEnumeration(const Schema& schema, const ConfigNode& node, const EnumType& type, ConfigValue& out,
                     Records& records) {
    // QoS parts may be any number, in either source; elsewhere numbers are the programmatic form of the listed values.
    // A number in a file would have to be looked up by its reader, so files write words. Programs may use either.
    const bool anyNumber = type.name == std::string_view("Timeliness") || type.name == std::string_view("Rate");
    std::uint32_t number = 0;
    if ((anyNumber || node.form != ConfigNode::Form::untyped) && parseWhole(node.value, number)) {
        out.number = number;
        bool known = anyNumber;
        for (const EnumName& v : type.values)
            known = known || v.value == number;
        if (!known)
            report(records, LogSeverity::error, node,
                   "Invalid " + node.name + " [" + node.value + "] in Programmatic Configuration. Use default " +
                       "of this parameter");
        return known;
    }
    const auto colon = node.value.find("::");
    const bool typed = colon != std::string::npos;
    const std::string_view all = node.value, word = typed ? all.substr(colon + 2) : all;
    // Words without the type name are accepted only where the schema says so: EmaConfig.xml has always had the type.
    const bool rightType = typed ? all.substr(0, colon) == type.name : schema.plainWords;
    std::string known;
    std::vector<std::string_view> words;
    for (const EnumName& v : type.values) {
        words.emplace_back(v.name);
        if (rightType && word == v.name) return out.number = v.value, true;
        known += (known.empty() ? "" : ", ") + std::string(v.name);
    }
    report(records, LogSeverity::error, node,
           "value [" + node.value + "] for config element [" + node.name + "] " +
               (rightType ? "is unknown" : std::string("is not written ") + type.name + "::<value>") +
               " (known: " + known + ")" + outcome(schema, "the default applies") + nearName(word, words));
    return false;
}

// Kinds of numbers have ranges of their own type: comparing as T keeps an unsigned value beyond 2^63 from turning
// negative.
/// Puts a number into the parameter's range and says so; false when the default applies instead.
template <class T>
bool intoRange(const ConfigNode& node, const Parameter& p, T v, ConfigValue& out, Records& records) {
    const auto minimum = static_cast<T>(p.minimum), maximum = static_cast<T>(p.maximum);
    const T fitting = v > maximum ? maximum : v < minimum ? minimum : v;
    out.number = static_cast<std::int64_t>(fitting);
    if (fitting == v) return true;
    const bool dropped = v < minimum && p.below == Below::useDefault;
    report(records, LogSeverity::warning, node,
           "value [" + node.value + "] for config element [" + node.name + "] is " +
               (v < minimum ? "below " + std::to_string(minimum) : "above " + std::to_string(maximum)) +
               (dropped ? "; the default applies" : "; that is used instead"));
    return !dropped;
}

/// A whole number of any size: beyond what T holds it becomes T's limit, and the range check clamps it.
template <class T>
bool readInteger(const Schema& schema, const ConfigNode& node, const Parameter& p, const char* wanted, ConfigValue& out,
                 Records& records) {
    T v = 0;
    const char* const end = node.value.data() + node.value.size();
    const auto [ptr, ec] = std::from_chars(node.value.data(), end, v);
    // A text after the digits makes the whole value wrong; a number alone that is too large is clamped like any other.
    if (ptr != end || node.value.empty() || ec == std::errc::invalid_argument)
        return refuse(schema, records, node, wanted);
    if (ec == std::errc::result_out_of_range)
        v = node.value.front() == '-' ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
    return intoRange(node, p, v, out, records);
}

/// Programmatic elements must have the type that the parameter calls for (ema-config.md section 13).
bool rightForm(const ConfigNode& node, const Parameter& p, Records& records) {
    using Form = ConfigNode::Form;
    const Form f = node.form;
    bool ok = f == Form::untyped;
    const char* wanted = "Ascii";
    switch (p.kind) {
    case Kind::text:
    case Kind::list:
        ok = ok || f == Form::text;
        break;
    case Kind::unsignedInteger:
    case Kind::boolean:
        ok = ok || f == Form::unsignedInteger, wanted = "UInt";
        break;
    case Kind::integer:
        ok = ok || f == Form::integer, wanted = "Int";
        break;
    case Kind::real:
        ok = ok || f == Form::real, wanted = "Double";
        break;
    case Kind::enumeration:
        ok = ok || f == Form::enumeration || f == Form::unsignedInteger || f == Form::text;
        wanted = "Enum";
        break;
    }
    if (!ok)
        report(records, LogSeverity::error, node,
               "element [" + node.name + "] has the wrong data type, it must be " + wanted + "; element ignored");
    return ok;
}

}  // namespace

const ConfigNode* ConfigNode::child(std::string_view childName) const noexcept {
    for (const ConfigNode& c : children)
        if (c.name == childName) return &c;
    return nullptr;
}

const ConfigValue* ConfigEntry::find(std::string_view parameter) const noexcept {
    const auto it = values.find(parameter);
    return it == values.end() ? nullptr : &it->second;
}

bool absorbParameter(const Schema& schema, const ConfigNode& node, SectionMask section, ConfigEntry& into,
                     Records& records) {
    const Parameter* p = schema.find(section, node.name);
    // The names of the section help to find a slip of the pen.
    if (p == nullptr) return unsupported(schema, records, node, namesOf(schema, section)), false;
    if (!node.hasValue) {
        if (schema.strict && !node.reported)
            report(records, LogSeverity::error, node,
                   "element [" + node.name + "] has no value, write <" + node.name + " value=\"...\"/>");
        else withoutContent(records, node);
        return false;
    }
    if (!rightForm(node, *p, records)) return false;
    ConfigValue value{node.value, 0, 0, node.place};
    switch (p->kind) {
    case Kind::text:
    case Kind::list:
        break;
    case Kind::unsignedInteger:
        if (!readInteger<std::uint64_t>(schema, node, *p, "an unsigned integer", value, records)) return false;
        break;
    case Kind::boolean:
        if (!readInteger<std::uint64_t>(schema, node, *p, "an unsigned integer", value, records)) return false;
        // Any number but 0 is "true", as in EMA.
        if (schema.strict && value.number != 0 && value.number != 1)
            report(records, LogSeverity::warning, node,
                   "value [" + node.value + "] for config element [" + node.name +
                       "] is not 0 or 1; 1 is used instead");
        value.number = value.number != 0;
        break;
    case Kind::integer:
        if (!readInteger<std::int64_t>(schema, node, *p, "a signed integer", value, records)) return false;
        break;
    case Kind::real:
        if (!parseWhole(node.value, value.real)) return refuse(schema, records, node, "an double");
        break;
    case Kind::enumeration:
        if (!readEnumeration(schema, node, *p->enums, value, records)) return false;
        break;
    }
    if (p->moved)
        report(records, LogSeverity::warning, node,
               "parameter [" + node.name + "] in " + schema.title(section) +
                   " has moved to the instance section; still read here");
    // The later element replaces the earlier one: its caller has reported that the element is given twice.
    into.values.insert_or_assign(p->name, std::move(value));
    return true;
}

ConfigEntry& ConfigLayer::entryFor(SectionMask section, const std::string& name, const std::string& place) {
    Entries& s = sections_[section];
    const auto [at, fresh] = s.byName.try_emplace(name, s.list.size());
    // The index holds positions and not pointers: the list moves while it grows.
    return fresh ? s.list.emplace_back(ConfigEntry{name, place, {}, {}}) : s.list[at->second];
}

void ConfigLayer::setDefaultName(const std::string& element, ConfigValue value) {
    defaults_.insert_or_assign(element, std::move(value));
}

void ConfigLayer::absorbEntry(const Schema& schema, const ConfigNode& node, const EntryGroup& shape, Records& records) {
    const SectionMask section = shape.section;
    const ConfigNode* name = nullptr;
    for (const ConfigNode& c : node.children)
        if (c.name == "Name" && c.hasValue) name = &c;
    if (name == nullptr || name->value.empty())
        return report(records, schema.strict ? LogSeverity::error : LogSeverity::warning, node,
                      std::string(schema.title(section)) + " entry without a Name" + outcome(schema, "entry ignored"));
    const std::size_t before = entries(section).size();
    // An entry that is given twice is one entry with the parameters of both.
    ConfigEntry* const entry = &entryFor(section, name->value, node.place);
    const bool again = entries(section).size() == before;
    if (again)
        report(records, schema.strict ? LogSeverity::error : LogSeverity::warning, node,
               std::string(schema.title(section)) + " entry [" + name->value + "] is given twice, first at " +
                   entry->place + outcome(schema, "parameters of both apply, of a parameter in both the later one") +
                   (schema.strict ? "; give each entry a name of its own" : ""));
    std::set<std::string_view> seen;
    for (const ConfigNode& c : node.children) {
        // Read above, because messages about the other elements need the name.
        if (c.name == "Name") continue;
        if (std::any_of(shape.nested.begin(), shape.nested.end(), [&](const char* n) { return c.name == n; })) {
            entry->nested.push_back(c);
            continue;
        }
        const bool taken = absorbParameter(schema, c, section, *entry, records);
        if (taken && !seen.insert(c.name).second)
            report(records, schema.strict ? LogSeverity::error : LogSeverity::warning, c,
                   "[" + c.name + "] of [" + entry->name + "] is given twice" +
                       outcome(schema, "the later one applies"));
        // Programmatically the one of Channel and ChannelSet that was added last counts; in the file Channel does.
        if (taken && c.form != ConfigNode::Form::untyped) {
            if (c.name == "Channel") entry->values.erase("ChannelSet");
            if (c.name == "ChannelSet") entry->values.erase("Channel");
        }
    }
}

void ConfigLayer::absorbGroup(const Schema& schema, const ConfigNode& group, const EntryGroup& shape,
                              Records& records) {
    if (group.children.empty()) withoutContent(records, group);
    for (const ConfigNode& c : group.children) {
        if (*shape.defaultElement != '\0' && c.name == shape.defaultElement) {
            if (c.hasValue) defaults_.insert_or_assign(c.name, ConfigValue{c.value, 0, 0, c.place});
            else withoutContent(records, c);
        } else if (c.name == shape.list) {
            if (c.children.empty()) withoutContent(records, c);
            for (const ConfigNode& e : c.children) {
                if (e.name == shape.entry) absorbEntry(schema, e, shape, records);
                else unsupported(schema, records, e, std::array{std::string_view(shape.entry)});
            }
        } else {
            unsupported(schema, records, c, std::array{std::string_view(shape.list)});
        }
    }
}

void ConfigLayer::absorb(const Schema& schema, const ConfigNode& root, Records& records) {
    // Two elements of one name are one section: a parameter in both is given twice.
    std::map<std::string_view, std::set<std::string_view>> seen;
    for (const ConfigNode& group : root.children) {
        bool known = false;
        for (const SingleGroup& single : schema.singles) {
            if (group.name != single.element) continue;
            known = true;
            ConfigEntry& entry = entryFor(single.section, {}, group.place);
            for (const ConfigNode& c : group.children)
                if (absorbParameter(schema, c, single.section, entry, records) &&
                    !seen[single.element].insert(c.name).second)
                    report(records, schema.strict ? LogSeverity::error : LogSeverity::warning, c,
                           "[" + c.name + "] is given twice" + outcome(schema, "the later one applies"));
        }
        for (const EntryGroup& shape : schema.groups)
            if (group.name == shape.group) known = true, absorbGroup(schema, group, shape, records);
        if (known) continue;
        std::vector<std::string_view> names;
        for (const SingleGroup& single : schema.singles)
            names.emplace_back(single.element);
        for (const EntryGroup& shape : schema.groups)
            names.emplace_back(shape.group);
        unsupported(schema, records, group, names);
    }
}

const std::vector<ConfigEntry>& ConfigLayer::entries(SectionMask section) const noexcept {
    static const std::vector<ConfigEntry> none;
    const auto it = sections_.find(section);
    return it == sections_.end() ? none : it->second.list;
}

const ConfigEntry* ConfigLayer::find(SectionMask section, std::string_view name) const noexcept {
    const auto it = sections_.find(section);
    if (it == sections_.end()) return nullptr;
    const auto at = it->second.byName.find(name);
    return at == it->second.byName.end() ? nullptr : &it->second.list[at->second];
}

const ConfigValue* ConfigLayer::defaultName(std::string_view element) const noexcept {
    const auto it = defaults_.find(element);
    return it == defaults_.end() ? nullptr : &it->second;
}

const ConfigEntry* Configuration::entry(SectionMask section, std::string_view name) const noexcept {
    // Later programmatic calls come first, then the environment, then the file: the source that is nearest to the
    // program wins.
    for (auto layer = programmatic.rbegin(); layer != programmatic.rend(); ++layer)
        if (const ConfigEntry* e = layer->find(section, name)) return e;
    const ConfigEntry* e = environment.find(section, name);
    return e != nullptr ? e : file.find(section, name);
}

const ConfigValue* Configuration::value(SectionMask section, std::string_view name,
                                        std::string_view parameter) const noexcept {
    for (auto layer = programmatic.rbegin(); layer != programmatic.rend(); ++layer)
        if (const ConfigEntry* e = layer->find(section, name))
            if (const ConfigValue* v = e->find(parameter)) return v;
    for (const ConfigLayer* layer : {&environment, &file})
        if (const ConfigEntry* e = layer->find(section, name))
            if (const ConfigValue* v = e->find(parameter)) return v;
    return nullptr;
}

const ConfigValue* Configuration::channels(SectionMask section, std::string_view name) const noexcept {
    const auto in = [&](const ConfigLayer& layer) -> const ConfigValue* {
        // One layer decides for both elements: a Channel of one source beside a ChannelSet of another would leave two
        // answers.
        const ConfigEntry* e = layer.find(section, name);
        if (e == nullptr) return nullptr;
        const ConfigValue* one = e->find("Channel");
        return one != nullptr ? one : e->find("ChannelSet");
    };
    for (auto layer = programmatic.rbegin(); layer != programmatic.rend(); ++layer)
        if (const ConfigValue* v = in(*layer)) return v;
    const ConfigValue* v = in(environment);
    return v != nullptr ? v : in(file);
}

bool Configuration::has(SectionMask section, std::string_view name) const noexcept {
    return entry(section, name) != nullptr;
}

const ConfigValue* Configuration::defaultName(std::string_view element) const noexcept {
    for (auto layer = programmatic.rbegin(); layer != programmatic.rend(); ++layer)
        if (const ConfigValue* v = layer->defaultName(element)) return v;
    const ConfigValue* v = environment.defaultName(element);
    return v != nullptr ? v : file.defaultName(element);
}

std::vector<std::string> splitList(std::string_view text) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const auto comma = text.find(',');
        std::string_view part = text.substr(0, comma);
        while (!part.empty() && (part.front() == ' ' || part.front() == '\t'))
            part.remove_prefix(1);
        while (!part.empty() && (part.back() == ' ' || part.back() == '\t'))
            part.remove_suffix(1);
        // Empty parts are left out: a comma at the end is no name.
        if (!part.empty()) parts.emplace_back(part);
        text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    }
    return parts;
}

}  // namespace emissary::parameters
