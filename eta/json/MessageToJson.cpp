// Writes the object of each message class: header members, key, body, and what is left out when it is a default.
#include "json/MessageToJson.h"

#include "eta/codec/primitives.h"
#include "eta/codec/request_elements.h"
#include "eta/json/carried_service.h"
#include "json/text_forms.h"

#include <array>
#include <cstring>
#include <utility>

namespace emissary::eta::json {

using codec::Msg;
using codec::MsgClass;
using codec::MsgKey;

namespace {

/// Of an update, behind its id.
struct UpdateHead {
    std::array<char, 48> text{};
    std::uint8_t size = 0;
};
/// For each type that has a word.
constexpr auto kUpdateHeads = [] {
    std::array<UpdateHead, 12> heads{};
    for (std::uint8_t type = 0; type < heads.size(); ++type)
        for (const std::string_view part : {std::string_view(R"(,"Type":"Update","UpdateType":")"),
                                            kUpdateTypes.textOf(type), std::string_view("\"")})
            for (const char c : part)
                heads[type].text[heads[type].size++] = c;
    return heads;
}();
/// Most that quickHead() writes: literals, three numbers, the service and the name.
constexpr std::size_t kHeadRoom = 48 + 48 + 3 * kSignedRoom + 2 * kShortCopy + 8;

constexpr std::uint8_t kCookieName = 4, kAuthnTokenName = 5;

/// Content of the element `name` of the list, when it is there with that type.
[[nodiscard]] bool findElement(Bytes list, std::string_view name, codec::DataType type, Bytes& out) noexcept {
    codec::ElementListDecoder elements;
    if (!elements.start(list).ok()) return false;
    codec::ElementEntry entry;
    while (elements.next(entry))
        if (entry.type == type && asText(entry.name) == name) return out = entry.data, true;
    return false;
}

}  // namespace

bool MessageToJson::messageObject(Bytes in, int depth) noexcept {
    if (!w_.deeper(depth)) return false;
    Msg m;
    if (const Error e = codec::decodeMsg(in, m); !e.ok()) return w_.fail(e);
    return messageObject(m, depth);
}

bool MessageToJson::messageObject(const Msg& m, int depth) noexcept {
    const bool batchClose = m.cls == MsgClass::Close && m.has(codec::CloseFlag::batch);
    const bool special =
        batchClose || (m.cls == MsgClass::Request && m.has(codec::RequestFlag::batch | codec::RequestFlag::view));
    if (!quickHead(m) && !head(m, depth, batchClose)) return false;
    if (special ? m.cls == MsgClass::Request && !otherElements(m, depth)
                : !payloads_.payload(m.containerType, m.payload, nullptr, depth + 1))
        return false;
    w_.raw('}');
    return true;
}

bool MessageToJson::quickHead(const Msg& m) noexcept {
    namespace F = codec::UpdateFlag;
    namespace K = codec::KeyFlag;
    constexpr std::uint16_t kUsual = F::msgKey | F::seqNum;
    constexpr std::string_view kServiceMember = R"(,"Key":{"Service":)", kNameMember = R"(,"Name":")",
                               kSeqNumberMember = R"(,"SeqNumber":)";
    if (m.cls != MsgClass::Update || m.domain != codec::kMarketPriceDomain || (m.flags & ~kUsual) != 0 ||
        m.updateType >= kUpdateHeads.size())
        return false;
    char* to = w_.roomFor(kHeadRoom);
    if (to == nullptr) return false;
    const auto literal = [&to](std::string_view text) {
        std::memcpy(to, text.data(), text.size());
        to += text.size();
    };
    literal(R"({"ID":)");
    to = putSigned(to, m.streamId);
    const UpdateHead& head = kUpdateHeads[m.updateType];
    std::memcpy(to, head.text.data(), head.text.size());
    to += head.size;
    if (m.hasKey()) {
        const MsgKey& k = m.key;
        const std::string_view name = asText(k.name);
        if ((k.flags | K::nameType) != (K::serviceId | K::name | K::nameType) ||
            (k.has(K::nameType) && k.nameType != 1) || name.empty() || name.size() > kShortCopy || !isPlainJson(name))
            return false;
        const std::string_view service = services_ == nullptr ? std::string_view{} : services_->nameOf(k.serviceId);
        if (service.size() > kShortCopy || !isPlainJson(service)) return false;
        literal(kServiceMember);
        if (service.empty()) {
            to = putDigits(to, k.serviceId);
        } else {
            *to = '"';
            to = copyShort(to + 1, service.data(), service.size());
            *to++ = '"';
        }
        literal(kNameMember);
        to = copyShort(to, name.data(), name.size());
        literal("\"}");
    }
    if (m.hasSeqNum()) {
        literal(kSeqNumberMember);
        to = putDigits(to, m.seqNum);
    }
    w_.endAt(to);
    return true;
}

