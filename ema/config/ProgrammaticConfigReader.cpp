// Programmatic configuration Maps to the shape of the file (ema-config.md section 13).
#include "ProgrammaticConfigReader.h"

#include "ema_text.h"

#include "Ema.h"

#include <charconv>

namespace emissary::ema {

namespace {

using namespace refinitiv::ema::access;
using Form = ConfigNode::Form;

constexpr const char* kPlace = "programmatic configuration";

ConfigNode makeNode(std::string name) {
    ConfigNode node;
    node.name = std::move(name);
    node.place = kPlace;
    node.form = Form::text;
    return node;
}

ConfigNode leaf(std::string name, std::string value, Form form) {
    ConfigNode node = makeNode(std::move(name));
    node.value = std::move(value);
    node.hasValue = true;
    node.form = form;
    return node;
}

/// 17 digits give back the same double. Whatever locale the program has set: the text is read as a parameter.
// Not printf, which writes a decimal comma in some locales.
std::string number(double v) {
    char out[40];
    return {out, std::to_chars(out, out + sizeof out, v, std::chars_format::general, 17).ptr};
}

/// A simple element; false when its type cannot be a parameter, or it is blank.
bool readLeaf(const ElementEntry& e, ConfigNode& out) {
    if (e.getCode() == Data::BlankEnum) return false;
    const std::string name = toText(e.getName());
    switch (e.getLoadType()) {
    case DataType::AsciiEnum:
        out = leaf(name, toText(e.getAscii()), Form::text);
        return true;
    case DataType::UIntEnum:
        out = leaf(name, std::to_string(e.getUInt()), Form::unsignedInteger);
        return true;
    case DataType::IntEnum:
        out = leaf(name, std::to_string(e.getInt()), Form::integer);
        return true;
    case DataType::EnumEnum:
        out = leaf(name, std::to_string(e.getEnum()), Form::enumeration);
        return true;
    case DataType::DoubleEnum:
        out = leaf(name, number(e.getDouble()), Form::real);
        return true;
    default:
        return false;
    }
}

void report(std::vector<QueuedRecord>& records, const std::string& what) {
    records.push_back({LogSeverity::error, what + " (" + kPlace + ")"});
}

/// An array of names or numbers becomes the list of entry elements that the file has.
void readArray(const ElementEntry& e, const char* entryName, ConfigNode& into) {
    ConfigNode& node = into.children.emplace_back(makeNode(toText(e.getName())));
    const OmmArray& array = e.getArray();
    while (array.forth()) {
        const OmmArrayEntry& item = array.getEntry();
        if (item.getCode() == Data::BlankEnum) continue;
        if (item.getLoadType() == DataType::AsciiEnum)
            node.children.push_back(leaf(entryName, toText(item.getAscii()), Form::text));
        else if (item.getLoadType() == DataType::UIntEnum)
            // Numbers become text, because entries of lists are names in the file.
            node.children.push_back(leaf(entryName, std::to_string(item.getUInt()), Form::text));
        else if (item.getLoadType() == DataType::IntEnum)
            node.children.push_back(leaf(entryName, std::to_string(item.getInt()), Form::text));
    }
}

void readElements(const ElementList& list, ConfigNode& into, std::vector<QueuedRecord>& records);

void readSpecial(const ElementEntry& e, ConfigNode& into, std::vector<QueuedRecord>& records) {
    const std::string name = toText(e.getName());
    switch (e.getCode() == Data::BlankEnum ? DataType::ErrorEnum : e.getLoadType()) {
    case DataType::ElementListEnum:  // InfoFilter, StateFilter, LoadFilter, Status
        readElements(e.getElementList(), into.children.emplace_back(makeNode(name)), records);
        return;
    case DataType::ArrayEnum:
        readArray(e, (name + "Entry").c_str(), into);
        return;
    case DataType::SeriesEnum: {  // QoS
        ConfigNode& node = into.children.emplace_back(makeNode(name));
        const Series& series = e.getSeries();
        while (series.forth())
            if (series.getEntry().getLoadType() == DataType::ElementListEnum)
                readElements(series.getEntry().getElementList(), node.children.emplace_back(makeNode("QoSEntry")),
                             records);
        return;
    }
    default:
        report(records, "element [" + name + "] of [" + into.name +
                            "] is blank or has a data type that no parameter has; element ignored");
    }
}

void readElements(const ElementList& list, ConfigNode& into, std::vector<QueuedRecord>& records) {
    while (list.forth()) {
        const ElementEntry& e = list.getEntry();
        ConfigNode node;
        if (readLeaf(e, node)) into.children.push_back(std::move(node));
        else readSpecial(e, into, records);
    }
}

// A blank key has no text to be a name.
bool hasName(const MapEntry& m) {
    return m.getKey().getDataType() == DataType::AsciiEnum && m.getKey().getData().getCode() != Data::BlankEnum;
}

/// The entries of a list Map: key = name, value = the parameters. A Directory's value is a Map of services.
void readList(const Map& map, const std::string& entryName, ConfigNode& list, std::vector<QueuedRecord>& records) {
    while (map.forth()) {
        const MapEntry& m = map.getEntry();
        if (!hasName(m)) {
            report(records, "entry of [" + list.name + "] without an Ascii key; entry ignored");
            continue;
        }
        ConfigNode entry = makeNode(entryName);
        entry.children.push_back(leaf("Name", toText(m.getKey().getAscii()), Form::text));
        if (m.getLoadType() == DataType::ElementListEnum) readElements(m.getElementList(), entry, records);
        else if (m.getLoadType() == DataType::MapEnum) readList(m.getMap(), "Service", entry, records);
        else
            report(records, "entry [" + entry.children.front().value + "] of [" + list.name +
                                "] is not an ElementList; entry ignored");
        list.children.push_back(std::move(entry));
    }
}

/// "ConsumerList" -> "Consumer"; the warm-standby list's entries have a longer name.
std::string entryNameOf(const std::string& list) {
    if (list == "WarmStandbyList") return "WarmStandbyChannel";
    return list.size() > 4 && list.ends_with("List") ? list.substr(0, list.size() - 4) : list;
}

void readGroup(const ElementList& elements, ConfigNode& group, std::vector<QueuedRecord>& records) {
    while (elements.forth()) {
        const ElementEntry& e = elements.getEntry();
        const std::string name = toText(e.getName());
        ConfigNode node;
        if (e.getLoadType() == DataType::MapEnum)
            readList(e.getMap(), entryNameOf(name), group.children.emplace_back(makeNode(name)), records);
        else if (readLeaf(e, node)) group.children.push_back(std::move(node));
        else report(records, "element [" + name + "] of [" + group.name + "] has the wrong data type; element ignored");
    }
}

}  // namespace

void addProgrammaticConfig(const Data& config, Configuration& into) {
    if (config.getDataType() != DataType::MapEnum) {
        const DataType type(config.getDataType());
        return report(into.records, "Invalid Data type='" + toText(type.toString()) + "' for Programmatic Configure.");
    }
    const Map& map = static_cast<const Map&>(config);
    // The application may have read the map already.
    map.reset();
    ConfigNode root;
    while (map.forth()) {
        const MapEntry& m = map.getEntry();
        if (!hasName(m) || m.getLoadType() != DataType::ElementListEnum) {
            report(into.records,
                   "group of the configuration Map without an Ascii key or an ElementList; group ignored");
            continue;
        }
        readGroup(m.getElementList(), root.children.emplace_back(makeNode(toText(m.getKey().getAscii()))),
                  into.records);
    }
    // One layer for each call: a later call wins over an earlier one, parameter by parameter.
    into.programmatic.emplace_back().absorb(schema(), root, into.records);
}

}  // namespace emissary::ema
