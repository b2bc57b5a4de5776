// A whole hub between scripted consumers, a scripted provider and scripted publishers, driven by the test's thread;
// with EMISSARY_HUB_TEST_THREADS above 1, other threads serve the consumers; with EMISSARY_HUB_TEST_PIPELINED consumers
// go on without waiting for the answer to their login.
#pragma once

#include "eta/codec/containers.h"
#include "hub/nats/NatsBus.h"
#include "hub/node/Hub.h"
#include "reactor/GrowingBuffer.h"
#include "reactor/rdm/Login.h"
#include "support/RawConsumer.h"
#include "support/RawProvider.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>

namespace emissary::test {

using namespace hub;
namespace rdm = reactor::rdm;
namespace StreamState = codec::StreamState;
namespace RefreshFlag = codec::RefreshFlag;
namespace RequestFlag = codec::RequestFlag;
using codec::Msg;
using codec::MsgClass;
using codec::DataState::ok;
using codec::DataState::suspect;

class HubFixture {
public:
    static constexpr std::uint16_t kId = 70, kUpstreamId = 7;

    /// Without a clock of the test's the hub has the steady one.
    explicit HubFixture(const std::function<void(HubSettings&)>& change = {},
                        const reactor::TimeSource* clock = nullptr, hub::client::RequestCheck* check = nullptr,
                        std::function<eta::WallClock::time_point()> wallClock = {},
                        std::function<std::unique_ptr<nats::NatsBus>()> meshBus = {}) {
        provider.services = {RawProvider::service(kUpstreamId, "DIRECT_FEED")};
        HubSettings s;
        s.name = "hub1";
        ListenerSettings port;
        port.name = "consumers";
        port.bind.port = "0";
        s.listeners.push_back(port);
        port.name = "publishers";
        s.publisherListeners.push_back(port);
        SourceSettings source;
        source.name = "SRC";
        source.userName = "hub";
        source.position = "1.1.1.1/net";
        source.channels.push_back(RawConsumer::optionsFor(provider.port()));
        source.channelNames.emplace_back("CH");
        s.sources.push_back(source);
        ServiceSettings service;
        service.name = "DIRECT_FEED";
        service.serviceId = kId;
        s.services.push_back(service);
        if (const char* const threads = std::getenv("EMISSARY_HUB_TEST_THREADS"))
            s.threads = static_cast<std::uint32_t>(std::atoi(threads));
        if (change) change(s);
        HubOptions options;
        options.settings = std::move(s);
        options.clock = clock;
        options.requestCheck = check;
        options.wallClock = std::move(wallClock);
        options.meshBus = std::move(meshBus);
        options.log = [this](Severity, const std::string& line) { lines.push_back(line); };
        hub = std::make_unique<Hub>(std::move(options));
        const eta::Refused refused = hub->start();
        INFO(refused.text);
        REQUIRE_FALSE(refused);
    }