/// Everything before the payload.
bool MessageToJson::head(const Msg& m, int depth, bool batchClose) noexcept {
    w_.raw("{\"ID\":");
    if (!batchClose) w_.integer(std::int64_t{m.streamId});
    else if (!bodyArray(m, codec::kStreamIdList)) return false;
    w_.word(",\"Type\":", kMessageTypes, static_cast<std::uint8_t>(m.cls));
    if (m.domain != codec::kMarketPriceDomain) w_.word(",\"Domain\":", kDomains, m.domain);
    switch (m.cls) {
    case MsgClass::Request:
        if (!request(m)) return false;
        break;
    case MsgClass::Refresh:
        refresh(m);
        break;
    case MsgClass::Status:
        status(m);
        break;
    case MsgClass::Update:
        update(m);
        break;
    case MsgClass::Close:
        if (m.has(codec::CloseFlag::ack)) w_.flag(",\"Ack\":", true);
        break;
    case MsgClass::Ack:
        ack(m);
        break;
    case MsgClass::Generic:
        generic(m);
        break;
    case MsgClass::Post:
        post(m);
        break;
    }
    if (m.hasKey() && !key(m, depth)) return false;
    commonTail(m);
    return true;
}

bool MessageToJson::request(const Msg& m) noexcept {
    namespace F = codec::RequestFlag;
    if (!m.has(F::streaming)) w_.flag(",\"Streaming\":", false);
    if (m.flags != 0 && !m.has(F::msgKeyInUpdates)) w_.flag(",\"KeyInUpdates\":", false);
    if (m.has(F::confInfoInUpdates)) w_.flag(",\"ConfInfoInUpdates\":", true);
    if (m.has(F::noRefresh)) w_.flag(",\"Refresh\":", false);
    if (m.has(F::privateStream)) w_.flag(",\"Private\":", true);
    if (m.has(F::qualified)) w_.flag(",\"Qualified\":", true);
    if (m.has(F::pause)) w_.flag(",\"Pause\":", true);
    if (m.has(F::priority)) {
        w_.number(",\"Priority\":{\"Class\":", m.priorityClass);
        w_.number(",\"Count\":", m.priorityCount);
        w_.raw('}');
    }
    if (m.has(F::qos)) {
        w_.raw(",\"Qos\":");
        values_.qos(m.qos);
    }
    if (m.has(F::worstQos)) {
        w_.raw(",\"WorstQos\":");
        values_.qos(m.worstQos);
    }
    return !m.has(F::view) || view(m);
}

bool MessageToJson::view(const Msg& m) noexcept {
    Bytes type;
    std::uint64_t number = codec::kFieldIdView;
    if (findElement(m.payload, codec::kViewType, DataType::UInt, type) &&
        codec::decodeUInt(type, number) == codec::Decoded::malformed)
        return w_.fail(Errc::badLength);
    if (number == codec::kElementNameView) w_.raw(",\"ViewType\":\"NameList\"");
    w_.raw(",\"View\":");
    return bodyArray(m, codec::kViewData);
}

