#include "json/RwfToJson.h"

#include "eta/codec/primitives.h"

namespace emissary::eta::json {

using codec::Msg;
using codec::MsgClass;
using codec::MsgKey;

namespace {

constexpr std::uint8_t kLoginDomain = 1, kMarketPriceDomain = 6;
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

bool RwfToJson::fail(Errc code) noexcept {
    return fail(Error{code, 0});
}
bool RwfToJson::fail(Error e) noexcept {
    if (error_.ok()) error_ = e;
    return false;
}
bool RwfToJson::deeper(int depth) noexcept {
    return depth < codec::kMaxDepth || fail(Errc::tooDeep);
}

void RwfToJson::flag(std::string_view member, bool value) noexcept {
    w_.raw(member);
    w_.raw(value ? "true" : "false");
}
template <class T>
void RwfToJson::number(std::string_view member, T value) noexcept {
    w_.raw(member);
    if constexpr (std::is_signed_v<T>) w_.integer(static_cast<std::int64_t>(value));
    else w_.integer(static_cast<std::uint64_t>(value));
}
template <std::size_t N>
void RwfToJson::wordValue(const WordTable<N>& table, std::uint8_t value) noexcept {
    const std::string_view text = table.textOf(value);
    if (text.empty()) return w_.integer(std::uint64_t{value});
    w_.raw('"');
    w_.raw(text);
    w_.raw('"');
}
template <std::size_t N>
void RwfToJson::word(std::string_view member, const WordTable<N>& table, std::uint8_t value) noexcept {
    w_.raw(member);
    wordValue(table, value);
}
void RwfToJson::data(std::string_view member, Bytes value) noexcept {
    w_.raw(member);
    w_.base64(value);
}

bool RwfToJson::messageObject(Bytes in, int depth) noexcept {
    if (!deeper(depth)) return false;
    Msg m;
    if (const Error e = codec::decodeMsg(in, m); !e.ok()) return fail(e);
    const bool batchClose = m.cls == MsgClass::Close && m.has(codec::CloseFlag::batch);
    const bool special =
        batchClose || (m.cls == MsgClass::Request && m.has(codec::RequestFlag::batch | codec::RequestFlag::view));
    w_.raw("{\"ID\":");
    if (!batchClose) w_.integer(std::int64_t{m.streamId});
    else if (!bodyArray(m, kStreamIdList)) return false;
    word(",\"Type\":", kMessageTypes, static_cast<std::uint8_t>(m.cls));
    if (m.domain != kMarketPriceDomain) word(",\"Domain\":", kDomains, m.domain);
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
        if (m.has(codec::CloseFlag::ack)) flag(",\"Ack\":", true);
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
    if (!special && !payload(m.containerType, m.payload, nullptr, depth + 1)) return false;
    w_.raw('}');
    return true;
}

bool RwfToJson::request(const Msg& m) noexcept {
    namespace F = codec::RequestFlag;
    if (!m.has(F::streaming)) flag(",\"Streaming\":", false);
    if (m.flags != 0 && !m.has(F::msgKeyInUpdates)) flag(",\"KeyInUpdates\":", false);
    if (m.has(F::confInfoInUpdates)) flag(",\"ConfInfoInUpdates\":", true);
    if (m.has(F::noRefresh)) flag(",\"Refresh\":", false);
    if (m.has(F::privateStream)) flag(",\"Private\":", true);
    if (m.has(F::qualified)) flag(",\"Qualified\":", true);
    if (m.has(F::pause)) flag(",\"Pause\":", true);
    if (m.has(F::priority)) {
        number(",\"Priority\":{\"Class\":", m.priorityClass);
        number(",\"Count\":", m.priorityCount);
        w_.raw('}');
    }
    if (m.has(F::qos)) {
        w_.raw(",\"Qos\":");
        qos(m.qos);
    }
    if (m.has(F::worstQos)) {
        w_.raw(",\"WorstQos\":");
        qos(m.worstQos);
    }
    return !m.has(F::view) || view(m);
}

bool RwfToJson::view(const Msg& m) noexcept {
    Bytes type;
    std::uint64_t number = kFieldIdView;
    if (findElement(m.payload, kViewType, DataType::UInt, type) &&
        codec::decodeUInt(type, number) == codec::Decoded::malformed)
        return fail(Errc::badLength);
    if (number == kElementNameView) w_.raw(",\"ViewType\":\"NameList\"");
    w_.raw(",\"View\":");
    return bodyArray(m, kViewData);
}

bool RwfToJson::bodyArray(const Msg& m, std::string_view name) noexcept {
    Bytes content;
    if (m.containerType != DataType::ElementList || !findElement(m.payload, name, DataType::Array, content))
        return fail(Errc::badValue);
    codec::ArrayDecoder items;
    if (const Error e = items.start(content); !e.ok()) return fail(e);
    w_.raw('[');
    Bytes item;
    for (bool comma = false; items.next(item); comma = true) {
        if (comma) w_.raw(',');
        if (!value(items.itemType(), item, DataType::Unknown, nullptr, 0)) return false;
    }
    w_.raw(']');
    return items.error().ok() || fail(items.error());
}

void RwfToJson::refresh(const Msg& m) noexcept {
    namespace F = codec::RefreshFlag;
    w_.raw(",\"State\":");
    state(m.state);
    if (m.flags != 0) {
        if (!m.has(F::complete)) flag(",\"Complete\":", false);
        if (!m.has(F::clearCache)) flag(",\"ClearCache\":", false);
        if (!m.has(F::solicited)) flag(",\"Solicited\":", false);
    }
    if (m.has(F::doNotCache)) flag(",\"DoNotCache\":", true);
    if (m.has(F::privateStream)) flag(",\"Private\":", true);
    if (m.has(F::qualified)) flag(",\"Qualified\":", true);
    if (m.has(F::qos)) {
        w_.raw(",\"Qos\":");
        qos(m.qos);
    }
}

void RwfToJson::status(const Msg& m) noexcept {
    namespace F = codec::StatusFlag;
    if (m.has(F::state)) {
        w_.raw(",\"State\":");
        state(m.state);
    }
    if (m.has(F::clearCache)) flag(",\"ClearCache\":", true);
    if (m.has(F::privateStream)) flag(",\"Private\":", true);
    if (m.has(F::qualified)) flag(",\"Qualified\":", true);
}

void RwfToJson::update(const Msg& m) noexcept {
    namespace F = codec::UpdateFlag;
    word(",\"UpdateType\":", kUpdateTypes, m.updateType);
    if (m.has(F::doNotCache)) flag(",\"DoNotCache\":", true);
    if (m.has(F::doNotConflate)) flag(",\"DoNotConflate\":", true);
    if (m.has(F::doNotRipple)) flag(",\"DoNotRipple\":", true);
    if (m.has(F::discardable)) flag(",\"Discardable\":", true);
    if (m.has(F::confInfo)) {
        number(",\"ConflationInfo\":{\"Count\":", m.conflationCount);
        number(",\"Time\":", m.conflationTime);
        w_.raw('}');
    }
}

void RwfToJson::ack(const Msg& m) noexcept {
    namespace F = codec::AckFlag;
    number(",\"AckID\":", m.ackId);
    if (m.has(F::nakCode)) word(",\"NakCode\":", kNakCodes, m.nakCode);
    if (m.has(F::text)) {
        w_.raw(",\"Text\":");
        w_.string(asText(m.text));
    }
    if (m.has(F::privateStream)) flag(",\"Private\":", true);
    if (m.has(F::qualified)) flag(",\"Qualified\":", true);
}

void RwfToJson::generic(const Msg& m) noexcept {
    namespace F = codec::GenericFlag;
    if (!m.has(F::complete)) flag(",\"Complete\":", false);
    if (m.has(F::secondarySeqNum)) number(",\"SecSeqNumber\":", m.secondarySeqNum);
    if (m.has(F::providerDriven)) flag(",\"ProviderDriven\":", true);
}

void RwfToJson::post(const Msg& m) noexcept {
    namespace F = codec::PostFlag;
    if (m.has(F::ack)) flag(",\"Ack\":", true);
    if (m.has(F::postId)) number(",\"PostID\":", m.postId);
    if (!m.has(F::complete)) flag(",\"Complete\":", false);
    if (m.has(F::postUserRights)) number(",\"PostUserRights\":", m.postUserRights);
}

void RwfToJson::commonTail(const Msg& m) noexcept {
    if (m.hasPostUserInfo()) {
        w_.raw(",\"PostUserInfo\":{\"Address\":");
        w_.address(m.postUserAddress);
        number(",\"UserID\":", m.postUserId);
        w_.raw('}');
    }
    if (m.hasPermData()) data(",\"PermData\":", m.permData);
    if (m.hasSeqNum()) number(",\"SeqNumber\":", m.seqNum);
    if (m.hasPartNum()) number(",\"PartNumber\":", m.partNum);
    if (m.hasExtendedHeader()) data(",\"ExtHdr\":", m.extendedHeader);
}

bool RwfToJson::key(const Msg& m, int depth) noexcept {
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
    }
    const std::uint8_t nameType = k.has(F::nameType) ? k.nameType : std::uint8_t{1};
    if (nameType != 1) {
        member("\"NameType\":");
        if (m.domain == kLoginDomain) wordValue(kLoginNameTypes, nameType);
        else wordValue(kNameTypes, nameType);
    }
    if (m.cls == MsgClass::Request && m.has(codec::RequestFlag::batch)) {
        member("\"Name\":");
        if (!bodyArray(m, kItemList)) return false;
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
    if (k.has(F::attrib) && !payload(k.attribType, k.attrib, nullptr, depth + 1, !comma)) return false;
    w_.raw('}');
    return true;
}

void RwfToJson::qos(const codec::Qos& v) noexcept {
    constexpr std::uint8_t kDelayed = 3, kTimeConflated = 3;
    word("{\"Timeliness\":", kTimelinesses, v.timeliness);
    word(",\"Rate\":", kRates, v.rate);
    if (v.timeliness == kDelayed) number(",\"TimeInfo\":", v.timeInfo);
    if (v.rate == kTimeConflated) number(",\"RateInfo\":", v.rateInfo);
    if (v.dynamic) flag(",\"Dynamic\":", true);
    w_.raw('}');
}

void RwfToJson::state(const codec::State& v) noexcept {
    word("{\"Stream\":", kStreamStates, v.stream);
    word(",\"Data\":", kDataStates, v.data);
    if (v.code != 0) word(",\"Code\":", kStateCodes, v.code);
    if (!v.text.empty()) {
        w_.raw(",\"Text\":");
        w_.string(asText(v.text));
    }
    w_.raw('}');
}

}  // namespace emissary::eta::json
