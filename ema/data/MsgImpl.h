// Behind refinitiv::ema::access::Msg: a decoded header (borrowed), or one being built with everything it refers to.
#pragma once

#include "data/DataAccess.h"
#include "data/MsgAccess.h"

#include "Access/Include/Attrib.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/OmmQos.h"
#include "Access/Include/OmmState.h"
#include "Access/Include/Payload.h"
#include "eta/codec/Msg.h"

#include <array>
#include <vector>

namespace emissary::ema {

/// Where each class keeps the flags that several classes have; 0 = the class does not have the member.
struct ClassFlags {
    std::uint16_t extendedHeader, permData, msgKey, seqNum, partNum, qos, postUserInfo, privateStream, clearCache,
        doNotCache, complete;
};
[[nodiscard]] const ClassFlags& flagsOf(codec::MsgClass cls) noexcept;

struct MsgImpl {
    explicit MsgImpl(codec::MsgClass c);
    /// Deep copy, also of a received message, in one allocation: the bytes it refers to lie behind the object.
    [[nodiscard]] static std::unique_ptr<MsgImpl> copyOf(const MsgImpl& other);
    MsgImpl(const MsgImpl& other) = delete;
    MsgImpl& operator=(const MsgImpl&) = delete;
    static void operator delete(void* block) { ::operator delete(block); }

    void clear() noexcept {
        if (onlyPlain_ && wire == &own) [[likely]]
            clearPlain();
        else clearAll();
    }

    // --- what is read: `wire` is `own` unless the message was received
    const codec::Msg* wire = &own;
    codec::Msg own;
    codec::MsgClass cls;
    Scope scope;                 ///< dictionary and service name for payload and attributes
    std::string ownServiceName;  ///< set by serviceName()
    std::string serviceList;     ///< set by ReqMsg::serviceListName()
    bool hasServiceName = false;
    bool serviceReceived = false;  ///< in a copy: name and id of the service are the received message's

    [[nodiscard]] bool has(std::uint16_t flag) const noexcept { return flag != 0 && (wire->flags & flag) != 0; }
    [[nodiscard]] bool hasKey() const noexcept { return cls == codec::MsgClass::Request || has(flagsOf(cls).msgKey); }
    [[nodiscard]] bool hasInKey(std::uint16_t flag) const noexcept { return hasKey() && wire->key.has(flag); }
    /// Throws InvalidOperation naming the getter when the member is not there.
    void require(bool there, const char* getter) const;

    // --- building
    /// The header to change; throws when the message was received.
    [[nodiscard]] codec::Msg& change() {
        codec::Msg& m = changePlain();
        onlyPlain_ = false;
        return m;
    }
    /// The same for the members that clearPlain() resets, and for no others.
    [[nodiscard]] codec::Msg& changePlain() {
        requireOwn();
        textsMade = 0;
        touched = true;
        return own;
    }
    [[nodiscard]] codec::MsgKey& changeKey();
    enum Slot : std::size_t { name, groupId, permData, extendedHeader, text, stateText, slots };
    /// Copies bytes into the slot's memory, which is kept. Throws OmmOutOfRangeException naming the member when they
    /// are longer than its length on the wire allows (rwf.md 4.2).
    [[nodiscard]] Bytes keep(Slot slot, Bytes bytes);
    void setFlag(std::uint16_t flag, bool on) {
        codec::Msg& m = changePlain();
        m.flags = static_cast<std::uint16_t>(on ? m.flags | flag : m.flags & ~flag);
    }
    void setPayload(const access::ComplexType& data);
    void setAttrib(const access::ComplexType& data);
    void setDomain(access::UInt16 domain);
    void setServiceName(const access::EmaString& service);
    void setServiceId(access::UInt32 id);
    void setServiceList(const access::EmaString& list);

    // --- public objects made on demand
    [[nodiscard]] const access::Payload& payload();
    [[nodiscard]] const access::Attrib& attrib();
    [[nodiscard]] const access::OmmState& state();
    [[nodiscard]] const access::OmmQos& qos();
    enum Text : std::uint32_t {
        nameText = 1,
        serviceText = 2,
        headerBuffer = 4,
        permBuffer = 8,
        groupBuffer = 16,
        ackText = 32,
        payloadView = 64,
        attribView = 128,
        stateView = 256,
        qosView = 512
    };
    struct Texts {
        access::EmaString name, service, ack, words, rate, timeliness, whole;
        access::EmaBuffer header, perm, group, hex;
    };
    [[nodiscard]] const access::EmaString& textOf(Text which, Bytes bytes);
    [[nodiscard]] const access::EmaBuffer& bufferOf(Text which, Bytes bytes);
    [[nodiscard]] Texts& texts();
    [[nodiscard]] std::string_view service() const noexcept { return scope.serviceName; }
    /// Encoded form; for getAsHex() and for messages inside others. Valid until the next call.
    [[nodiscard]] Bytes encoded();

    std::uint32_t textsMade = 0;  ///< bits of Text that are current
    bool touched = false;         ///< something was set since construction or clear(), or it was received and copied

private:
    struct Views;
    MsgImpl(const MsgImpl& other, std::byte* behind);
    /// Resets what changePlain() gives access to: stream, domain, flags, payload and the type of an update.
    void clearPlain() noexcept {
        own.streamId = 0;
        own.domain = codec::kMarketPriceDomain;
        own.flags = flagsWhenClear();
        own.containerType = codec::DataType::NoData;
        own.payload = {};
        own.updateType = 0;
        textsMade = 0;
        touched = false;
    }
    void clearAll() noexcept;
    [[nodiscard]] std::uint16_t flagsWhenClear() const noexcept {
        return cls == codec::MsgClass::Request ? codec::RequestFlag::streaming : std::uint16_t{0};
    }
    void requireOwn() const {
        if (wire != &own) [[unlikely]]
            refuseReceived();
    }
    [[noreturn]] void refuseReceived() const;
    void refuseBesideList(const char* setter) const;
    void dropReceivedService();
    [[nodiscard]] Views& views();
    friend struct MsgAccess;

    /// Since clearAll() nothing was changed but by changePlain(): what else there is stands as that left it.
    bool onlyPlain_ = false;
    std::array<std::vector<std::byte>, slots> kept_;
    std::vector<std::byte> payloadBytes_, attribBytes_, encoded_;
    /// Of a copy: it may outlive the session that it was received by. Null when nobody shares the dictionary.
    std::shared_ptr<const eta::dictionary::Dictionary> dictionary_;
    std::unique_ptr<Views> views_;
    std::unique_ptr<Texts> texts_;

public:
    ~MsgImpl();
};

}  // namespace emissary::ema