/// What a request's element list has beside the batch and the view.
bool MessageToJson::otherElements(const Msg& m, int depth) noexcept {
    const auto isOther = [](const codec::ElementEntry& e) {
        const std::string_view name = asText(e.name);
        return name != codec::kItemList && name != codec::kViewType && name != codec::kViewData;
    };
    codec::ElementListDecoder list;
    if (const Error e = list.start(m.payload); !e.ok()) return w_.fail(e);
    bool any = false;
    for (codec::ElementEntry entry; list.next(entry);)
        any = any || isOther(entry);
    if (!list.error().ok()) return w_.fail(list.error());
    if (!any) return true;
    w_.raw(",\"Elements\":");
    return payloads_.elements(m.payload, nullptr, depth + 1, isOther);
}

bool MessageToJson::bodyArray(const Msg& m, std::string_view name) noexcept {
    Bytes content;
    if (m.containerType != DataType::ElementList || !findElement(m.payload, name, DataType::Array, content))
        return w_.fail(Errc::badValue);
    codec::ArrayDecoder items;
    if (const Error e = items.start(content); !e.ok()) return w_.fail(e);
    w_.raw('[');
    Bytes item;
    for (bool comma = false; items.next(item); comma = true) {
        if (comma) w_.raw(',');
        if (!values_.value(items.itemType(), item, DataType::Unknown, nullptr, 0)) return false;
    }
    w_.raw(']');
    return items.error().ok() || w_.fail(items.error());
}

void MessageToJson::refresh(const Msg& m) noexcept {
    namespace F = codec::RefreshFlag;
    w_.raw(",\"State\":");
    values_.state(m.state);
    if (m.flags != 0) {
        if (!m.has(F::complete)) w_.flag(",\"Complete\":", false);
        if (!m.has(F::clearCache)) w_.flag(",\"ClearCache\":", false);
        if (!m.has(F::solicited)) w_.flag(",\"Solicited\":", false);
    }
    if (m.has(F::doNotCache)) w_.flag(",\"DoNotCache\":", true);
    if (m.has(F::privateStream)) w_.flag(",\"Private\":", true);
    if (m.has(F::qualified)) w_.flag(",\"Qualified\":", true);
    if (m.has(F::qos)) {
        w_.raw(",\"Qos\":");
        values_.qos(m.qos);
    }
}

void MessageToJson::status(const Msg& m) noexcept {
    namespace F = codec::StatusFlag;
    if (m.has(F::state)) {
        w_.raw(",\"State\":");
        values_.state(m.state);
    }
    if (m.has(F::clearCache)) w_.flag(",\"ClearCache\":", true);
    if (m.has(F::privateStream)) w_.flag(",\"Private\":", true);
    if (m.has(F::qualified)) w_.flag(",\"Qualified\":", true);
}

void MessageToJson::update(const Msg& m) noexcept {
    namespace F = codec::UpdateFlag;
    w_.word(",\"UpdateType\":", kUpdateTypes, m.updateType);
    if (m.has(F::doNotCache)) w_.flag(",\"DoNotCache\":", true);
    if (m.has(F::doNotConflate)) w_.flag(",\"DoNotConflate\":", true);
    if (m.has(F::doNotRipple)) w_.flag(",\"DoNotRipple\":", true);
    if (m.has(F::discardable)) w_.flag(",\"Discardable\":", true);
    if (m.has(F::confInfo)) {
        w_.number(",\"ConflationInfo\":{\"Count\":", m.conflationCount);
        w_.number(",\"Time\":", m.conflationTime);
        w_.raw('}');
    }
}

