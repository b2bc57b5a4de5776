// Reads the object of each message type into an RWF message header, its key and its state.
#include "json/MessageToRwf.h"

#include "eta/json/carried_service.h"

#include <algorithm>
#include <limits>

namespace emissary::eta::json {

using DataType = codec::DataType;
using codec::Msg;
using codec::MsgClass;

namespace {

constexpr std::uint8_t kCookieName = 4, kAuthnTokenName = 5;
constexpr std::uint64_t kMax32 = std::numeric_limits<std::uint32_t>::max(), kMax16 = 0xFFFF, kMax15 = 0x7FFF,
                        kMax8 = 0xFF;

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
    kPostUserMembers{Member::Address, Member::UserID};

// What the encoder of keys takes (rwf.md).
constexpr std::size_t kMostOfName = 255, kMostOfKey = 0x7FFF - 24;

// A State or group that a message always carries but JSON may leave out (json.md 4.2, 8).
constexpr std::array<std::byte, 2> kNoGroup{};

}  // namespace

bool MessageToRwf::messageType(const Members& m, std::uint8_t& out) noexcept {
    out = static_cast<std::uint8_t>(MsgClass::Request);
    if (!m.has(Member::Type)) return true;
    const NodeIndex at = m[Member::Type];
    const Kind kind = tree_.kind(at);
    if (kind == Kind::string) {
        const Word* found = kMessageTypes.find(tree_.text(at));
        if (found == nullptr) return in_.fail(ErrorClass::UnsupportedMessageType, at);
        out = found->value;
        return true;
    }
    if (!in_.isInteger(at)) return in_.fail(ErrorClass::InvalidTokenType, at);
    std::uint64_t v = 0;
    if (readUInt(tree_.text(at), v) != Decoded::value || v == 0 || v > 8)
        return in_.fail(ErrorClass::UnsupportedMessageType, at);
    out = static_cast<std::uint8_t>(v);
    return true;
}

bool MessageToRwf::rwfMessage(const Members& m, std::uint8_t type, BeWriter& out, int depth) {
    if (!in_.deeper(depth, m.object())) return false;
    if (type >= kPing) return in_.fail(ErrorClass::UnsupportedMessageType, m[Member::Type]);  // inside another message
    Msg msg;
    msg.cls = static_cast<MsgClass>(type);
    if (m.has(Member::Domain)) {
        if (!in_.word(m[Member::Domain], kDomains, kMax8, msg.domain)) return false;
        if (depth == 0) in_.failure().domain = msg.domain;
        if (depth == 0 && msg.domain == codec::kLoginDomain) in_.failure().confidential = true;
    }
    if (!in_.known(m, kAllowed[type]) || !header(m, msg) || !in_.payloadType(m, msg.containerType)) return false;

    NestedBuffer attributes(scratch_);
    NodeIndex names = 0;  // a batch of items
    if (m.has(Member::Key) && msg.cls != MsgClass::Close &&
        !key(m[Member::Key], msg, names, attributes.writer(), depth))
        return false;
    const bool batchClose = msg.has(codec::CloseFlag::batch) && msg.cls == MsgClass::Close;
    const bool view = msg.cls == MsgClass::Request && m.has(Member::View);
    const bool ownBody = names != 0 || view || batchClose;
    if (ownBody) {
        // Other elements stand beside those that are made here, such as the behaviours of a symbol list.
        if (m.hasPayload() && (batchClose || msg.containerType != DataType::ElementList))
            return in_.fail(ErrorClass::EncodeError, m[m.payload()]);
        msg.containerType = DataType::ElementList;
    }
    if (!in_.encoded(codec::encodeMsgHeader(out, msg), m.object())) return false;
    if (ownBody) {
        if (!(batchClose ? bodies_.closeBody(m[Member::ID], out)
                         : bodies_.requestBody(m, names, out, [&](codec::ElementListEncoder& list) {
                               return !m.hasPayload() || payloads_.appendElements(list, m[m.payload()], depth + 1);
                           })))
            return false;
    } else if (m.hasPayload() && !payloads_.container(msg.containerType, m[m.payload()], out, depth + 1)) {
        return false;
    }
    return out.ok() || in_.fail(ErrorClass::EncodeError, m.object());
}

bool MessageToRwf::header(const Members& m, Msg& msg) noexcept {
    if (!streamId(m, msg)) return false;
    if (m.has(Member::ExtHdr)) {
        if (!in_.base64(m[Member::ExtHdr], msg.extendedHeader)) return false;
        msg.flags |= codec::detail::hasExtendedHeader[static_cast<std::size_t>(msg.cls)];
    }
    const auto cls = static_cast<std::size_t>(msg.cls);
    if (m.has(Member::SeqNumber) && codec::detail::hasSeqNum[cls] != 0) {
        if (!in_.number(m[Member::SeqNumber], kMax32, msg.seqNum)) return false;
        msg.flags |= codec::detail::hasSeqNum[cls];
    }
    if (m.has(Member::PartNumber) && codec::detail::hasPartNum[cls] != 0) {
        if (!in_.number(m[Member::PartNumber], kMax15, msg.partNum)) return false;
        msg.flags |= codec::detail::hasPartNum[cls];
    }
    if (m.has(Member::PermData) && codec::detail::hasPermData[cls] != 0) {
        if (!in_.base64(m[Member::PermData], msg.permData)) return false;
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
        return in_.flag(m, Member::Ack, false, codec::CloseFlag::ack, msg);
    case MsgClass::Ack:
        return ack(m, msg);
    case MsgClass::Generic:
        return generic(m, msg);
    case MsgClass::Post:
        return post(m, msg);
    }
    return false;
}

bool MessageToRwf::streamId(const Members& m, Msg& msg) noexcept {
    if (!m.has(Member::ID)) return in_.missing("ID", m.object());
    const NodeIndex at = m[Member::ID];
    if (msg.cls != MsgClass::Close) return in_.int32(at, msg.streamId, ErrorClass::InvalidTokenType);
    if (tree_.kind(at) != Kind::array) return in_.int32(at, msg.streamId, ErrorClass::UnexpectedValue);
    msg.flags |= codec::CloseFlag::batch;
    for (NodeIndex item = Tree::first(at); item != tree_.end(at); item = tree_.nextItem(item)) {
        std::int32_t id = 0;
        if (!in_.int32(item, id, ErrorClass::UnexpectedValue)) return false;
        if (msg.streamId == 0) msg.streamId = id;
    }
    return true;
}

bool MessageToRwf::request(const Members& m, Msg& msg) noexcept {
    namespace F = codec::RequestFlag;
    if (!m.has(Member::Key)) return in_.missing("Key", m.object());
    bool refresh = false;
    if (!in_.flag(m, Member::Streaming, true, F::streaming, msg) ||
        !in_.flag(m, Member::KeyInUpdates, true, F::msgKeyInUpdates, msg) ||
        !in_.flag(m, Member::ConfInfoInUpdates, false, F::confInfoInUpdates, msg) ||
        !in_.boolean(m, Member::Refresh, true, refresh) ||
        !in_.flag(m, Member::Private, false, F::privateStream, msg) ||
        !in_.flag(m, Member::Qualified, false, F::qualified, msg) || !in_.flag(m, Member::Pause, false, F::pause, msg))
        return false;
    if (!refresh) msg.flags |= F::noRefresh;
    if (m.has(Member::Priority)) {
        Members p;
        if (!in_.collect(m[Member::Priority], p) || !in_.known(p, kPriorityMembers)) return false;
        if (!p.has(Member::Class)) return in_.missing("Class", p.object());
        if (!p.has(Member::Count)) return in_.missing("Count", p.object());
        if (!in_.number(p[Member::Class], kMax8, msg.priorityClass) ||
            !in_.number(p[Member::Count], kMax16, msg.priorityCount))
            return false;
        msg.flags |= F::priority;
    }
    if (m.has(Member::Qos)) {
        if (!values_.qos(m[Member::Qos], msg.qos)) return false;
        msg.flags |= F::qos;
    } else if (options_.defaultDynamicQos) {
        msg.qos = kAnyQos;
        msg.worstQos = kWorstOfAnyQos;
        msg.flags |= F::qos | F::worstQos;
    }
    if (m.has(Member::WorstQos)) {
        if (!values_.qos(m[Member::WorstQos], msg.worstQos)) return false;
        msg.flags |= F::worstQos;
    }
    if (m.has(Member::View)) msg.flags |= F::view;
    return true;
}

bool MessageToRwf::refresh(const Members& m, Msg& msg) noexcept {
    namespace F = codec::RefreshFlag;
    msg.state = {codec::StreamState::open, codec::DataState::ok, 0, {}};
    msg.groupId = kNoGroup;
    if (m.has(Member::State) && !values_.state(m[Member::State], msg.state)) return false;
    if (m.has(Member::Qos)) {
        if (!values_.qos(m[Member::Qos], msg.qos)) return false;
        msg.flags |= F::qos;
    }
    return in_.flag(m, Member::Complete, true, F::complete, msg) &&
           in_.flag(m, Member::ClearCache, true, F::clearCache, msg) &&
           in_.flag(m, Member::Solicited, true, F::solicited, msg) &&
           in_.flag(m, Member::DoNotCache, false, F::doNotCache, msg) &&
           in_.flag(m, Member::Private, false, F::privateStream, msg) &&
           in_.flag(m, Member::Qualified, false, F::qualified, msg);
}

bool MessageToRwf::status(const Members& m, Msg& msg) noexcept {
    namespace F = codec::StatusFlag;
    if (m.has(Member::State)) {
        if (!values_.state(m[Member::State], msg.state)) return false;
        msg.flags |= F::state;
    }
    return in_.flag(m, Member::ClearCache, false, F::clearCache, msg) &&
           in_.flag(m, Member::Private, false, F::privateStream, msg) &&
           in_.flag(m, Member::Qualified, false, F::qualified, msg);
}

bool MessageToRwf::update(const Members& m, Msg& msg) noexcept {
    namespace F = codec::UpdateFlag;
    if (m.has(Member::UpdateType) && !in_.word(m[Member::UpdateType], kUpdateTypes, kMax8, msg.updateType))
        return false;
    if (m.has(Member::ConflationInfo)) {
        Members c;
        if (!in_.collect(m[Member::ConflationInfo], c) || !in_.known(c, kConflationMembers)) return false;
        if (!c.has(Member::Count)) return in_.missing("Count", c.object());
        if (!c.has(Member::Time)) return in_.missing("Time", c.object());
        if (!in_.number(c[Member::Count], kMax15, msg.conflationCount) ||
            !in_.number(c[Member::Time], kMax16, msg.conflationTime))
            return false;
        msg.flags |= F::confInfo;
    }
    return in_.flag(m, Member::DoNotCache, false, F::doNotCache, msg) &&
           in_.flag(m, Member::DoNotConflate, false, F::doNotConflate, msg) &&
           in_.flag(m, Member::DoNotRipple, false, F::doNotRipple, msg) &&
           in_.flag(m, Member::Discardable, false, F::discardable, msg);
}

bool MessageToRwf::ack(const Members& m, Msg& msg) noexcept {
    namespace F = codec::AckFlag;
    if (m.has(Member::AckID) && !in_.number(m[Member::AckID], kMax32, msg.ackId)) return false;
    if (m.has(Member::NakCode)) {
        if (!in_.word(m[Member::NakCode], kNakCodes, kMax8, msg.nakCode)) return false;
        msg.flags |= F::nakCode;
    }
    if (m.has(Member::Text)) {
        if (!in_.string(m[Member::Text], msg.text)) return false;
        msg.flags |= F::text;
    }
    return in_.flag(m, Member::Private, false, F::privateStream, msg) &&
           in_.flag(m, Member::Qualified, false, F::qualified, msg);
}

bool MessageToRwf::generic(const Members& m, Msg& msg) noexcept {
    namespace F = codec::GenericFlag;
    if (m.has(Member::SecSeqNumber)) {
        if (!in_.number(m[Member::SecSeqNumber], kMax32, msg.secondarySeqNum)) return false;
        msg.flags |= F::secondarySeqNum;
    }
    return in_.flag(m, Member::Complete, true, F::complete, msg) &&
           in_.flag(m, Member::ProviderDriven, false, F::providerDriven, msg);
}

bool MessageToRwf::post(const Members& m, Msg& msg) noexcept {
    namespace F = codec::PostFlag;
    if (m.has(Member::PostID)) {
        if (!in_.number(m[Member::PostID], kMax32, msg.postId)) return false;
        msg.flags |= F::postId;
    }
    if (m.has(Member::PostUserRights)) {
        if (!in_.number(m[Member::PostUserRights], kMax15, msg.postUserRights)) return false;
        msg.flags |= F::postUserRights;
    }
    return in_.flag(m, Member::Ack, false, F::ack, msg) && in_.flag(m, Member::Complete, true, F::complete, msg);
}

bool MessageToRwf::postUserInfo(NodeIndex at, Msg& msg) noexcept {
    Members p;
    if (!in_.collect(at, p) || !in_.known(p, kPostUserMembers)) return false;
    if (!p.has(Member::Address)) return in_.missing("Address", at);
    if (!p.has(Member::UserID)) return in_.missing("UserID", at);
    const NodeIndex address = p[Member::Address];
    if (tree_.kind(address) == Kind::string) {
        if (readAddress(tree_.text(address), msg.postUserAddress) != Decoded::value)
            return in_.fail(ErrorClass::UnexpectedValue, address);
    } else if (!in_.number(address, kMax32, msg.postUserAddress)) {
        return false;
    }
    return in_.number(p[Member::UserID], kMax32, msg.postUserId);
}

bool MessageToRwf::key(NodeIndex at, Msg& msg, NodeIndex& names, BeWriter& attributes, int depth) {
    Members k;
    if (!in_.collect(at, k) || !in_.known(k, kKeyMembers) || !keyMembers(k, msg, names)) return false;
    if (k.hasPayload()) {
        codec::MsgKey& key = msg.key;
        if (!in_.payloadType(k, key.attribType)) return false;
        const NodeIndex attrib = k[k.payload()];
        const bool login = msg.domain == codec::kLoginDomain && key.attribType == DataType::ElementList;
        if (!(login ? payloads_.loginElements(attrib, attributes, depth + 1)
                    : payloads_.container(key.attribType, attrib, attributes, depth + 1)))
            return false;
        key.attrib = attributes.view();
        if (key.attrib.size() + key.name.size() > kMostOfKey)
            return in_.failBecause("a key has at most 32743 bytes in RWF, name and attributes together",
                                   ErrorClass::EncodeError, attrib);
        key.flags |= codec::KeyFlag::attrib;
    }
    return true;
}

bool MessageToRwf::keyHead(NodeIndex at, Msg& msg) noexcept {
    Members k;
    NodeIndex names = 0;
    return in_.collect(at, k) && keyMembers(k, msg, names);
}

bool MessageToRwf::keyMembers(const Members& k, Msg& msg, NodeIndex& names) noexcept {
    namespace F = codec::KeyFlag;
    codec::MsgKey& key = msg.key;
    if (k.has(Member::Service)) {
        const NodeIndex service = k[Member::Service];
        if (tree_.kind(service) == Kind::string) {
            const auto id = services_ == nullptr ? std::nullopt : services_->idOf(tree_.text(service));
            if (!id && !carry(tree_.text(service), msg)) return in_.fail(ErrorClass::UnexpectedValue, service);
            if (id) key.flags |= F::serviceId;
            key.serviceId = id.value_or(0);
        } else if (in_.number(service, kMax16, key.serviceId)) {
            key.flags |= F::serviceId;
        } else {
            return false;
        }
    } else if (options_.defaultServiceId && msg.domain != codec::kLoginDomain &&
               msg.domain != codec::kDirectoryDomain) {
        key.serviceId = *options_.defaultServiceId;
        key.flags |= F::serviceId;
    }
    if (k.has(Member::NameType)) {
        const NodeIndex type = k[Member::NameType];
        const bool loginWord = tree_.kind(type) == Kind::string && kLoginNameTypes.find(tree_.text(type)) != nullptr;
        if (!(loginWord ? in_.word(type, kLoginNameTypes, kMax8, key.nameType)
                        : in_.word(type, kNameTypes, kMax8, key.nameType)))
            return false;
    }
    key.flags |= F::nameType;  // goes out with a name only
    const bool nameless = key.nameType == kCookieName || key.nameType == kAuthnTokenName;
    if (k.has(Member::Name)) {
        const NodeIndex name = k[Member::Name];
        if (tree_.kind(name) == Kind::array && msg.cls == MsgClass::Request) {
            names = name;
            msg.flags |= codec::RequestFlag::batch;
        } else {
            if (!in_.string(name, key.name)) return false;
            if (key.name.size() > kMostOfName)
                return in_.failBecause("a name has at most 255 bytes", ErrorClass::EncodeError, name);
            key.flags |= F::name;
        }
    } else if (nameless) {
        key.flags |= F::name;
    }
    if (nameless && key.has(F::name) && key.name.empty()) {
        static constexpr std::byte kNul{};
        key.name = {&kNul, 1};
    }
    if (k.has(Member::Filter)) {
        if (!in_.number(k[Member::Filter], kMax32, key.filter)) return false;
        key.flags |= F::filter;
    }
    if (k.has(Member::Identifier)) {
        if (!in_.int32(k[Member::Identifier], key.identifier, ErrorClass::InvalidTokenType)) return false;
        key.flags |= F::identifier;
    }
    constexpr auto keyFlags = codec::detail::hasKey;
    if (msg.cls != MsgClass::Request) msg.flags |= keyFlags[static_cast<std::size_t>(msg.cls)];
    return true;
}

bool MessageToRwf::carry(std::string_view service, Msg& msg) noexcept {
    const bool may = options_.carriesServiceNames && (msg.cls == MsgClass::Request || msg.cls == MsgClass::Post) &&
                     msg.domain != codec::kLoginDomain && msg.domain != codec::kDirectoryDomain;
    if (!may || service.empty() || service.size() > kLongestCarriedService) return false;
    char* const end = std::ranges::copy(service, std::ranges::copy(kCarriedService, carried_.data()).out).out;
    msg.extendedHeader = asBytes(std::string_view(carried_.data(), end));
    msg.flags |= codec::detail::hasExtendedHeader[static_cast<std::size_t>(msg.cls)];
    return true;
}

}  // namespace emissary::eta::json
