// A scripted consumer on the bare transport: sends exactly what a test says, receives message by message.
#pragma once

#include "eta/codec/Msg.h"
#include "eta/codec/encoders.h"
#include "eta/transport/Channel.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace emissary::test {

namespace codec = eta::codec;
using eta::Bytes;

/// A received message with the bytes that its views point into.
struct Received {
    std::vector<std::byte> bytes;
    codec::Msg msg;
    [[nodiscard]] std::string stateText() const { return std::string(eta::asText(msg.state.text)); }
    [[nodiscard]] std::string name() const { return std::string(eta::asText(msg.key.name)); }
};

/// Single threaded. `pump` is called while waiting, for servers that are driven by the test's own thread.
class RawConsumer {
public:
    using Pump = std::function<void()>;
    static constexpr auto kPatience = test::kPatience;

    explicit RawConsumer(std::uint16_t port, Pump pump = {}) : RawConsumer(optionsFor(port), std::move(pump)) {}
    RawConsumer(const eta::transport::ConnectOptions& options, Pump pump) : pump_(std::move(pump)) {
        eta::Refused refused;
        channel_ = eta::transport::Channel::connect(options, Clock::now(), refused);
        INFO(refused.text);
        REQUIRE(channel_ != nullptr);
        const auto end = Clock::now() + kPatience;
        auto status = eta::transport::InitStatus::inProgress;
        while (status != eta::transport::InitStatus::active && Clock::now() < end) {
            wait(channel_->wantsWrite());
            status = channel_->init(Clock::now());
            if (status == eta::transport::InitStatus::failed) break;
        }
        INFO(channel_->errorText());
        REQUIRE(status == eta::transport::InitStatus::active);
    }

    [[nodiscard]] static eta::transport::ConnectOptions optionsFor(std::uint16_t port) {
        eta::transport::ConnectOptions options;
        options.host = "127.0.0.1";
        options.port = std::to_string(port);
        options.guaranteedOutputBuffers = 5000;
        return options;
    }

    // --- sending ----------------------------------------------------------------------------------------------------

    void send(const codec::Msg& msg) {
        std::vector<std::byte> room(codec::maxEncodedSize(msg) + 64);
        eta::BeWriter out(room);
        REQUIRE(codec::encodeMsg(out, msg).ok());
        sendBytes(out.view());
    }
    void sendBytes(Bytes message) {
        {
            const std::lock_guard guard(channel_->outputLock());
            eta::Error e = channel_->write(message);
            REQUIRE(e.ok());
        }
        flush();
    }
    void flush() {
        const auto end = Clock::now() + kPatience;
        pause_.reset();
        for (;;) {
            {
                const std::lock_guard guard(channel_->outputLock());
                if (channel_->flush() || channel_->fd() < 0) return;
            }
            REQUIRE(Clock::now() < end);
            wait(true);
        }
    }

    [[nodiscard]] static codec::Msg request(std::int32_t streamId, std::uint8_t domain, std::string_view name,
                                            std::optional<std::uint16_t> serviceId = {}) {
        codec::Msg m;
        m.cls = codec::MsgClass::Request;
        m.streamId = streamId;
        m.domain = domain;
        m.flags = codec::RequestFlag::streaming;
        if (!name.empty()) {
            m.key.flags |= codec::KeyFlag::name;
            m.key.name = eta::asBytes(name);
        }
        if (serviceId) {
            m.key.flags |= codec::KeyFlag::serviceId;
            m.key.serviceId = *serviceId;
        }
        return m;
    }
    [[nodiscard]] static codec::Msg loginRequest(std::string_view user) {
        codec::Msg m = request(1, 1, user);
        m.key.flags |= codec::KeyFlag::nameType;
        return m;
    }
    [[nodiscard]] static codec::Msg directoryRequest(std::uint32_t filter, std::int32_t streamId = 2) {
        codec::Msg m = request(streamId, 4, {});
        m.key.flags |= codec::KeyFlag::filter;
        m.key.filter = filter;
        return m;
    }
    [[nodiscard]] static codec::Msg dictionaryRequest(std::int32_t streamId, std::string_view name,
                                                      std::uint32_t verbosity = 7) {
        codec::Msg m = request(streamId, 5, name, std::uint16_t{1});
        m.key.flags |= codec::KeyFlag::filter;
        m.key.filter = verbosity;
        return m;
    }
    [[nodiscard]] static codec::Msg close(std::int32_t streamId, std::uint8_t domain = 6) {
        codec::Msg m;
        m.cls = codec::MsgClass::Close;
        m.streamId = streamId;
        m.domain = domain;
        return m;
    }

