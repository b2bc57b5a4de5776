// The records of the watchlist: streams (one per wire stream) and services.
#pragma once

#include "consumer/Request.h"
#include "eta/codec/Msg.h"
#include "reactor/consumer/consumer_types.h"
#include "reactor/memory.h"
#include "reactor/rdm/Directory.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace emissary::reactor::consumer {

/// An item name; up to 22 bytes without an allocation of its own.
class SmallName {
public:
    SmallName() = default;
    SmallName(const SmallName&) = delete;
    SmallName& operator=(const SmallName&) = delete;
    ~SmallName() { assign({}); }

    void assign(Bytes name) {
        if (size_ > sizeof inline_) delete[] heap();
        size_ = static_cast<std::uint16_t>(name.size());
        char* to = inline_;
        if (size_ > sizeof inline_) {
            to = new char[name.size()];
            std::memcpy(inline_, &to, sizeof to);
        }
        if (!name.empty()) std::memcpy(to, name.data(), name.size());
    }
    [[nodiscard]] Bytes view() const noexcept {
        return eta::asBytes({size_ > sizeof inline_ ? heap() : inline_, size_});
    }

private:
    [[nodiscard]] char* heap() const noexcept {
        char* p = nullptr;
        std::memcpy(&p, inline_, sizeof p);
        return p;
    }
    char inline_[22] = {};
    std::uint16_t size_ = 0;
};

struct ServiceEntry;

/// What few streams have.
struct RareKey {
    std::uint16_t flags = 0;  ///< identifier, filter, attrib
    std::int32_t identifier = 0;
    std::uint32_t filter = 0;
    eta::codec::DataType attribType = eta::codec::DataType::NoData;
    std::vector<std::byte> attrib, extendedHeader, payload;
    eta::codec::DataType payloadType = eta::codec::DataType::NoData;
    bool hasExtendedHeader = false;
    // The QoS asked for, when it is not "any".
    bool hasQos = false, hasWorst = false;
    eta::codec::Qos best, worst;
};

/// One item on the wire, or waiting to be.
struct Stream {
    enum class State : std::uint8_t {
        parked,     ///< waits for its service
        queued,     ///< waits for room in the service's open window
        requested,  ///< the request is out, its refresh is not complete
        open,
    };
    SmallName name;
    Request *first = nullptr, *last = nullptr;
    ServiceEntry* service = nullptr;
    Stream *prev = nullptr, *next = nullptr;  ///< in the service's list of the state
    std::unique_ptr<RareKey> rare;
    std::uint32_t index = 0;
    std::uint32_t hash = 0;
    std::int32_t wireId = 0;
    std::uint32_t timerMark = 0;  ///< the running request timeout's mark; 0 = none
    eta::codec::Qos qos;          ///< chosen
    std::uint16_t group = 0;      ///< see rdm::ItemGroups
    std::uint16_t priorityCount = 1;
    std::uint8_t priorityClass = 1;
    std::uint8_t domain = 6;
    std::uint8_t nameType = 1;
    State state = State::parked;
    bool hasName : 1 = true;
    bool hasNameType : 1 = false;
    bool isPrivate : 1 = false;
    bool indexed : 1 = false;        ///< others may join
    bool qosFixed : 1 = false;       ///< a refresh was complete: recovery must find this QoS
    bool partial : 1 = false;        ///< parts of a refresh have come, the last one has not
    bool wireStreaming : 1 = false;  ///< some request of this wire stream said so: it stays one
    bool wirePaused : 1 = false;
    bool retried : 1 = false;       ///< ended recoverably before: the watchlist keeps a record about it
    bool refetch : 1 = false;       ///< on the list of streams to ask for again at once
    bool suspect : 1 = false;       ///< data state of the last message: posts and generics need Ok
    bool established : 1 = false;   ///< refreshed, Open
    bool busy : 1 = false;          ///< a message is being delivered: the record must stay
    bool dead : 1 = false;          ///< ended while busy
    bool viewed : 1 = false;        ///< some sharer has, or had, a view
    bool viewPending : 1 = false;   ///< the request under way has another view than the one before
    bool opensData : 1 = false;     ///< some sharer is a symbol list that opens what it names
    bool prioritySaid : 1 = false;  ///< the wire stream was given a priority: it must hear of every later one
    bool reissued : 1 = false;      ///< a change went out, and the stream's end may cross it: its end is answered
};

// A hundred thousand of each must stay a matter of some twenty megabytes.
static_assert(sizeof(Stream) <= 112);

/// Streams of one service in one state, in order.
struct StreamList {
    Stream *first = nullptr, *last = nullptr;
    std::uint32_t size = 0;
    void append(Stream& s) noexcept {
        s.prev = last;
        s.next = nullptr;
        (last != nullptr ? last->next : first) = &s;
        last = &s;
        ++size;
    }
    void remove(Stream& s) noexcept {
        (s.prev != nullptr ? s.prev->next : first) = s.next;
        (s.next != nullptr ? s.next->prev : last) = s.prev;
        s.prev = s.next = nullptr;
        --size;
    }
};

/// A service that was seen at least once. Known by name; never removed (a service comes back, perhaps with another id).
struct ServiceEntry {
    std::string name;
    std::uint16_t id = 0;
    const rdm::Service* model = nullptr;  ///< null while the directory does not have it
    StreamList live;                      ///< requested and open, in the order in which they went out
    StreamList parked, queued;
    std::uint32_t outstanding = 0;  ///< requested, refresh not complete
    std::uint32_t toRecover = 0;    ///< parked streams, from the first, that the round under way has yet to try
    TimerId recoverTimer = 0;       ///< the round goes on then
    /// Channel of the server whose data count (service-based warm standby); the largest value = the active one.
    std::uint32_t source = 0xFFFFFFFF;
};

}  // namespace emissary::reactor::consumer
