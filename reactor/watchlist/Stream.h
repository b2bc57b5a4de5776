// The record of one stream: an item on the wire, or waiting to be.
#pragma once

#include "eta/codec/Msg.h"
#include "eta/core/SmallBytes.h"
#include "reactor/watchlist/WatchlistOptions.h"
#include "session/Request.h"
#include "watchlist/StreamLife.h"

#include <memory>
#include <vector>

namespace emissary::reactor::consumer {

using session::Request;

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

/// The last request sent to the provider for a stream; void once the wire stream has ended.
struct WireRequest {
    std::uint16_t priorityCount = 1;
    std::uint8_t priorityClass = 1;
    bool streaming : 1 = false;  ///< some request of this wire stream said so: it stays one
    bool paused : 1 = false;
    bool priority : 1 = false;   ///< a priority was given: the provider must hear of every later one
    bool changed : 1 = false;    ///< a change went out, and the stream's end may cross it: its end is answered
    bool otherView : 1 = false;  ///< the image under way is for another view than the one before
    bool imaged : 1 = false;     ///< an image was complete: no unsolicited one is taken for the answer to a request
    bool crossed : 1 = false;    ///< an unsolicited image came while another one was waited for
    bool confInfo : 1 = false;   ///< updates are to say how they were conflated
};

/// One item on the wire, or waiting to be. What every message needs is together in the first 32 bytes, which are in one
/// line of the cache.
struct Stream {
    Request* last = nullptr;          ///< the last sharer, whose `next` is the first: a ring in the order of opening
    ServiceEntry* service = nullptr;  ///< whose stream it is
    std::int32_t wireId = 0;
    WireRequest said;
    std::uint8_t domain = eta::codec::kMarketPriceDomain;
    std::uint8_t nameType = 1;
    StreamLife life;
    bool busy = false;  ///< a message is being delivered: the record must stay
    // Its key.
    bool hasName : 1 = true;
    bool hasNameType : 1 = false;
    bool isPrivate : 1 = false;
    bool isQualified : 1 = false;  ///< with isPrivate: a tunnel, passed on for somebody else
    // What it has been through, and what is kept about it elsewhere.
    bool qosFixed : 1 = false;                ///< an image was complete once: recovery must find this QoS
    bool hasRetry : 1 = false;                ///< ended recoverably before: Recovery keeps its pace
    bool viewed : 1 = false;                  ///< some sharer has, or had, a view
    bool opensData : 1 = false;               ///< some sharer is a symbol list that opens what it names
    eta::SmallBytes<18> name;                 ///< most names fit in
    std::uint16_t group = 0;                  ///< see rdm::ItemGroups
    eta::codec::Qos qos;                      ///< chosen
    std::uint32_t index = 0;                  ///< in the pool
    std::uint32_t hash = 0;                   ///< of its key
    std::uint32_t timerMark = 0;              ///< the running request timeout's mark; 0 = none
    Stream *prev = nullptr, *next = nullptr;  ///< in the list of the phase
    std::unique_ptr<RareKey> rare;

    /// The sharer that opened first; null without any.
    [[nodiscard]] Request* first() const noexcept { return last != nullptr ? last->next : nullptr; }
    /// The sharer behind that one; null when it is the last.
    [[nodiscard]] Request* after(const Request& r) const noexcept { return &r != last ? r.next : nullptr; }
    [[nodiscard]] bool isShared() const noexcept { return last != nullptr && last->next != last; }
};

// A hundred thousand must stay a matter of some ten megabytes.
static_assert(sizeof(Stream) == 96);

/// Streams in one phase, in order.
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

}  // namespace emissary::reactor::consumer
