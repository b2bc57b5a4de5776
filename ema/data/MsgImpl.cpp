// ema/data: message headers behind the public classes: setters keep what they are given, getters make public objects on
// demand, copies are deep and one allocation.
#include "data/MsgImpl.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "data/add_values.h"
#include "data/contained_types.h"
#include "errors/raise.h"
#include "eta/codec/containers.h"
#include "eta/codec/request_elements.h"

#include <algorithm>
#include <cstring>

namespace emissary::ema {

using codec::MsgClass;
constexpr access::Int32 kInvalidOperation = access::OmmInvalidUsageException::InvalidOperationEnum;

const ClassFlags& flagsOf(MsgClass cls) noexcept {
    using namespace codec;
    // extendedHeader, permData, msgKey, seqNum, partNum, qos, postUserInfo, privateStream, clearCache, doNotCache,
    // complete
    static constexpr ClassFlags kFlags[] = {
        {},
        {RequestFlag::extendedHeader, 0, 0, 0, 0, RequestFlag::qos, 0, RequestFlag::privateStream, 0, 0, 0},
        {RefreshFlag::extendedHeader, RefreshFlag::permData, RefreshFlag::msgKey, RefreshFlag::seqNum,
         RefreshFlag::partNum, RefreshFlag::qos, RefreshFlag::postUserInfo, RefreshFlag::privateStream,
         RefreshFlag::clearCache, RefreshFlag::doNotCache, RefreshFlag::complete},
        {StatusFlag::extendedHeader, StatusFlag::permData, StatusFlag::msgKey, 0, 0, 0, StatusFlag::postUserInfo,
         StatusFlag::privateStream, StatusFlag::clearCache, 0, 0},
        {UpdateFlag::extendedHeader, UpdateFlag::permData, UpdateFlag::msgKey, UpdateFlag::seqNum, 0, 0,
         UpdateFlag::postUserInfo, 0, 0, UpdateFlag::doNotCache, 0},
        {CloseFlag::extendedHeader, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
        {AckFlag::extendedHeader, 0, AckFlag::msgKey, AckFlag::seqNum, 0, 0, 0, AckFlag::privateStream, 0, 0, 0},
        {GenericFlag::extendedHeader, GenericFlag::permData, GenericFlag::msgKey, GenericFlag::seqNum,
         GenericFlag::partNum, 0, 0, 0, 0, 0, GenericFlag::complete},
        {PostFlag::extendedHeader, PostFlag::permData, PostFlag::msgKey, PostFlag::seqNum, PostFlag::partNum, 0, 0, 0,
         0, 0, PostFlag::complete},
    };
    return kFlags[static_cast<std::size_t>(cls)];
}

struct MsgImpl::Views {
    LoadImpl payloadLoad, attribLoad;
    DataAccess::Entry<access::Payload> payload{payloadLoad};
    DataAccess::Entry<access::Attrib> attrib{attribLoad};
    std::vector<std::byte> stateBytes;  // for getAsHex(): as stored values of these types look
    std::array<std::byte, 5> qosBytes;
    std::unique_ptr<access::OmmState> state = DataAccess::make<access::OmmState>();
    std::unique_ptr<access::OmmQos> qos = DataAccess::make<access::OmmQos>();
};

MsgImpl::MsgImpl(MsgClass c) : cls(c) {
    clearAll();
}
MsgImpl::~MsgImpl() = default;

void MsgImpl::clearAll() noexcept {
    own = {};
    own.cls = cls;
    own.flags = flagsWhenClear();
    static constexpr std::byte kNoGroup[2]{};
    if (cls == MsgClass::Refresh) {
        // A refresh always has an item group on the wire: 0x0000 when nothing was set (rdm.md).
        own.groupId = kNoGroup;
        own.state.stream = access::OmmState::OpenEnum;  // as state() without arguments sets it; 0 must not be sent
        own.state.data = access::OmmState::OkEnum;
    }
    wire = &own;
    scope = {};
    dictionary_.reset();
    ownServiceName.clear();
    serviceList.clear();
    hasServiceName = serviceReceived = false;
    textsMade = 0;
    touched = false;
    onlyPlain_ = true;
}

namespace {

/// Every view of a message that is present, for copying what they refer to.
template <class M, class F>
void forEachView(M& m, bool hasKey, F visit) {
    const ClassFlags& f = flagsOf(m.cls);
    if (m.has(f.extendedHeader)) visit(m.extendedHeader);
    if (m.has(f.permData)) visit(m.permData);
    if (m.cls == MsgClass::Refresh || (m.cls == MsgClass::Status && m.has(codec::StatusFlag::groupId)))
        visit(m.groupId);
    if (m.cls == MsgClass::Refresh || (m.cls == MsgClass::Status && m.has(codec::StatusFlag::state)))
        visit(m.state.text);
    if (m.cls == MsgClass::Ack && m.has(codec::AckFlag::text)) visit(m.text);
    if (hasKey && m.key.has(codec::KeyFlag::name)) visit(m.key.name);
    if (hasKey && m.key.has(codec::KeyFlag::attrib)) visit(m.key.attrib);
    visit(m.payload);
}

}  // namespace

std::unique_ptr<MsgImpl> MsgImpl::copyOf(const MsgImpl& other) {
    // The size is known before the block is taken: header, name, payload and service name need one allocation.
    std::size_t behind = other.service().size();
    forEachView(*other.wire, other.hasKey(), [&](const Bytes& b) { behind += b.size(); });
    void* block = ::operator new(sizeof(MsgImpl) + behind);
    return std::unique_ptr<MsgImpl>(::new (block) MsgImpl(other, static_cast<std::byte*>(block) + sizeof(MsgImpl)));
}

// The bytes of all views follow the object itself, in the block that copyOf() took.
MsgImpl::MsgImpl(const MsgImpl& other, std::byte* behind)
    : own(*other.wire), cls(other.cls), serviceList(other.serviceList), hasServiceName(other.hasServiceName),
      serviceReceived(other.serviceReceived || other.wire != &other.own) {
    const auto keepBehind = [&behind](Bytes& b) {
        if (!b.empty()) std::memcpy(behind, b.data(), b.size());
        b = {behind, b.size()};
        behind += b.size();
    };
    Bytes service = eta::asBytes(other.service());
    keepBehind(service);
    scope.dictionary = other.scope.dictionary;
    // A copy may outlive the connection, and with it the dictionary: the copy then owns a reference.
    if (scope.dictionary != nullptr) dictionary_ = scope.dictionary->weak_from_this().lock();
    scope.serviceName = eta::asText(service);
    scope.hasServiceName = hasServiceName;
    forEachView(own, hasKey(), keepBehind);
    // The bytes behind are no encoded message any more: the copy is encoded from its members.
    own.raw = {};
    touched = other.touched || other.wire != &other.own;
}

namespace {

std::string className(MsgClass cls) {
    return cls == MsgClass::Request ? "ReqMsg" : std::string(codec::name(cls)) + "Msg";
}

/// The question that goes with "getX()"; some members are asked for together.
std::string questionFor(std::string_view getter) {
    static constexpr std::pair<std::string_view, const char*> kShared[] = {{"getPriority", "hasPriority()"},
                                                                           {"getQos", "hasQos()"},
                                                                           {"getConflated", "hasConflated()"},
                                                                           {"getPublisherId", "hasPublisherId()"}};
    for (const auto& [start, question] : kShared)
        if (getter.starts_with(start)) return question;
    return "has" + std::string(getter.substr(3));
}

}  // namespace

void MsgImpl::require(bool there, const char* getter) const {
    if (there) [[likely]]
        return;
    throwInvalidUsage(className(cls) + ": attempt to " + getter + " while it is NOT set; ask " + questionFor(getter) +
                          " first",
                      kInvalidOperation);
}
void MsgImpl::refuseReceived() const {
    throwInvalidUsage(className(cls) + ": attempt to change a received message; copy it or build a new one",
                      kInvalidOperation);
}

codec::MsgKey& MsgImpl::changeKey() {
    codec::Msg& m = change();
    m.flags = static_cast<std::uint16_t>(m.flags | flagsOf(cls).msgKey);
    return m.key;
}
Bytes MsgImpl::keep(Slot slot, Bytes bytes) {
    struct Member {
        const char* name;
        std::size_t limit;
    };
    // Lengths of one byte, of 15 bits and of two bytes, as the message header writes them (rwf.md 4).
    static constexpr Member kMembers[slots] = {{"name", 255},           {"itemGroup", 255}, {"permissionData", 32767},
                                               {"extendedHeader", 255}, {"text", 65535},    {"statusText", 32767}};
    if (const Member& m = kMembers[slot]; bytes.size() > m.limit) [[unlikely]]
        throwOutOfRange(className(cls) + ": " + m.name + " of " + std::to_string(bytes.size()) + " bytes is above " +
                        std::to_string(m.limit));
    kept_[slot].assign(bytes.begin(), bytes.end());
    return kept_[slot];
}

void MsgImpl::setDomain(access::UInt16 domain) {
    if (domain > 255) throwUnsupportedDomain("Passed in DomainType is out of range.", domain);
    changePlain().domain = static_cast<std::uint8_t>(domain);
}
void MsgImpl::refuseBesideList(const char* setter) const {
    if (!serviceList.empty())
        throwInvalidUsage(className(cls) + ": " + setter +
                              " while serviceListName is set; a message names its service one way only",
                          kInvalidOperation);
}
/// The application names the service of a copy: what the channel said no longer counts.
void MsgImpl::dropReceivedService() {
    codec::Msg& m = change();
    if (!serviceReceived) return;
    serviceReceived = hasServiceName = scope.hasServiceName = false;
    scope.serviceName = {};
    m.key.flags = static_cast<std::uint16_t>(m.key.flags & ~codec::KeyFlag::serviceId);
}
// A message names its service in one way: by name, by id or by a list.
void MsgImpl::setServiceList(const access::EmaString& list) {
    dropReceivedService();
    if (hasServiceName || hasInKey(codec::KeyFlag::serviceId))
        throwInvalidUsage(className(cls) + ": serviceListName() while " +
                              (hasServiceName ? "serviceName" : "serviceId") +
                              " is set; a message names its service one way only",
                          kInvalidOperation);
    if (list.empty())
        throwInvalidUsage(className(cls) + ": serviceListName() needs the name of a service list", kInvalidOperation);
    (void)change();
    serviceList.assign(list.c_str(), list.length());
}
void MsgImpl::setServiceName(const access::EmaString& service) {
    refuseBesideList("serviceName()");
    dropReceivedService();
    if (hasInKey(codec::KeyFlag::serviceId))
        throwInvalidUsage(className(cls) +
                              ": serviceName() while serviceId is set; a message names its service one way only",
                          kInvalidOperation);
    (void)changeKey();  // the name stands for the id in the key
    ownServiceName.assign(service.c_str(), service.length());
    scope.serviceName = ownServiceName;
    hasServiceName = true;
}
void MsgImpl::setServiceId(access::UInt32 id) {
    refuseBesideList("serviceId()");
    if (id > 65535) throwOutOfRange("serviceId " + std::to_string(id) + " is above 65535");
    dropReceivedService();
    if (hasServiceName)
        throwInvalidUsage(className(cls) +
                              ": serviceId() while serviceName is set; a message names its service one way only",
                          kInvalidOperation);
    codec::MsgKey& key = changeKey();
    key.flags |= codec::KeyFlag::serviceId;
    key.serviceId = static_cast<std::uint16_t>(id);
}

// Batch and view requests are recognized here, because their flags are in the header.
void MsgImpl::setPayload(const access::ComplexType& data) {
    requireOwn();
    const DataAccess::Encoded e = DataAccess::encodedContent(data, "payload()");
    codec::Msg& m = changePlain();
    payloadBytes_.assign(e.bytes.begin(), e.bytes.end());
    m.containerType = e.type;
    m.payload = payloadBytes_;
    if (cls != MsgClass::Request) return;
    // Batch and view requests say so in their flags (rdm.md 6.3, 6.4).
    // Another payload may have been set before: its flags must not stay.
    m.flags = static_cast<std::uint16_t>(m.flags & ~(codec::RequestFlag::batch | codec::RequestFlag::view));
    if (e.type != codec::DataType::ElementList) return;
    codec::ElementListDecoder list;
    codec::ElementEntry entry;
    if (!list.start(m.payload).ok()) return;
    while (list.next(entry)) {
        if (eta::asText(entry.name) == codec::kItemList) m.flags |= codec::RequestFlag::batch;
        if (eta::asText(entry.name) == codec::kViewType) m.flags |= codec::RequestFlag::view;
    }
}
void MsgImpl::setAttrib(const access::ComplexType& data) {
    const DataAccess::Encoded e = DataAccess::encodedContent(data, "attrib()");
    // 24 bytes for the numbers of the key and 255 for the name.
    constexpr std::size_t kMost = 32767 - 24 - 255;  // one length covers everything in the key
    if (e.bytes.size() > kMost)
        throwOutOfRange(className(cls) + ": attrib of " + std::to_string(e.bytes.size()) + " bytes is above " +
                        std::to_string(kMost));
    codec::MsgKey& key = changeKey();
    attribBytes_.assign(e.bytes.begin(), e.bytes.end());
    key.flags |= codec::KeyFlag::attrib;
    key.attribType = e.type;
    key.attrib = attribBytes_;
}

MsgImpl::Views& MsgImpl::views() {
    if (!views_) views_ = std::make_unique<Views>();
    return *views_;
}
MsgImpl::Texts& MsgImpl::texts() {
    if (!texts_) texts_ = std::make_unique<Texts>();
    return *texts_;
}
const access::Payload& MsgImpl::payload() {
    Views& v = views();
    if ((textsMade & payloadView) == 0) {
        // The load refers to the message's own bytes. A setter or the next message clears the bit, and the view is made
        // anew.
        v.payloadLoad.set(wire->containerType, wire->payload, scope);
        textsMade |= payloadView;
    }
    return v.payload.value;
}
const access::Attrib& MsgImpl::attrib() {
    Views& v = views();
    if ((textsMade & attribView) == 0) {
        const bool there = hasInKey(codec::KeyFlag::attrib);
        v.attribLoad.set(there ? wire->key.attribType : codec::DataType::NoData, there ? wire->key.attrib : Bytes{},
                         scope);
        textsMade |= attribView;
    }
    return v.attrib.value;
}
const access::OmmState& MsgImpl::state() {
    Views& v = views();
    if ((textsMade & stateView) == 0) {
        // One byte for stream and data state, one for the code, at most two for the length of the text (rwf.md 2.10).
        v.stateBytes.resize(wire->state.text.size() + 4);
        eta::BeWriter content(v.stateBytes);
        codec::encodeState(content, wire->state);
        DataAccess::pointState(*v.state, wire->state, content.ok() ? content.view() : Bytes{}, false);
        textsMade |= stateView;
    }
    return *v.state;
}
const access::OmmQos& MsgImpl::qos() {
    Views& v = views();
    if ((textsMade & qosView) == 0) {
        eta::BeWriter content(v.qosBytes);
        codec::encodeQos(content, wire->qos);
        DataAccess::pointQos(*v.qos, wire->qos, content.ok() ? content.view() : Bytes{}, false);
        textsMade |= qosView;
    }
    return *v.qos;
}
const access::EmaString& MsgImpl::textOf(Text which, Bytes bytes) {
    Texts& t = texts();
    access::EmaString& s = which == nameText ? t.name : which == serviceText ? t.service : t.ack;
    if ((textsMade & which) == 0) {
        s.set(reinterpret_cast<const char*>(bytes.data()), static_cast<access::UInt32>(bytes.size()));
        textsMade |= which;
    }
    return s;
}
const access::EmaBuffer& MsgImpl::bufferOf(Text which, Bytes bytes) {
    Texts& t = texts();
    access::EmaBuffer& b = which == headerBuffer ? t.header : which == permBuffer ? t.perm : t.group;
    if ((textsMade & which) == 0) {
        b.setFrom(reinterpret_cast<const char*>(bytes.data()), static_cast<access::UInt32>(bytes.size()));
        textsMade |= which;
    }
    return b;
}
// maxEncodedSize() bounds the size, so that one pass is enough.
Bytes MsgImpl::encoded() {
    encoded_.resize(codec::maxEncodedSize(*wire));
    eta::BeWriter w({encoded_.data(), encoded_.size()});
    if (const eta::Error e = codec::encodeMsg(w, *wire); !e.ok())
        throwInvalidUsage(std::string("message cannot be encoded: ") + eta::describe(e.code),
                          access::OmmInvalidUsageException::InvalidDataEnum);
    return w.view();
}

void MsgAccess::point(access::Msg& msg, const codec::Msg& wire, const DecodeContext& context) noexcept {
    MsgImpl& m = *msg.impl_;
    // The bytes are the dispatcher's: they hold until the callback returns, and whoever needs them longer copies the
    // message.
    m.wire = &wire;
    m.textsMade = 0;
    // Mostly as it was: and the scope is copied soon, by wider loads than these stores.
    if (m.scope.dictionary == context.dictionary && m.scope.hasServiceName == context.hasServiceName &&
        m.hasServiceName == context.hasServiceName && m.scope.serviceName.data() == context.serviceName.data() &&
        m.scope.serviceName.size() == context.serviceName.size()) [[likely]]
        return;
    m.scope.dictionary = context.dictionary;
    m.scope.serviceName = context.serviceName;
    m.scope.hasServiceName = m.hasServiceName = context.hasServiceName;
}
const codec::Msg& MsgAccess::wire(const access::Msg& msg) {
    return *msg.impl_->wire;
}
bool MsgAccess::hasServiceName(const access::Msg& msg) noexcept {
    return msg.impl_->hasServiceName;
}
std::string_view MsgAccess::serviceName(const access::Msg& msg) noexcept {
    return msg.impl_->service();
}

std::string_view MsgAccess::serviceList(const access::Msg& msg) noexcept {
    return msg.impl_->serviceList;
}

}  // namespace emissary::ema