    /// The answer to the login was not waited for: it comes first, is good, and is left out.
    void answerOfLoginIsAhead() noexcept { loginAhead_ = true; }

    // --- receiving --------------------------------------------------------------------------------------------------

    /// The next message, or nothing when none comes in time or the connection has ended.
    [[nodiscard]] std::optional<Received> tryNext(std::chrono::milliseconds patience = kPatience) {
        const auto end = Clock::now() + patience;
        pause_.reset();
        while (!closed_) {
            const eta::transport::ReadResult r = channel_->read();
            if (r.kind == eta::transport::ReadResult::Kind::message) {
                Received got;
                got.bytes.assign(r.message.begin(), r.message.end());
                REQUIRE(codec::decodeMsg(Bytes(got.bytes), got.msg).ok());
                if (std::exchange(loginAhead_, false)) {
                    REQUIRE(got.msg.domain == 1);
                    REQUIRE(got.msg.state.stream == codec::StreamState::open);
                    continue;
                }
                return got;
            }
            if (r.kind == eta::transport::ReadResult::Kind::closed) {
                closed_ = true;
                break;
            }
            if (r.kind == eta::transport::ReadResult::Kind::ping || r.more) continue;
            if (Clock::now() >= end) break;
            wait(false);
        }
        return std::nullopt;
    }
    [[nodiscard]] Received next() {
        std::optional<Received> got = tryNext();
        REQUIRE(got.has_value());
        return std::move(*got);
    }
    /// True when the peer ends the connection; messages before that are dropped.
    [[nodiscard]] bool waitClosed() {
        while (!closed_ && tryNext()) {}
        return closed_;
    }
    /// Nothing has come although everything sent so far has been answered: asks with a request that is always refused.
    [[nodiscard]] bool silent(std::int32_t unusedStream = 999'999) {
        send(request(unusedStream, 5, "no such dictionary"));
        const Received got = next();
        return got.msg.streamId == unusedStream;
    }

    // --- ends -------------------------------------------------------------------------------------------------------

    /// The first half of a frame, then a reset: what a dying process leaves behind.
    void dieMidMessage() {
        const unsigned char half[] = {0x01, 0x00, 0x02, 0x40, 0x11, 0x22};
        [[maybe_unused]] const auto n = ::send(channel_->fd(), half, sizeof half, MSG_NOSIGNAL);
        const linger now{1, 0};
        ::setsockopt(channel_->fd(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
        channel_->close();
        closed_ = true;
    }
    void disconnect() {
        channel_->close();
        closed_ = true;
    }
    [[nodiscard]] eta::transport::Channel& channel() noexcept { return *channel_; }

private:
    using Clock = std::chrono::steady_clock;

    void wait(bool forOutput) {
        pollfd p{channel_->fd(), static_cast<short>(POLLIN | (forOutput ? POLLOUT : 0)), 0};
        if (pump_) {
            pause_(p.fd, p.events);
            pump_();
        } else if (p.fd >= 0) {
            ::poll(&p, 1, 10);
        }
    }

    Pump pump_;
    TurnPause pause_;
    std::unique_ptr<eta::transport::Channel> channel_;
    bool closed_ = false, loginAhead_ = false;
};

inline void checkState(const Received& got, std::int32_t stream, std::uint8_t streamState, std::uint8_t data,
                       int code = 0) {
    CHECK(got.msg.streamId == stream);
    REQUIRE(got.msg.hasState());
    CHECK(int{got.msg.state.stream} == int{streamState});
    CHECK(int{got.msg.state.data} == int{data});
    CHECK(int{got.msg.state.code} == code);
}

}  // namespace emissary::test
