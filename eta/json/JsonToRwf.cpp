#include "json/JsonToRwf.h"

#include "json/base64.h"
#include "json/text_values.h"

#include <limits>

namespace emissary::eta::json {

using codec::ArrayEncoder;
using codec::ElementListEncoder;
using codec::Msg;
using codec::MsgClass;

namespace {

constexpr std::uint8_t kLoginDomain = 1, kSourceDomain = 4;
constexpr std::uint8_t kCookieName = 4, kAuthnTokenName = 5;
constexpr std::uint64_t kMax32 = std::numeric_limits<std::uint32_t>::max(), kMax16 = 0xFFFF, kMax15 = 0x7FFF,
                        kMax8 = 0xFF;

constexpr MemberSet kPayloads{Member::Fields,  Member::FieldList, Member::Elements, Member::ElementList,
                              Member::Map,     Member::Vector,    Member::Series,   Member::FilterList,
                              Member::Message, Member::Opaque,    Member::Xml,      Member::Json};
constexpr MemberSet kCommon =
    kPayloads | MemberSet{Member::ID, Member::Type, Member::Domain, Member::Key, Member::ExtHdr, Member::ReqKey};
/// What each class may have, by its number.
constexpr std::array<MemberSet, 9> kAllowed{
    MemberSet{},
    kCommon | MemberSet{Member::Streaming, Member::KeyInUpdates, Member::ConfInfoInUpdates, Member::Refresh,
                        Member::Private, Member::Qualified, Member::Pause, Member::Priority, Member::Qos,
                        Member::WorstQos, Member::View, Member::ViewType},
    kCommon | MemberSet{Member::State, Member::Complete, Member::ClearCache, Member::Solicited, Member::DoNotCache,
                        Member::Private, Member::Qualified, Member::Qos, Member::SeqNumber, Member::PartNumber,
                        Member::PermData, Member::PostUserInfo},
    kCommon | MemberSet{Member::State, Member::ClearCache, Member::Private, Member::Qualified, Member::PermData,
                        Member::PostUserInfo},
    kCommon | MemberSet{Member::UpdateType, Member::DoNotCache, Member::DoNotConflate, Member::DoNotRipple,
                        Member::Discardable, Member::SeqNumber, Member::PermData, Member::PostUserInfo,
                        Member::ConflationInfo},
    kCommon | MemberSet{Member::Ack},
    kCommon |
        MemberSet{Member::AckID, Member::NakCode, Member::Text, Member::SeqNumber, Member::Private, Member::Qualified},
    kCommon | MemberSet{Member::Complete, Member::SeqNumber, Member::SecSeqNumber, Member::PartNumber, Member::PermData,
                        Member::ProviderDriven},
    kCommon | MemberSet{Member::PostUserInfo, Member::Ack, Member::PostID, Member::SeqNumber, Member::PartNumber,
                        Member::Complete, Member::PostUserRights, Member::PermData},
};
constexpr MemberSet kKeyMembers =
    kPayloads | MemberSet{Member::Service, Member::NameType, Member::Name, Member::Filter, Member::Identifier};
constexpr MemberSet kPriorityMembers{Member::Class, Member::Count}, kConflationMembers{Member::Count, Member::Time},
    kPostUserMembers{Member::Address, Member::UserID},
    kStateMembers{Member::Stream, Member::Data, Member::Code, Member::Text},
    kQosMembers{Member::Timeliness, Member::Rate, Member::TimeInfo, Member::RateInfo, Member::Dynamic};

// A State or group that a message always carries but JSON may leave out (json.md 4.2, 8).
constexpr std::array<std::byte, 2> kNoGroup{};

}  // namespace

bool JsonToRwf::fail(ErrorClass cls, NodeIndex at) noexcept {
    if (failed_) return false;
    failed_ = true;
    failure_.cls = cls;
    failure_.offset = tree_[at].offset;
    const Kind kind = tree_.kind(at);
    failure_.received = kind == Kind::object || kind == Kind::array ? std::string_view{} : tree_.text(at);
    failure_.member = at != 0 && tree_.kind(at - 1) == Kind::key ? tree_.text(at - 1) : std::string_view{};
    return false;
}

bool JsonToRwf::missing(std::string_view member, NodeIndex object) noexcept {
    if (failed_) return false;
    fail(ErrorClass::MissingKey, object);
    failure_.member = member;
    return false;
}

bool JsonToRwf::encoded(Error e, NodeIndex at) noexcept {
    return e.ok() || fail(ErrorClass::EncodeError, at);
}

bool JsonToRwf::deeper(int depth, NodeIndex at) noexcept {
    return depth < codec::kMaxDepth || fail(ErrorClass::EncodeError, at);
}

// --- members

bool JsonToRwf::collect(NodeIndex object, Members& out) noexcept {
    if (tree_.kind(object) != Kind::object) return fail(ErrorClass::InvalidTokenType, object);
    out.object_ = object;
    const NodeIndex end = tree_.end(object);
    for (NodeIndex key = Tree::first(object); key != end; key = tree_.nextMember(key)) {
        const Word* word = kMembers.find(tree_.text(key));
        if (word == nullptr) {
            out.unknown_ = key;
            continue;
        }
        const auto member = static_cast<Member>(word->value);
        if (word->value < kPayloadCount && !out.has(member)) {
            ++out.payloads_;
            out.payload_ = member;
        }
        out.present_.add(member);
        out.at_[word->value] = key + 1;
    }
    return true;
}

bool JsonToRwf::known(const Members& m, const MemberSet& allowed) noexcept {
    if (!options_.catchUnknownMembers || (m.unknown_ == 0 && m.present().within(allowed))) return true;
    if (m.unknown_ != 0) return fail(ErrorClass::UnexpectedKey, m.unknown_);
    for (std::size_t i = 0; i < kMemberCount; ++i) {
        const auto member = static_cast<Member>(i);
        if (m.has(member) && !allowed.has(member)) return fail(ErrorClass::UnexpectedKey, m[member]);
    }
    return true;
}

bool JsonToRwf::boolean(const Members& m, Member name, bool fallback, bool& out) noexcept {
    out = fallback;
    if (!m.has(name)) return true;
    const NodeIndex at = m[name];
    switch (tree_.kind(at)) {
    case Kind::object:
    case Kind::array:
        return fail(ErrorClass::InvalidTokenType, at);
    case Kind::yes:
        return out = true, true;
    case Kind::string:
        return out = tree_.text(at) == "true", true;
    default:
        return out = tree_.text(at) == "1", true;
    }
}

bool JsonToRwf::flag(const Members& m, Member name, bool fallback, std::uint16_t bit, Msg& msg) noexcept {
    bool set = false;
    if (!boolean(m, name, fallback, set)) return false;
    if (set) msg.flags |= bit;
    return true;
}

bool JsonToRwf::int32(NodeIndex at, std::int32_t& out, ErrorClass wrongType) noexcept {
    std::int64_t v = 0;
    if (tree_.kind(at) != Kind::integer) return fail(wrongType, at);
    if (readInt(tree_.text(at), v) != Read::good || v < std::numeric_limits<std::int32_t>::min() ||
        v > std::numeric_limits<std::int32_t>::max())
        return fail(ErrorClass::UnexpectedValue, at);
    out = static_cast<std::int32_t>(v);
    return true;
}

bool JsonToRwf::base64(NodeIndex at, Bytes& out) noexcept {
    if (tree_.kind(at) != Kind::string) return fail(ErrorClass::InvalidTokenType, at);
    std::size_t length = tree_[at].length;
    if (!decodeBase64(tree_.mutableText(at), length)) return fail(ErrorClass::UnexpectedValue, at);
    tree_.setLength(at, length);
    out = asBytes(tree_.text(at));
    return true;
}

bool JsonToRwf::string(NodeIndex at, Bytes& out) noexcept {
    if (tree_.kind(at) != Kind::string) return fail(ErrorClass::InvalidTokenType, at);
    out = asBytes(tree_.text(at));
    return true;
}

// --- messages

bool JsonToRwf::messageType(const Members& m, std::uint8_t& out) noexcept {
    out = static_cast<std::uint8_t>(MsgClass::Request);
    if (!m.has(Member::Type)) return true;
    const NodeIndex at = m[Member::Type];
    const Kind kind = tree_.kind(at);
    if (kind == Kind::string) {
        const Word* found = kMessageTypes.find(tree_.text(at));
        if (found == nullptr) return fail(ErrorClass::UnsupportedMessageType, at);
        out = found->value;
        return true;
    }
    if (kind != Kind::integer) return fail(ErrorClass::InvalidTokenType, at);
    std::uint64_t v = 0;
    if (readUInt(tree_.text(at), v) != Read::good || v == 0 || v > 8)
        return fail(ErrorClass::UnsupportedMessageType, at);
    out = static_cast<std::uint8_t>(v);
    return true;
}

bool JsonToRwf::message(NodeIndex object, BeWriter& out, std::uint8_t& type, PeerError& peerError) {
    if (tree_.kind(object) != Kind::object) return fail(ErrorClass::ParseError, object);
    Members m;
    if (!collect(object, m)) return false;
    std::int64_t id = 0;
    if (m.has(Member::ID) && tree_.kind(m[Member::ID]) == Kind::integer &&
        readInt(tree_.text(m[Member::ID]), id) == Read::good && id == static_cast<std::int32_t>(id))
        failure_.streamId = static_cast<std::int32_t>(id);
    if (!messageType(m, type)) return false;
    if (type < kPing) return rwfMessage(m, type, out, 0);
    if (type == kError) {
        peerError.streamId = failure_.streamId;
        const bool hasText = m.has(Member::Text) && tree_.kind(m[Member::Text]) == Kind::string;
        peerError.text = hasText ? tree_.text(m[Member::Text]) : std::string_view{};
    }
    return true;
}

bool JsonToRwf::rwfMessage(const Members& m, std::uint8_t type, BeWriter& out, int depth) {
    if (!deeper(depth, m.object_)) return false;
    if (type >= kPing) return fail(ErrorClass::UnsupportedMessageType, m[Member::Type]);  // inside another message
    Msg msg;
    msg.cls = static_cast<MsgClass>(type);
    if (m.has(Member::Domain)) {
        if (!word(m[Member::Domain], kDomains, kMax8, msg.domain)) return false;
        if (depth == 0 && msg.domain == kLoginDomain) failure_.confidential = true;
    }
    if (!known(m, kAllowed[type]) || !header(m, msg) || !payloadType(m, msg.containerType)) return false;

    Lease attributes(scratch_);
    NodeIndex names = 0;  // a batch of items
    if (m.has(Member::Key) && msg.cls != MsgClass::Close &&
        !key(m[Member::Key], msg, names, attributes.writer(), depth))
        return false;
    const bool batchClose = msg.has(codec::CloseFlag::batch) && msg.cls == MsgClass::Close;
    const bool view = msg.cls == MsgClass::Request && m.has(Member::View);
    const bool ownBody = names != 0 || view || batchClose;
    if (ownBody) {
        if (m.hasPayload()) return fail(ErrorClass::EncodeError, m[m.payload_]);
        msg.containerType = DataType::ElementList;
    }
    if (!encoded(codec::encodeMsgHeader(out, msg), m.object_)) return false;
    if (ownBody) {
        if (!(batchClose ? closeBody(m[Member::ID], out) : requestBody(m, names, out))) return false;
    } else if (m.hasPayload() && !container(msg.containerType, m[m.payload_], out, depth + 1)) {
        return false;
    }
    return out.ok() || fail(ErrorClass::EncodeError, m.object_);
}

bool JsonToRwf::header(const Members& m, Msg& msg) noexcept {
    if (!streamId(m, msg)) return false;
    if (m.has(Member::ExtHdr)) {
        if (!base64(m[Member::ExtHdr], msg.extendedHeader)) return false;
        msg.flags |= codec::detail::hasExtendedHeader[static_cast<std::size_t>(msg.cls)];
    }
    const auto cls = static_cast<std::size_t>(msg.cls);
    if (m.has(Member::SeqNumber) && codec::detail::hasSeqNum[cls] != 0) {
        if (!number(m[Member::SeqNumber], kMax32, msg.seqNum)) return false;
        msg.flags |= codec::detail::hasSeqNum[cls];
    }
    if (m.has(Member::PartNumber) && codec::detail::hasPartNum[cls] != 0) {
        if (!number(m[Member::PartNumber], kMax15, msg.partNum)) return false;
        msg.flags |= codec::detail::hasPartNum[cls];
    }
    if (m.has(Member::PermData) && codec::detail::hasPermData[cls] != 0) {
        if (!base64(m[Member::PermData], msg.permData)) return false;
        msg.flags |= codec::detail::hasPermData[cls];
    }
    if (m.has(Member::PostUserInfo) && codec::detail::hasPostUserInfo[cls] != 0) {
        if (!postUserInfo(m[Member::PostUserInfo], msg)) return false;
        if (msg.cls != MsgClass::Post) msg.flags |= codec::detail::hasPostUserInfo[cls];
    }
    switch (msg.cls) {
    case MsgClass::Request:
        return request(m, msg);
    case MsgClass::Refresh:
        return refresh(m, msg);
    case MsgClass::Status:
        return status(m, msg);
    case MsgClass::Update:
        return update(m, msg);
    case MsgClass::Close:
        return flag(m, Member::Ack, false, codec::CloseFlag::ack, msg);
    case MsgClass::Ack:
        return ack(m, msg);
    case MsgClass::Generic:
        return generic(m, msg);
    case MsgClass::Post:
        return post(m, msg);
    }
    return false;
}

bool JsonToRwf::streamId(const Members& m, Msg& msg) noexcept {
    if (!m.has(Member::ID)) return missing("ID", m.object_);
    const NodeIndex at = m[Member::ID];
    if (msg.cls != MsgClass::Close) return int32(at, msg.streamId, ErrorClass::InvalidTokenType);
    if (tree_.kind(at) != Kind::array) return int32(at, msg.streamId, ErrorClass::UnexpectedValue);
    msg.flags |= codec::CloseFlag::batch;
    for (NodeIndex item = Tree::first(at); item != tree_.end(at); item = tree_.nextItem(item)) {
        std::int32_t id = 0;
        if (!int32(item, id, ErrorClass::UnexpectedValue)) return false;
        if (msg.streamId == 0) msg.streamId = id;
    }
    return true;
}

bool JsonToRwf::request(const Members& m, Msg& msg) noexcept {
    namespace F = codec::RequestFlag;
    if (!m.has(Member::Key)) return missing("Key", m.object_);
    bool refresh = false;
    if (!flag(m, Member::Streaming, true, F::streaming, msg) ||
        !flag(m, Member::KeyInUpdates, true, F::msgKeyInUpdates, msg) ||
        !flag(m, Member::ConfInfoInUpdates, false, F::confInfoInUpdates, msg) ||
        !boolean(m, Member::Refresh, true, refresh) || !flag(m, Member::Private, false, F::privateStream, msg) ||
        !flag(m, Member::Qualified, false, F::qualified, msg) || !flag(m, Member::Pause, false, F::pause, msg))
        return false;
    if (!refresh) msg.flags |= F::noRefresh;
    if (m.has(Member::Priority)) {
        Members p;
        if (!collect(m[Member::Priority], p) || !known(p, kPriorityMembers)) return false;
        if (!p.has(Member::Class)) return missing("Class", p.object_);
        if (!p.has(Member::Count)) return missing("Count", p.object_);
        if (!number(p[Member::Class], kMax8, msg.priorityClass) || !number(p[Member::Count], kMax16, msg.priorityCount))
            return false;
        msg.flags |= F::priority;
    }
    if (m.has(Member::Qos)) {
        if (!qos(m[Member::Qos], msg.qos)) return false;
        msg.flags |= F::qos;
    } else if (options_.defaultDynamicQos) {
        msg.qos = kAnyQos;
        msg.worstQos = kWorstOfAnyQos;
        msg.flags |= F::qos | F::worstQos;
    }
    if (m.has(Member::WorstQos)) {
        if (!qos(m[Member::WorstQos], msg.worstQos)) return false;
        msg.flags |= F::worstQos;
    }
    if (m.has(Member::View)) msg.flags |= F::view;
    return true;
}

bool JsonToRwf::refresh(const Members& m, Msg& msg) noexcept {
    namespace F = codec::RefreshFlag;
    msg.state = {codec::StreamState::open, codec::DataState::ok, 0, {}};
    msg.groupId = kNoGroup;
    if (m.has(Member::State) && !state(m[Member::State], msg.state)) return false;
    if (m.has(Member::Qos)) {
        if (!qos(m[Member::Qos], msg.qos)) return false;
        msg.flags |= F::qos;
    }
    return flag(m, Member::Complete, true, F::complete, msg) && flag(m, Member::ClearCache, true, F::clearCache, msg) &&
           flag(m, Member::Solicited, true, F::solicited, msg) &&
           flag(m, Member::DoNotCache, false, F::doNotCache, msg) &&
           flag(m, Member::Private, false, F::privateStream, msg) &&
           flag(m, Member::Qualified, false, F::qualified, msg);
}

bool JsonToRwf::status(const Members& m, Msg& msg) noexcept {
    namespace F = codec::StatusFlag;
    if (m.has(Member::State)) {
        if (!state(m[Member::State], msg.state)) return false;
        msg.flags |= F::state;
    }
    return flag(m, Member::ClearCache, false, F::clearCache, msg) &&
           flag(m, Member::Private, false, F::privateStream, msg) &&
           flag(m, Member::Qualified, false, F::qualified, msg);
}

bool JsonToRwf::update(const Members& m, Msg& msg) noexcept {
    namespace F = codec::UpdateFlag;
    if (m.has(Member::UpdateType) && !word(m[Member::UpdateType], kUpdateTypes, kMax8, msg.updateType)) return false;
    if (m.has(Member::ConflationInfo)) {
        Members c;
        if (!collect(m[Member::ConflationInfo], c) || !known(c, kConflationMembers)) return false;
        if (!c.has(Member::Count)) return missing("Count", c.object_);
        if (!c.has(Member::Time)) return missing("Time", c.object_);
        if (!number(c[Member::Count], kMax15, msg.conflationCount) ||
            !number(c[Member::Time], kMax16, msg.conflationTime))
            return false;
        msg.flags |= F::confInfo;
    }
    return flag(m, Member::DoNotCache, false, F::doNotCache, msg) &&
           flag(m, Member::DoNotConflate, false, F::doNotConflate, msg) &&
           flag(m, Member::DoNotRipple, false, F::doNotRipple, msg) &&
           flag(m, Member::Discardable, false, F::discardable, msg);
}

bool JsonToRwf::ack(const Members& m, Msg& msg) noexcept {
    namespace F = codec::AckFlag;
    if (m.has(Member::AckID) && !number(m[Member::AckID], kMax32, msg.ackId)) return false;
    if (m.has(Member::NakCode)) {
        if (!word(m[Member::NakCode], kNakCodes, kMax8, msg.nakCode)) return false;
        msg.flags |= F::nakCode;
    }
    if (m.has(Member::Text)) {
        if (!string(m[Member::Text], msg.text)) return false;
        msg.flags |= F::text;
    }
    return flag(m, Member::Private, false, F::privateStream, msg) &&
           flag(m, Member::Qualified, false, F::qualified, msg);
}

bool JsonToRwf::generic(const Members& m, Msg& msg) noexcept {
    namespace F = codec::GenericFlag;
    if (m.has(Member::SecSeqNumber)) {
        if (!number(m[Member::SecSeqNumber], kMax32, msg.secondarySeqNum)) return false;
        msg.flags |= F::secondarySeqNum;
    }
    return flag(m, Member::Complete, true, F::complete, msg) &&
           flag(m, Member::ProviderDriven, false, F::providerDriven, msg);
}

bool JsonToRwf::post(const Members& m, Msg& msg) noexcept {
    namespace F = codec::PostFlag;
    if (m.has(Member::PostID)) {
        if (!number(m[Member::PostID], kMax32, msg.postId)) return false;
        msg.flags |= F::postId;
    }
    if (m.has(Member::PostUserRights)) {
        if (!number(m[Member::PostUserRights], kMax15, msg.postUserRights)) return false;
        msg.flags |= F::postUserRights;
    }
    return flag(m, Member::Ack, false, F::ack, msg) && flag(m, Member::Complete, true, F::complete, msg);
}

bool JsonToRwf::postUserInfo(NodeIndex at, Msg& msg) noexcept {
    Members p;
    if (!collect(at, p) || !known(p, kPostUserMembers)) return false;
    if (!p.has(Member::Address)) return missing("Address", at);
    if (!p.has(Member::UserID)) return missing("UserID", at);
    const NodeIndex address = p[Member::Address];
    if (tree_.kind(address) == Kind::string) {
        if (readAddress(tree_.text(address), msg.postUserAddress) != Read::good)
            return fail(ErrorClass::UnexpectedValue, address);
    } else if (!number(address, kMax32, msg.postUserAddress)) {
        return false;
    }
    return number(p[Member::UserID], kMax32, msg.postUserId);
}

bool JsonToRwf::qos(NodeIndex at, codec::Qos& out) noexcept {
    Members q;
    if (!collect(at, q) || !known(q, kQosMembers)) return false;
    if (!q.has(Member::Timeliness)) return missing("Timeliness", at);
    if (!q.has(Member::Rate)) return missing("Rate", at);
    constexpr std::uint8_t kLargest = 3;
    codec::Qos v;
    if (!word(q[Member::Timeliness], kTimelinesses, kLargest, v.timeliness) ||
        !word(q[Member::Rate], kRates, kLargest, v.rate) || !boolean(q, Member::Dynamic, false, v.dynamic))
        return false;
    if (q.has(Member::TimeInfo) && !number(q[Member::TimeInfo], kMax16, v.timeInfo)) return false;
    if (q.has(Member::RateInfo) && !number(q[Member::RateInfo], kMax16, v.rateInfo)) return false;
    out = v;
    return true;
}

bool JsonToRwf::state(NodeIndex at, codec::State& out) noexcept {
    Members s;
    if (!collect(at, s) || !known(s, kStateMembers)) return false;
    constexpr std::uint8_t kLargestStream = 31, kLargestData = 7;
    codec::State v;
    if (s.has(Member::Stream) && !word(s[Member::Stream], kStreamStates, kLargestStream, v.stream)) return false;
    if (s.has(Member::Data) && !word(s[Member::Data], kDataStates, kLargestData, v.data)) return false;
    if (s.has(Member::Code) && !word(s[Member::Code], kStateCodes, kMax8, v.code)) return false;
    if (s.has(Member::Text) && !string(s[Member::Text], v.text)) return false;
    out = v;
    return true;
}

bool JsonToRwf::key(NodeIndex at, Msg& msg, NodeIndex& names, BeWriter& attributes, int depth) {
    namespace F = codec::KeyFlag;
    Members k;
    if (!collect(at, k) || !known(k, kKeyMembers)) return false;
    codec::MsgKey& key = msg.key;
    if (k.has(Member::Service)) {
        const NodeIndex service = k[Member::Service];
        if (tree_.kind(service) == Kind::string) {
            const auto id = services_ == nullptr ? std::nullopt : services_->idOf(tree_.text(service));
            if (!id) return fail(ErrorClass::UnexpectedValue, service);
            key.serviceId = *id;
        } else if (!number(service, kMax16, key.serviceId)) {
            return false;
        }
        key.flags |= F::serviceId;
    } else if (options_.defaultServiceId && msg.domain != kLoginDomain && msg.domain != kSourceDomain) {
        key.serviceId = *options_.defaultServiceId;
        key.flags |= F::serviceId;
    }
    if (k.has(Member::NameType)) {
        const NodeIndex type = k[Member::NameType];
        const bool loginWord = tree_.kind(type) == Kind::string && kLoginNameTypes.find(tree_.text(type)) != nullptr;
        if (!(loginWord ? word(type, kLoginNameTypes, kMax8, key.nameType)
                        : word(type, kNameTypes, kMax8, key.nameType)))
            return false;
    }
    key.flags |= F::nameType;  // goes out with a name only
    if (k.has(Member::Name)) {
        const NodeIndex name = k[Member::Name];
        if (tree_.kind(name) == Kind::array && msg.cls == MsgClass::Request) {
            names = name;
            msg.flags |= codec::RequestFlag::batch;
        } else {
            if (!string(name, key.name)) return false;
            key.flags |= F::name;
        }
    } else if (key.nameType == kCookieName || key.nameType == kAuthnTokenName) {
        static constexpr std::byte kNul{};
        key.name = {&kNul, 1};
        key.flags |= F::name;
    }
    if (k.has(Member::Filter)) {
        if (!number(k[Member::Filter], kMax32, key.filter)) return false;
        key.flags |= F::filter;
    }
    if (k.has(Member::Identifier)) {
        if (!int32(k[Member::Identifier], key.identifier, ErrorClass::InvalidTokenType)) return false;
        key.flags |= F::identifier;
    }
    if (k.hasPayload()) {
        if (!payloadType(k, key.attribType) || !container(key.attribType, k[k.payload_], attributes, depth + 1))
            return false;
        key.attrib = attributes.view();
        key.flags |= F::attrib;
    }
    constexpr auto keyFlags = codec::detail::hasKey;
    if (msg.cls != MsgClass::Request) msg.flags |= keyFlags[static_cast<std::size_t>(msg.cls)];
    return true;
}

// --- bodies that stand for members

bool JsonToRwf::requestBody(const Members& m, NodeIndex names, BeWriter& out) {
    ElementListEncoder list;
    list.begin(out);
    if (names != 0) {
        list.beginElement(kItemList, DataType::Array);
        ArrayEncoder items;
        items.begin(out, DataType::AsciiString);
        for (NodeIndex item = Tree::first(names); item != tree_.end(names); item = tree_.nextItem(item)) {
            if (tree_.kind(item) != Kind::string) return fail(ErrorClass::EncodeError, item);
            items.addAscii(tree_.text(item));
        }
        if (!encoded(items.complete(), names)) return false;
        list.endElement();
    }
    if (m.has(Member::View) && !viewElements(m, list)) return false;
    return encoded(list.complete(), m.object_);
}

bool JsonToRwf::viewElements(const Members& m, ElementListEncoder& list) {
    const NodeIndex view = m[Member::View];
    if (tree_.kind(view) != Kind::array) return fail(ErrorClass::InvalidTokenType, view);
    bool names = false;
    if (m.has(Member::ViewType)) {
        const NodeIndex type = m[Member::ViewType];
        if (tree_.kind(type) != Kind::string) return fail(ErrorClass::InvalidTokenType, type);
        names = tree_.text(type) == "NameList";
        if (!names && tree_.text(type) != "FidList") return fail(ErrorClass::UnexpectedValue, type);
    }
    list.addUInt(kViewType, names ? kElementNameView : kFieldIdView);
    list.beginElement(kViewData, DataType::Array);
    if (!names) {
        if (!viewFields(view, list)) return false;
    } else {
        ArrayEncoder items;
        items.begin(list.writer(), DataType::AsciiString);
        for (NodeIndex item = Tree::first(view); item != tree_.end(view); item = tree_.nextItem(item)) {
            if (tree_.kind(item) != Kind::string) return fail(ErrorClass::EncodeError, item);
            items.addAscii(tree_.text(item));
        }
        if (!encoded(items.complete(), view)) return false;
    }
    list.endElement();
    return true;
}

bool JsonToRwf::viewFields(NodeIndex view, ElementListEncoder& out) {
    ArrayEncoder items;
    items.begin(out.writer(), DataType::Int);
    for (NodeIndex item = Tree::first(view); item != tree_.end(view); item = tree_.nextItem(item)) {
        std::int64_t id = 0;
        if (tree_.kind(item) == Kind::string) {
            if (dictionary_ == nullptr) return fail(ErrorClass::DictionaryNotInitialized, item);
            const dictionary::FieldDefinition* field = findField(tree_.text(item));
            if (field == nullptr) continue;
            id = field->fieldId;
        } else if (tree_.kind(item) != Kind::integer || readInt(tree_.text(item), id) != Read::good ||
                   id != static_cast<std::int16_t>(id)) {
            return fail(ErrorClass::EncodeError, item);
        }
        const auto wide = static_cast<std::uint16_t>(id);
        const std::array<std::byte, 2> content{static_cast<std::byte>(wide >> 8), static_cast<std::byte>(wide)};
        const bool fitsOne = id == static_cast<std::int8_t>(id);
        items.add(Bytes(content).subspan(fitsOne ? 1 : 0));
    }
    return encoded(items.complete(), view);
}

bool JsonToRwf::closeBody(NodeIndex ids, BeWriter& out) {
    ElementListEncoder list;
    list.begin(out);
    list.beginElement(kStreamIdList, DataType::Array);
    ArrayEncoder items;
    items.begin(out, DataType::Int);
    for (NodeIndex item = Tree::first(ids); item != tree_.end(ids); item = tree_.nextItem(item)) {
        Bytes content;
        if (!value(item, DataType::Int, nullptr, content)) return false;
        items.add(content);
    }
    if (!encoded(items.complete(), ids)) return false;
    list.endElement();
    return encoded(list.complete(), ids);
}

}  // namespace emissary::eta::json
