// Both ends of tunnels in one thread, with everything between them in the test's hands.
#pragma once

#include "support/StillClock.h"
#include "support/catch.hpp"
#include "tunnel/ConsumerEnd.h"
#include "tunnel/ProviderEnd.h"

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tunneltest {

using namespace emissary;
using namespace emissary::reactor;
using namespace emissary::reactor::tunnel;
using namespace std::chrono_literals;
using eta::Bytes;
using eta::codec::DataType;
using eta::codec::Msg;
using eta::codec::MsgClass;

using Block = std::vector<std::byte>;

inline std::string hex(Bytes bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const std::byte b : bytes)
        (text += digits[std::to_integer<unsigned>(b) >> 4]) += digits[std::to_integer<unsigned>(b) & 15];
    return text;
}
inline Block unhex(std::string_view text) {
    Block block;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
        block.push_back(static_cast<std::byte>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16)));
    return block;
}
/// The same bytes with the lengths of their entries in one byte, where the other library reserves three.
inline std::string shortLengths(std::string text) {
    for (std::size_t at = 0; (at = text.find("fe00", at)) != std::string::npos;)
        text.erase(at, 4);
    return text;
}
/// The content of test messages: every byte depends on its place and on the message.
inline Block content(std::size_t size, unsigned seed = 3) {
    Block block(size);
    for (std::size_t i = 0; i < size; ++i)
        block[i] = static_cast<std::byte>((i * 7 + seed) & 0xFF);
    return block;
}

/// What one end wrote, encoded.
struct TestWire final : Wire {
    std::deque<Block> out;
    bool full = false;
    std::function<void(Bytes)> observer;

    eta::Error tryWrite(Bytes message) noexcept override {
        if (full) return {eta::Errc::noBuffers, 0};
        put(message);
        return {};
    }
    void write(const Msg& m) override {
        Block block(eta::codec::maxEncodedSize(m));
        eta::BeWriter writer{block};
        REQUIRE(encodeMsg(writer, m).ok());
        put(writer.view());
    }
    void put(Bytes message) {
        if (observer) observer(message);
        out.emplace_back(message.begin(), message.end());
    }
};

/// Writes down what an end tells.
struct TestUser final : End::User {
    std::vector<std::string> events;
    std::vector<Block> data;
    std::vector<DataType> types;
    bool flushDue = false;
    int ended = 0;
    std::function<void(End&)> onOpen, onMessage;

    static std::string describe(const Status& s) {
        std::string text = std::to_string(s.state.stream) + "/" + std::to_string(s.state.data) + " " +
                           std::string(eta::asText(s.state.text));
        if (s.login != nullptr) text += s.login->cls == MsgClass::Refresh ? " [login refresh]" : " [login status]";
        return text;
    }
    void onStatus(End& end, const Status& s) override {
        events.push_back(describe(s));
        if (s.state.stream == 1 && s.state.data == 1 && onOpen) onOpen(end);
    }
    void onData(End& end, DataType type, Bytes bytes) override {
        types.push_back(type);
        data.emplace_back(bytes.begin(), bytes.end());
        if (onMessage) onMessage(end);
    }
    void onFlushDue(End&) override { flushDue = true; }
    void onEnded(End&) override { ++ended; }
    [[nodiscard]] std::vector<std::string> take() { return std::exchange(events, {}); }
};

/// The header of a message inside, of what `bytes` hold.
struct Seen {
    Msg m;
    Header header;
    explicit Seen(Bytes bytes, std::uint8_t version = kStreamVersion) {
        REQUIRE(decodeMsg(bytes, m).ok());
        if (m.cls == MsgClass::Generic && m.hasExtendedHeader())
            REQUIRE(decodeHeader(m.extendedHeader, version, header).ok());
    }
    /// "data 3", "ack 7 [8-9]", "fin 4", "Close" ...
    [[nodiscard]] std::string text() const {
        if (m.cls != MsgClass::Generic) return eta::codec::name(m.cls);
        if (header.isData()) return (header.op == OpCode::data ? "data " : "again ") + std::to_string(m.seqNum);
        std::string t = (header.fin ? "fin " : "ack ") + std::to_string(header.seqNum);
        for (std::size_t i = 0; i < header.missing.size(); ++i)
            t += " [" + std::to_string(header.missing[i].from) + "-" + std::to_string(header.missing[i].to) + "]";
        return t;
    }
};

/// A clock that stands still, a loop for the timers, and what all tunnels share.
struct Ground {
    test::StillClock clock;
    Reactor loop{[this] {
        ReactorOptions o;
        o.name = "test";
        o.clock = &clock;
        return o;
    }()};
    const std::lock_guard<SessionLock> guard{loop.lock()};
    Counters counters;
    Limits limits;