    void turn() {
        hub->dispatch(std::chrono::microseconds(0));
        provider.poll();
        if (alongside) alongside();
    }
    void until(const std::function<bool()>& done) {
        const auto end = std::chrono::steady_clock::now() + RawConsumer::kPatience;
        // The hub's own sockets end its wait, the provider's do not: at first it is short.
        for (int turns = 0; !done(); ++turns) {
            REQUIRE(std::chrono::steady_clock::now() < end);
            hub->dispatch(std::chrono::microseconds(turns < 20 || alongside ? 500 : 3000));
            provider.poll();
            if (alongside) alongside();
        }
    }
    /// The hub has the provider's directory.
    void connected() {
        RawConsumer c = loggedIn("watcher");
        c.send(RawConsumer::directoryRequest(3));
        for (;;) {
            const Received got = c.next();
            codec::MapDecoder map;
            REQUIRE(map.start(got.msg.payload).ok());
            codec::MapEntry entry;
            if (map.next(entry)) break;
        }
        provider.wire.clear();
    }
    [[nodiscard]] RawConsumer loggedIn(std::string_view user = "dana", std::uint16_t port = 0,
                                       const rdm::LoginAttributes& attributes = {}) {
        return loggedIn(RawConsumer::optionsFor(port != 0 ? port : hub->port()), user, attributes);
    }
    [[nodiscard]] RawConsumer loggedIn(const eta::transport::ConnectOptions& to, std::string_view user,
                                       const rdm::LoginAttributes& attributes = {}) {
        RawConsumer c(to, [this] { turn(); });
        std::vector<std::byte> room(1024);
        eta::BeWriter out(room);
        REQUIRE(rdm::encodeLogin(out, attributes).ok());
        Msg m;
        rdm::makeLoginRequest(m, user, 1, out.view());
        c.send(m);
        if (const char* const pipelined = std::getenv("EMISSARY_HUB_TEST_PIPELINED");
            pipelined != nullptr && !attributes.isProvider()) {
            c.answerOfLoginIsAhead();
            return c;
        }
        const Received answer = c.next();
        REQUIRE(answer.msg.state.stream == StreamState::open);
        return c;
    }
    /// Nothing has come although everything sent so far has been dealt with: asks for an item that is always refused.
    [[nodiscard]] static bool silent(RawConsumer& c) {
        c.send(RawConsumer::request(999'999, 6, "none", std::uint16_t{65'000}));
        return c.next().msg.streamId == 999'999;
    }
    [[nodiscard]] static Msg request(std::int32_t stream, std::string_view name = "IBM", std::uint8_t domain = 6) {
        return RawConsumer::request(stream, domain, name, kId);
    }
    /// The next message of the hub that the provider did not answer by itself.
    [[nodiscard]] RawProvider::Got asked() {
        until([this] { return !provider.inbox.empty(); });
        return *provider.take();
    }
    void refresh(std::int32_t stream, std::uint64_t bid, std::string_view name = "IBM",
                 std::uint8_t state = StreamState::open, bool solicited = true) {
        Msg m = RawProvider::refresh(stream, state, solicited);
        m.flags |= RefreshFlag::msgKey | RefreshFlag::clearCache;
        m.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
        m.key.serviceId = kUpstreamId;
        m.key.name = eta::asBytes(name);
        fill(m, bid);
        provider.send(m);
    }
    void update(std::int32_t stream, std::uint64_t bid) {
        Msg m = RawProvider::update(stream);
        m.updateType = 1;
        fill(m, bid);
        provider.send(m);
    }
    void fill(Msg& m, std::uint64_t bid) {
        codec::FieldListEncoder list;
        list.begin(payload_.start());
        if (plainNumbers) {
            list.addUInt(1, bid);
        } else {
            list.addUInt(22, bid);
            list.addUInt(25, bid + 1);
        }
        REQUIRE(list.complete().ok());
        m.containerType = codec::DataType::FieldList;
        m.payload = payload_.view();
    }
    /// A post on that stream which asks for an ack. Its payload is good until the next fill().
    [[nodiscard]] Msg post(std::int32_t stream, std::uint32_t id, std::uint64_t bid) {
        Msg m;
        m.cls = MsgClass::Post;
        m.domain = 6;
        m.streamId = stream;
        m.flags = codec::PostFlag::ack | codec::PostFlag::postId | codec::PostFlag::complete;
        m.postId = id;
        fill(m, bid);
        return m;
    }
    /// Fields as "22=5 25=6".
    [[nodiscard]] static std::string fields(const Msg& m) {
        std::string out;
        codec::FieldListDecoder list;
        REQUIRE(m.containerType == codec::DataType::FieldList);
        REQUIRE(list.start(m.payload).ok());
        for (codec::FieldEntry e; list.next(e);) {
            std::uint64_t v = 0;
            REQUIRE(codec::decodeUInt(e.data, v) == codec::Decoded::value);
            out += (out.empty() ? "" : " ") + std::to_string(e.fieldId) + "=" + std::to_string(v);
        }
        return out;
    }
    /// Item requests and closes that the provider got, in order.
    [[nodiscard]] std::vector<std::string> wire() const {
        std::vector<std::string> out;
        for (const std::string& line : provider.wire)
            if (line.find(" d6 ") != std::string::npos) out.push_back(line);
        return out;
    }

    /// The provider says how an item is.
    void sendState(std::int32_t stream, const codec::State& state) {
        Msg m = RawProvider::status(stream, state.stream, state.data, state.code, eta::asText(state.text));
        m.domain = 6;
        provider.send(m);
    }

    RawProvider provider;
    std::vector<std::string> lines;  // the hub logs to the end
    std::unique_ptr<Hub> hub;
    std::function<void()> alongside;  ///< in every turn
    /// Payloads have field 1 alone: the dictionary calls it a number, JSON clients read it.
    bool plainNumbers = false;

private:
    reactor::GrowingBuffer payload_;
};

}  // namespace emissary::test
