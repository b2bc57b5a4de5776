// Services of a Directory entry, checked and completed (ema-config.md section 12).
#include "config/options/services.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace emissary::parameters {

namespace {

using Records = std::vector<QueuedRecord>;

struct DomainName {
    const char* name;
    std::uint8_t number;
};
constexpr DomainName kDomains[] = {
    {"MMT_LOGIN", 1},           {"MMT_DIRECTORY", 4},       {"MMT_DICTIONARY", 5},
    {"MMT_MARKET_PRICE", 6},    {"MMT_MARKET_BY_ORDER", 7}, {"MMT_MARKET_BY_PRICE", 8},
    {"MMT_MARKET_MAKER", 9},    {"MMT_SYMBOL_LIST", 10},    {"MMT_SERVICE_PROVIDER_STATUS", 11},
    {"MMT_HISTORY", 12},        {"MMT_HEADLINE", 13},       {"MMT_STORY", 14},
    {"MMT_REPLAYHEADLINE", 15}, {"MMT_REPLAYSTORY", 16},    {"MMT_TRANSACTION", 17},
    {"MMT_YIELD_CURVE", 22},    {"MMT_CONTRIBUTION", 27},   {"MMT_PROVIDER_ADMIN", 29},
    {"MMT_ANALYTICS", 30},      {"MMT_REFERENCE", 31},      {"MMT_NEWS_TEXT_ANALYTICS", 33},
    {"MMT_SYSTEM", 127}};

void error(Records& records, const ConfigNode& at, const std::string& text) {
    records.push_back({LogSeverity::error, text + " (" + at.place + ")"});
}

/// The filter's own parameters; elements named in `nested` are left to the caller.
ConfigEntry readFilter(const Schema& schema, const ConfigNode* filter, SectionMask section,
                       std::initializer_list<const char*> nested, Records& records) {
    ConfigEntry entry;
    if (filter == nullptr) return entry;
    for (const ConfigNode& c : filter->children)
        if (std::none_of(nested.begin(), nested.end(), [&](const char* n) { return c.name == n; }))
            absorbParameter(schema, c, section, entry, records);
    return entry;
}

bool isOn(const ConfigEntry& e, const char* parameter, bool otherwise) {
    const ConfigValue* v = e.find(parameter);
    return v == nullptr ? otherwise : v->number != 0;
}

std::optional<std::string> textOf(const ConfigEntry& e, const char* parameter) {
    const ConfigValue* v = e.find(parameter);
    return v == nullptr ? std::nullopt : std::optional(v->text);
}

void readDictionaries(const Configuration& c, const ConfigNode& info, const char* list, const char* element,
                      std::vector<DictionarySettings>& out, Records& records) {
    const ConfigNode* names = info.child(list);
    if (names == nullptr) return;
    for (const ConfigNode& n : names->children) {
        if (n.name != element || !n.hasValue) {
            error(records, n, "unsupported configuration element [" + n.name + "] in " + list + "; element ignored");
        } else if (!c.has(Section::dictionary, n.value)) {
            error(records, n, "no Dictionary entry [" + n.value + "] for " + list + "; entry ignored");
        } else {
            out.push_back(readDictionary(c, n.value, true));
        }
    }
}

void readQos(const Schema& schema, const ConfigNode& info, ServiceSettings& s, Records& records) {
    if (const ConfigNode* list = info.child("QoS"))
        for (const ConfigNode& n : list->children) {
            if (n.name != "QoSEntry") {
                error(records, n, "unsupported configuration element [" + n.name + "] in QoS; element ignored");
                continue;
            }
            const ConfigEntry e = readFilter(schema, &n, Section::qosEntry, {}, records);
            ServiceQos q;
            if (const ConfigValue* v = e.find("Timeliness")) q.timeliness = static_cast<std::uint32_t>(v->number);
            if (const ConfigValue* v = e.find("Rate")) q.rate = static_cast<std::uint32_t>(v->number);
            s.qos.push_back(q);
        }
    // A service without QoS gets one entry of zeros: realtime, tick by tick.
    if (s.qos.empty()) s.qos.push_back({});
}

bool readCapabilities(const ConfigNode& service, const ConfigNode& info, ServiceSettings& s, Records& records) {
    if (const ConfigNode* list = info.child("Capabilities"))
        for (const ConfigNode& n : list->children) {
            const std::uint8_t domain = n.name == "CapabilitiesEntry" ? domainNumber(n.value) : std::uint8_t{0};
            if (domain == 0) error(records, n, "invalid capability [" + n.value + "]; entry ignored");
            else s.capabilities.push_back(domain);
        }
    if (s.capabilities.empty())
        error(records, service, "service [" + s.name + "] has no valid Capabilities; service dropped");
    return !s.capabilities.empty();
}

/// False when the value does not fit (the service is dropped).
template <class T>
bool readLoad(const ConfigEntry& load, const char* parameter, std::int64_t limit, std::optional<T>& out,
              const ConfigNode& at, Records& records) {
    const ConfigValue* v = load.find(parameter);
    if (v == nullptr) return true;
    if (v->number > limit) {
        error(records, at,
              std::string(parameter) + " [" + v->text + "] is larger than " + std::to_string(limit) +
                  "; service dropped");
        return false;
    }
    out = static_cast<T>(v->number);
    return true;
}

void readStatus(const Schema& schema, const ConfigNode* state, ServiceSettings& s, Records& records) {
    const ConfigNode* node = state == nullptr ? nullptr : state->child("Status");
    if (node == nullptr) return;
    const ConfigEntry e = readFilter(schema, node, Section::serviceStatus, {}, records);
    if (e.values.empty()) return;
    ServiceSettings::Status status;
    if (const ConfigValue* v = e.find("StreamState")) status.streamState = static_cast<std::uint8_t>(v->number);
    if (const ConfigValue* v = e.find("DataState")) status.dataState = static_cast<std::uint8_t>(v->number);
    if (const ConfigValue* v = e.find("StatusCode")) status.code = static_cast<std::uint8_t>(v->number);
    status.text = textOf(e, "StatusText").value_or("");
    s.status = status;
}

}  // namespace