void MessageToJson::ack(const Msg& m) noexcept {
    namespace F = codec::AckFlag;
    w_.number(",\"AckID\":", m.ackId);
    if (m.has(F::nakCode)) w_.word(",\"NakCode\":", kNakCodes, m.nakCode);
    if (m.has(F::text)) {
        w_.raw(",\"Text\":");
        w_.string(asText(m.text));
    }
    if (m.has(F::privateStream)) w_.flag(",\"Private\":", true);
    if (m.has(F::qualified)) w_.flag(",\"Qualified\":", true);
}

void MessageToJson::generic(const Msg& m) noexcept {
    namespace F = codec::GenericFlag;
    if (!m.has(F::complete)) w_.flag(",\"Complete\":", false);
    if (m.has(F::secondarySeqNum)) w_.number(",\"SecSeqNumber\":", m.secondarySeqNum);
    if (m.has(F::providerDriven)) w_.flag(",\"ProviderDriven\":", true);
}

void MessageToJson::post(const Msg& m) noexcept {
    namespace F = codec::PostFlag;
    if (m.has(F::ack)) w_.flag(",\"Ack\":", true);
    if (m.has(F::postId)) w_.number(",\"PostID\":", m.postId);
    if (!m.has(F::complete)) w_.flag(",\"Complete\":", false);
    if (m.has(F::postUserRights)) w_.number(",\"PostUserRights\":", m.postUserRights);
}

void MessageToJson::commonTail(const Msg& m) noexcept {
    if (m.hasPostUserInfo()) {
        w_.raw(",\"PostUserInfo\":{\"Address\":");
        w_.address(m.postUserAddress);
        w_.number(",\"UserID\":", m.postUserId);
        w_.raw('}');
    }
    if (m.hasPermData()) w_.data(",\"PermData\":", m.permData);
    if (m.hasSeqNum()) w_.number(",\"SeqNumber\":", m.seqNum);
    if (m.hasPartNum()) w_.number(",\"PartNumber\":", m.partNum);
    if (m.hasExtendedHeader() && carriedService(m).empty()) w_.data(",\"ExtHdr\":", m.extendedHeader);
}

bool MessageToJson::key(const Msg& m, int depth) noexcept {
    namespace F = codec::KeyFlag;
    const MsgKey& k = m.key;
    w_.raw(",\"Key\":{");
    bool comma = false;
    const auto member = [&](std::string_view name) {
        if (std::exchange(comma, true)) w_.raw(',');
        w_.raw(name);
    };
    if (k.has(F::serviceId)) {
        member("\"Service\":");
        const std::string_view service = services_ == nullptr ? std::string_view{} : services_->nameOf(k.serviceId);
        if (service.empty()) w_.integer(std::uint64_t{k.serviceId});
        else w_.string(service);
    } else if (const std::string_view carried = carriedService(m); !carried.empty()) {
        member("\"Service\":");
        w_.string(carried);
    }
    const std::uint8_t nameType = k.has(F::nameType) ? k.nameType : std::uint8_t{1};
    if (nameType != 1) {
        member("\"NameType\":");
        if (m.domain == codec::kLoginDomain) w_.wordValue(kLoginNameTypes, nameType);
        else w_.wordValue(kNameTypes, nameType);
    }
    if (m.cls == MsgClass::Request && m.has(codec::RequestFlag::batch)) {
        member("\"Name\":");
        if (!bodyArray(m, codec::kItemList)) return false;
    } else if (k.has(F::name) && nameType != kCookieName && nameType != kAuthnTokenName) {
        member("\"Name\":");
        const std::string_view name = asText(k.name);
        w_.stringOrNull(name == std::string_view("\0", 1) ? std::string_view{} : name);
    }
    if (k.has(F::filter)) {
        member("\"Filter\":");
        w_.integer(std::uint64_t{k.filter});
    }
    if (k.has(F::identifier)) {
        member("\"Identifier\":");
        w_.integer(std::int64_t{k.identifier});
    }
    if (k.has(F::attrib) && !payloads_.payload(k.attribType, k.attrib, nullptr, depth + 1, !comma)) return false;
    w_.raw('}');
    return true;
}

}  // namespace emissary::eta::json