    /// Time passes, and what is due happens.
    void pass(std::chrono::milliseconds time) {
        clock.advance(time);
        loop.lock().unlock();
        (void)loop.dispatch(0us, 100);
        loop.lock().lock();
    }
    [[nodiscard]] Setting setting(Wire& wire) { return {loop, wire, counters, limits}; }
};

inline ClassOfService reliable() {
    ClassOfService cos;
    cos.dataIntegrity = DataIntegrity::reliable;
    return cos;
}
inline ClassOfService windowed(std::int64_t window = -1) {
    ClassOfService cos = reliable();
    cos.flowControl = FlowControl::bidirectional;
    cos.recvWindowSize = window;
    return cos;
}
inline Block loginRequest(std::int32_t streamId = 1) {
    Msg m;
    m.cls = MsgClass::Request;
    m.domain = 1;
    m.streamId = streamId;
    m.flags = eta::codec::RequestFlag::streaming;
    m.key.flags = eta::codec::KeyFlag::name | eta::codec::KeyFlag::nameType;
    m.key.name = eta::asBytes("user");
    Block block(eta::codec::maxEncodedSize(m));
    eta::BeWriter writer{block};
    REQUIRE(encodeMsg(writer, m).ok());
    return {writer.view().begin(), writer.view().end()};
}
inline Msg loginRefresh(std::int32_t streamId = 1) {
    Msg m;
    m.cls = MsgClass::Refresh;
    m.domain = 1;
    m.streamId = streamId;
    m.flags = eta::codec::RefreshFlag::solicited | eta::codec::RefreshFlag::complete;
    m.state = {1, 1, 0, eta::asBytes("login accepted")};
    return m;
}

/// A consumer's end and a provider's, and the two directions between them.
struct Pair : Ground {
    TestWire up, down;  // from the consumer, from the provider
    TestUser consumer, provider;
    ClassOfService offered = reliable();
    std::uint32_t providerBuffers = 50;
    std::unique_ptr<ConsumerEnd> asking;
    std::unique_ptr<ProviderEnd> asked;
    /// What becomes of a message on its way: delivered unless it says no.
    std::function<bool(Bytes message, bool fromConsumer)> passes = [](Bytes, bool) { return true; };
    std::vector<std::string> seen;  // everything on the wire

    static ConsumerRequest request(const ClassOfService& cos = reliable()) {
        ConsumerRequest r;
        r.identity = {1001, 127, 1, "TUNNEL1"};
        r.classOfService = cos;
        return r;
    }
    void ask(ConsumerRequest r = request()) {
        asking = std::make_unique<ConsumerEnd>(setting(up), std::move(r), consumer);
        asking->start();
    }
    /// As a provider does that accepts everybody.
    void accept(const Msg& m) {
        ClassOfService cos;
        REQUIRE(decode(m.payload, cos).ok());
        asked = std::make_unique<ProviderEnd>(
            setting(down), Identity{m.streamId, m.domain, m.key.serviceId, std::string(eta::asText(m.key.name))}, cos,
            provider);
        REQUIRE_FALSE(asked->accept(offered, providerBuffers));
    }
    std::function<void(const Msg&)> onRequest = [this](const Msg& m) { accept(m); };
    /// Delivers what was written, back and forth, until nobody has anything to say. True when something was.
    bool settle(std::size_t batch = 1) {
        bool any = false;
        while (!up.out.empty() || !down.out.empty()) {
            any = true;
            deliver(up, true, batch);
            deliver(down, false, batch);
        }
        return any;
    }
    void deliver(TestWire& from, bool fromConsumer, std::size_t batch = 1) {
        for (std::size_t i = 0; i < batch && !from.out.empty(); ++i) {
            const Block message = std::move(from.out.front());
            from.out.pop_front();
            const Seen s(message);
            const bool passed = passes(message, fromConsumer);
            seen.push_back((fromConsumer ? "> " : "< ") + s.text() + (passed ? "" : " lost"));
            if (passed) hand(s.m, fromConsumer);
        }
        flush();
    }
    void hand(const Msg& m, bool fromConsumer) {
        if (!fromConsumer) {
            if (asking) asking->onMessage(m);
        } else if (m.cls == MsgClass::Request) {
            onRequest(m);
        } else if (asked) {
            asked->onMessage(m);
        }
    }
    void flush() {
        if (std::exchange(consumer.flushDue, false) && asking) asking->flush();
        if (std::exchange(provider.flushDue, false) && asked) asked->flush();
    }
    void open(const ClassOfService& cos = reliable()) {
        offered = cos;
        ask(request(cos));
        settle();
        REQUIRE(asking->open());
        REQUIRE(asked->open());
        consumer.events.clear();
        provider.events.clear();
        seen.clear();
    }
};

}  // namespace tunneltest
