// Looking parameters up, and the reference page made from their table.
#include "config/schema/Parameter.h"

namespace emissary::parameters {

namespace {

const char* kindName(const Parameter& p) {
    switch (p.kind) {
    case Kind::text:
        return "text";
    case Kind::list:
        return "comma-separated list";
    case Kind::unsignedInteger:
        return "unsigned integer";
    case Kind::integer:
        return "signed integer";
    case Kind::boolean:
        return "0 or 1";
    case Kind::real:
        return "decimal number";
    case Kind::enumeration:
        return p.enums->name;
    }
    return "";
}

std::string rangeOf(const Parameter& p) {
    std::string range;
    if (p.kind == Kind::unsignedInteger || p.kind == Kind::integer) {
        if (p.minimum > (p.kind == Kind::integer ? -kInt64Max : 0))
            range = "from " + std::to_string(p.minimum) +
                    (p.below == Below::useDefault ? ", below: default" : ", below: raised");
        // The largest value of 32 bits stands for "no limit of its own", and is not shown.
        if (p.maximum < kUInt32Max) range += (range.empty() ? "to " : "; to ") + std::to_string(p.maximum);
    } else if (p.kind == Kind::enumeration) {
        for (const EnumName& v : p.enums->values)
            range += (range.empty() ? "`" : ", `") + std::string(v.name) + "`";
    }
    return range;
}

}  // namespace

std::string shownValue(const Parameter& p, std::int64_t number, std::string_view text) {
    switch (p.kind) {
    case Kind::text:
    case Kind::list:
    case Kind::real:
        return std::string(text);
    case Kind::unsignedInteger:
    case Kind::integer:
    case Kind::boolean:
        return std::to_string(number);
    case Kind::enumeration:
        break;
    }
    for (const EnumName& e : p.enums->values)
        if (e.value == number) return e.name;
    return std::to_string(number);
}

bool isDefault(const Parameter& p, std::int64_t number, std::string_view text) {
    if (p.kind == Kind::boolean) return (number != 0) == (*p.defaultText == '1');
    if (p.kind == Kind::unsignedInteger || p.kind == Kind::integer)
        return *p.defaultText != '\0' && std::to_string(number) == p.defaultText;
    if (p.kind != Kind::enumeration) return text == p.defaultText;
    for (const EnumName& e : p.enums->values)
        if (std::string_view(p.defaultText) == e.name) return number == e.value;
    return false;
}

const Parameter* Schema::find(SectionMask section, std::string_view name) const noexcept {
    if (name == "TcpNoDelay") name = "TcpNodelay";  // guides and examples write both
    for (const Parameter& p : parameters)
        if ((p.sections & section) != 0 && name == p.name) return &p;
    return nullptr;
}

const char* Schema::title(SectionMask section) const noexcept {
    for (const SectionTitle& t : titles)
        if (t.section == section) return t.name;
    return root;
}

std::string Schema::tablesAsMarkdown() const {
    std::string out;
    for (const SectionTitle& title : titles) {
        bool first = true;
        for (const Parameter& p : parameters) {
            if ((p.sections & title.section) == 0) continue;
            if (first)
                out += std::string("\n## ") + title.name +
                       (reload == nullptr ? "\n\n| Parameter | Type | Default | Unit | Range | Meaning |\n"
                                            "|---|---|---|---|---|---|\n"
                                          : "\n\n| Parameter | Type | Default | Unit | Range | Reload | Meaning |\n"
                                            "|---|---|---|---|---|---|---|\n");
            first = false;
            out += std::string("| ") + p.name + " | " + kindName(p) + " | " + p.defaultText + " | " + p.unit + " | " +
                   rangeOf(p) + " | " + (reload == nullptr ? "" : std::string(reload(title.section, p.name)) + " | ") +
                   p.meaning + (p.moved ? " (old location, still read with a warning)" : "") +
                   (p.idleBecause == nullptr ? "" : std::string(" *(no effect: ") + p.idleBecause + ")*") + " |\n";
        }
    }
    return out;
}

}  // namespace emissary::parameters