std::uint8_t domainNumber(std::string_view text) noexcept {
    for (const DomainName& d : kDomains)
        if (text == d.name) return d.number;
    unsigned n = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), n);
    return ec == std::errc() && end == text.data() + text.size() && n >= 1 && n <= 255 ? static_cast<std::uint8_t>(n)
                                                                                       : std::uint8_t{0};
}

std::optional<ServiceSettings> readService(const Schema& schema, const Configuration& c, const ConfigNode& node,
                                           Records& records, bool& hasId) {
    ServiceSettings s;
    if (const ConfigNode* name = node.child("Name")) s.name = name->value;
    if (s.name.empty()) {
        records.push_back({LogSeverity::warning, "Service entry without a Name; service ignored (" + node.place + ")"});
        return {};
    }
    for (const ConfigNode& n : node.children)
        if (n.name != "Name" && n.name != "InfoFilter" && n.name != "StateFilter" && n.name != "LoadFilter")
            error(records, n, "unsupported configuration element [" + n.name + "] in Service; element ignored");
    const ConfigNode* infoNode = node.child("InfoFilter");
    static const ConfigNode none;
    const ConfigNode& info = infoNode == nullptr ? none : *infoNode;
    const ConfigEntry i = readFilter(schema, infoNode, Section::serviceInfo,
                                     {"Capabilities", "DictionariesProvided", "DictionariesUsed", "QoS"}, records);
    if (const ConfigValue* id = i.find("ServiceId")) {
        if (id->number > 65535)
            return error(records, node,
                         "ServiceId [" + id->text + "] of service [" + s.name + "] is above 65535; service dropped"),
                   std::nullopt;
        s.serviceId = static_cast<std::uint16_t>(id->number);
        hasId = true;
    }
    if (!readCapabilities(node, info, s, records)) return {};
    s.vendor = textOf(i, "Vendor");
    s.itemList = textOf(i, "ItemList");
    s.isSource = isOn(i, "IsSource", false);
    s.supportsQosRange = isOn(i, "SupportsQoSRange", false);
    s.acceptingConsumerStatus = isOn(i, "AcceptingConsumerStatus", false);
    s.supportsOutOfBandSnapshots = isOn(i, "SupportsOutOfBandSnapshots", false);
    readDictionaries(c, info, "DictionariesProvided", "DictionariesProvidedEntry", s.dictionariesProvided, records);
    readDictionaries(c, info, "DictionariesUsed", "DictionariesUsedEntry", s.dictionariesUsed, records);
    readQos(schema, info, s, records);
    const ConfigNode* state = node.child("StateFilter");
    const ConfigEntry st = readFilter(schema, state, Section::serviceState, {"Status"}, records);
    s.serviceUp = isOn(st, "ServiceState", true);
    s.acceptingRequests = isOn(st, "AcceptingRequests", true);
    readStatus(schema, state, s, records);
    const ConfigEntry load = readFilter(schema, node.child("LoadFilter"), Section::serviceLoad, {}, records);
    if (!readLoad(load, "OpenLimit", 4294967295, s.openLimit, node, records) ||
        !readLoad(load, "OpenWindow", 4294967295, s.openWindow, node, records) ||
        !readLoad(load, "LoadFactor", 65535, s.loadFactor, node, records))
        return {};
    return s;
}

std::vector<ServiceSettings> resolveServices(const Schema& schema, const Configuration& c, const ConfigEntry& directory,
                                             Records& records) {
    std::vector<ServiceSettings> services;
    std::vector<std::size_t> withoutId;
    std::set<std::uint16_t> ids;
    for (const ConfigNode& node : directory.nested) {
        bool hasId = false;
        std::optional<ServiceSettings> s = readService(schema, c, node, records, hasId);
        if (!s) continue;
        const bool sameName =
            std::any_of(services.begin(), services.end(), [&](const auto& o) { return o.name == s->name; });
        if (sameName || (hasId && ids.count(s->serviceId) != 0)) {
            error(records, node,
                  "service [" + s->name + "] repeats the " + (sameName ? "name" : "ServiceId") +
                      " of another service; service dropped");
            continue;
        }
        if (hasId) {
            ids.insert(s->serviceId);
        } else {
            records.push_back({LogSeverity::warning,
                               "service [" + s->name + "] has no ServiceId; one is assigned (" + node.place + ")"});
            withoutId.push_back(services.size());
        }
        services.push_back(std::move(*s));
    }
    // Only now every configured id is known.
    std::uint16_t next = 0;
    for (const std::size_t at : withoutId) {
        while (ids.count(next) != 0)
            ++next;
        services[at].serviceId = next++;
    }
    return services;
}

}  // namespace emissary::parameters
