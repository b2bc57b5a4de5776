// Decodes and encodes the attributes of logins, and rewrites those that contain a token.
#include "reactor/rdm/Login.h"

#include "reactor/rdm/login_user.h"

#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "eta/codec/primitives.h"

#include <charconv>
#include <iterator>

namespace emissary::reactor::rdm {

using namespace eta::codec;

namespace {

using Text = std::optional<std::string> LoginAttributes::*;
using Number = std::optional<std::uint64_t> LoginAttributes::*;

struct ElementName {
    std::string_view name;
    Text text = nullptr;
    Number number = nullptr;
    bool buffer = false;
    bool ofAnswer = false;  ///< what providers say of themselves: a request needs none of it
};

// In the order of emission (rdm.md 2.1).
constexpr ElementName kElements[] = {
    {"AuthenticationToken", &LoginAttributes::authenticationToken},
    {"AuthenticationExtended", &LoginAttributes::authenticationExtended, nullptr, true},
    {"ApplicationId", &LoginAttributes::applicationId},
    {"ApplicationName", &LoginAttributes::applicationName},
    {"ApplicationAuthorizationToken", &LoginAttributes::authorizationToken},
    {"Position", &LoginAttributes::position},
    {"Password", &LoginAttributes::password},
    {"InstanceId", &LoginAttributes::instanceId},
    {"ProvidePermissionProfile", nullptr, &LoginAttributes::permissionProfile},
    {"ProvidePermissionExpressions", nullptr, &LoginAttributes::permissionExpressions},
    {"SingleOpen", nullptr, &LoginAttributes::singleOpen},
    {"SupportProviderDictionaryDownload", nullptr, &LoginAttributes::supportDictionaryDownload},
    {"AllowSuspectData", nullptr, &LoginAttributes::allowSuspectData},
    {"Role", nullptr, &LoginAttributes::role},
    {"DownloadConnectionConfig", nullptr, &LoginAttributes::downloadConnectionConfig},
    {"RoundTripLatency", nullptr, &LoginAttributes::roundTripLatency},
    {"UpdateTypeFilter", nullptr, &LoginAttributes::updateTypeFilter},
    {"NegativeUpdateTypeFilter", nullptr, &LoginAttributes::negativeUpdateTypeFilter},
    {"SupportOMMPost", nullptr, &LoginAttributes::supportPost, false, true},
    {"SupportBatchRequests", nullptr, &LoginAttributes::supportBatch, false, true},
    {"SupportViewRequests", nullptr, &LoginAttributes::supportView, false, true},
    {"SupportOptimizedPauseResume", nullptr, &LoginAttributes::supportPauseResume, false, true},
    {"SupportStandby", nullptr, &LoginAttributes::supportStandby, false, true},
    {"SupportStandbyMode", nullptr, &LoginAttributes::supportStandbyMode, false, true},
    {"SupportEnhancedSymbolList", nullptr, &LoginAttributes::supportEnhancedSymbolList, false, true},
    {"AuthenticationTTReissue", nullptr, &LoginAttributes::authenticationTtReissue, false, true},
    {"AuthenticationErrorCode", nullptr, &LoginAttributes::authenticationErrorCode, false, true},
    {"AuthenticationErrorText", &LoginAttributes::authenticationErrorText, nullptr, false, true},
};

// What a login refresh means when it does not say so (rdm.md 2.2); the value of each is 1.
constexpr std::string_view kRefreshDefaults[] = {"AllowSuspectData", "ProvidePermissionExpressions",
                                                 "ProvidePermissionProfile"};

const ElementName* find(std::string_view name) noexcept {
    for (const ElementName& e : kElements)
        if (e.name == name) return &e;
    return nullptr;
}

bool isText(DataType t) noexcept {
    return t == DataType::AsciiString || t == DataType::Buffer || t == DataType::Utf8String ||
           t == DataType::RmtesString;
}

/// An integer that is not negative, or its digits; 0 for what is blank.
Errc readNumber(const ElementEntry& entry, std::uint64_t& out) noexcept {
    out = 0;
    if (isText(entry.type)) {
        const std::string_view text = eta::asText(entry.data);
        const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
        return text.empty() || (read.ec == std::errc{} && read.ptr == text.data() + text.size()) ? Errc::ok
                                                                                                 : Errc::badValue;
    }
    if (entry.type == DataType::UInt)
        return decodeUInt(entry.data, out) == Decoded::malformed ? Errc::badLength : Errc::ok;
    if (entry.type != DataType::Int) return Errc::unsupportedType;
    std::int64_t v = 0;
    if (decodeInt(entry.data, v) == Decoded::malformed) return Errc::badLength;
    out = static_cast<std::uint64_t>(v);
    return v < 0 ? Errc::badValue : Errc::ok;
}

/// `needs`: whether the message is good for nothing when this element cannot be read; else the element is left out.
template <class Needs>
Error readElements(const MsgKey& key, LoginAttributes& out, std::string_view* faulty, Needs needs) {
    out = {};
    if (faulty != nullptr) *faulty = {};
    if (!key.has(KeyFlag::attrib) || key.attribType == DataType::NoData) return {};
    if (key.attribType != DataType::ElementList) return {Errc::unsupportedType, 0};
    ElementListDecoder list;
    if (Error e = list.start(key.attrib); !e.ok()) return e;
    ElementEntry entry;
    while (list.next(entry)) {
        const ElementName* known = find(eta::asText(entry.name));
        if (known == nullptr) continue;
        std::uint64_t v = 0;
        const Errc read = known->text != nullptr && isText(entry.type) ? Errc::ok : readNumber(entry, v);
        if (read != Errc::ok) {
            if (!needs(*known)) continue;
            if (faulty != nullptr) *faulty = eta::asText(entry.name);
            return {read, 0};
        }
        if (known->text == nullptr) {
            if (!entry.data.empty()) out.*known->number = v;
        } else if (isText(entry.type)) {
            out.*known->text = std::string(eta::asText(entry.data));
        } else if (!entry.data.empty()) {
            out.*known->text = std::to_string(v);
        }
    }
    return list.error();
}

}  // namespace

Error decodeLogin(const MsgKey& key, LoginAttributes& out, std::string_view* faulty) {
    return readElements(key, out, faulty, [](const ElementName& e) { return !e.ofAnswer; });
}

Error decodeLoginAnswer(const MsgKey& key, LoginAttributes& out) {
    return readElements(key, out, nullptr, [](const ElementName&) { return false; });
}

bool sameUser(const MsgKey& first, const MsgKey& again) noexcept {
    const auto typeOf = [](const MsgKey& key) {
        return key.has(KeyFlag::nameType) ? key.nameType : LoginNameType::userName;
    };
    const bool named = again.has(KeyFlag::name);
    if ((named || again.has(KeyFlag::nameType)) && typeOf(again) != typeOf(first)) return false;
    const bool fixed = typeOf(first) == LoginNameType::userName || typeOf(first) == LoginNameType::email;
    return !named || !fixed || eta::asText(again.name) == eta::asText(first.name);
}

Error encodeLogin(eta::BeWriter& out, const LoginAttributes& attributes) noexcept {
    ElementListEncoder list;
    list.begin(out);
    for (const ElementName& e : kElements) {
        if (e.text != nullptr) {
            if (const auto& text = attributes.*e.text)
                list.add(e.name, e.buffer ? DataType::Buffer : DataType::AsciiString, eta::asBytes(*text));
        } else if (const auto& number = attributes.*e.number) {
            list.addUInt(e.name, *number);
        }
    }
    return list.complete();
}

void makeLoginRequest(Msg& msg, std::string_view userName, std::uint8_t nameType, Bytes attributes,
                      std::uint16_t extraFlags) noexcept {
    msg = {};
    msg.cls = MsgClass::Request;
    msg.domain = eta::codec::kLoginDomain;
    msg.streamId = kLoginStreamId;
    msg.flags = static_cast<std::uint16_t>(RequestFlag::streaming | extraFlags);
    msg.key.flags = KeyFlag::name | KeyFlag::nameType;
    msg.key.name = eta::asBytes(userName);
    msg.key.nameType = nameType;
    if (attributes.empty()) return;
    msg.key.flags |= KeyFlag::attrib;
    msg.key.attribType = DataType::ElementList;
    msg.key.attrib = attributes;
}

namespace {

/// One element as it came.
void copyElement(ElementListEncoder& list, eta::BeWriter& out, const ElementEntry& entry) noexcept {
    const std::string_view name = eta::asText(entry.name);
    if (isContainer(entry.type) && entry.type != DataType::NoData) {
        list.beginElement(name, entry.type);
        out.bytes(entry.data);
        list.endElement();
    } else {
        list.add(name, entry.type, entry.data);
    }
}

}  // namespace

Error copyWithToken(eta::BeWriter& out, Bytes attributes, std::string_view token) noexcept {
    ElementListEncoder list;
    list.begin(out);
    list.addAscii("AuthenticationToken", token);
    if (!attributes.empty()) {
        ElementListDecoder in;
        if (Error e = in.start(attributes); !e.ok()) return e;
        ElementEntry entry;
        while (in.next(entry))
            if (eta::asText(entry.name) != "AuthenticationToken") copyElement(list, out, entry);
        if (!in.error().ok()) return in.error();
    }
    return list.complete();
}

Error rewriteLoginAttributes(eta::BeWriter& out, Bytes attributes, bool singleOpen) noexcept {
    ElementListDecoder in;
    if (Error e = in.start(attributes); !e.ok()) return e;
    ElementListEncoder list;
    list.begin(out);
    ElementEntry entry;
    bool said[std::size(kRefreshDefaults)] = {};
    while (in.next(entry)) {
        const std::string_view name = eta::asText(entry.name);
        for (std::size_t i = 0; i < std::size(kRefreshDefaults); ++i)
            said[i] = said[i] || name == kRefreshDefaults[i];
        if (name == "SingleOpen" || name == "SupportBatchRequests" || name == "SupportEnhancedSymbolList") continue;
        copyElement(list, out, entry);
    }
    if (!in.error().ok()) return in.error();
    for (std::size_t i = 0; i < std::size(kRefreshDefaults); ++i)
        if (!said[i]) list.addUInt(kRefreshDefaults[i], 1);
    list.addUInt("SingleOpen", singleOpen ? 1 : 0);
    list.addUInt("SupportBatchRequests", 1);
    list.addUInt("SupportEnhancedSymbolList", 1);
    return list.complete();
}

}  // namespace emissary::reactor::rdm
