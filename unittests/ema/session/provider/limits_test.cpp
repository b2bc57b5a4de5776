// The limits of a Server entry at work in a provider.
#include "ProviderTest.h"
#include "emissary/metrics.h"
#include "emissary/output.h"

#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>

using namespace emissary;
using namespace emissary::test;

namespace {

std::string value(const char* name, const char* text) {
    return std::string("<") + name + " value=\"" + text + "\"/>";
}

/// A connection that says nothing.
class SilentPeer {
public:
    explicit SilentPeer(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        REQUIRE(::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
    }
    SilentPeer(SilentPeer&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    SilentPeer& operator=(SilentPeer&&) = delete;
    ~SilentPeer() {
        if (fd_ >= 0) ::close(fd_);
    }
    [[nodiscard]] bool closedByPeer() const {
        pollfd p{fd_, POLLIN, 0};
        char byte = 0;
        return ::poll(&p, 1, 10'000) == 1 && ::recv(fd_, &byte, 1, 0) <= 0;
    }

private:
    int fd_;
};

template <class Condition>
void until(Condition condition) {
    REQUIRE(eventually(condition));
}

struct Provider {
    explicit Provider(const std::string& serverParameters)
        : file({}, sourcePath("/etc/RDMFieldDictionary"), serverParameters),
          provider(OmmIProviderConfig(file.path()), app) {}
    [[nodiscard]] std::uint16_t port() { return ema::ProviderAccess::port(provider); }
    [[nodiscard]] reactor::ProviderCounters counters() { return ema::ProviderAccess::counters(provider); }

    const ConfigFile file;
    RecordingClient app;
    OmmProvider provider;
};

}  // namespace

TEST_CASE("deadlines of strangers", "[ema][provider][limits]") {
    SECTION("for the first byte") {
        Provider p(value("FirstByteTimeout", "100"));
        const SilentPeer peer(p.port());
        CHECK(peer.closedByPeer());
        CHECK(p.counters().handshakesFailed == 1);
    }
    SECTION("for the login") {
        Provider p(value("ClientLoginTimeout", "100"));
        RawConsumer c(p.port());
        CHECK(c.waitClosed());
        CHECK(p.counters().loginTimeouts == 1);
    }
}

TEST_CASE("a provider whose every place is taken by silent connections", "[ema][provider][limits]") {
    Provider p(value("MaxConnections", "20"));
    std::vector<SilentPeer> silent;
    for (int i = 0; i < 60; ++i)
        silent.emplace_back(p.port());
    RawConsumer c = loggedIn(p.provider);  // gets in, and stays when others come
    for (int i = 0; i < 60; ++i)
        silent.emplace_back(p.port());
    c.send(RawConsumer::request(5, 6, "TRI.N", 1));
    CHECK(c.next().msg.streamId == 5);
    until([&] { return p.counters().evicted >= 60; });
}

TEST_CASE("a client that never reads", "[ema][provider][limits]") {
    Provider p(value("SlowConsumerTimeout", "3000") + value("SysSendBufSize", "8192"));
    RawConsumer c = loggedIn(p.provider);
    c.send(RawConsumer::request(5, 6, "TRI.N", 1));
    REQUIRE(c.next().msg.streamId == 5);
    const UInt64 handle = p.app.at(2).handle;
    const std::string text(4000, 'x');
    FieldList fields;
    fields.addAscii(3, text.c_str()).complete();
    int sent = 0;
    const Int32 code = usageCode([&] {
        for (;; ++sent)
            p.provider.submit(UpdateMsg().payload(fields), handle);
    });
    CHECK(code == OmmInvalidUsageException::NoBuffersEnum);
    CHECK(sent > 1000);
    CHECK(emissary::metrics(p.provider).value("emissary_channel_no_buffers_total") == 1);
    CHECK(p.app.at(3).what == "close");  // its login, when it was disconnected
    CHECK(p.counters().slowConsumers == 1);
    CHECK(c.waitClosed());
}

TEST_CASE("what waits for a client to read can be asked for", "[ema][provider][limits]") {
    Provider p(value("SysSendBufSize", "8192"));
    RawConsumer c = loggedIn(p.provider);
    c.send(RawConsumer::request(5, 6, "TRI.N", 1));
    REQUIRE(c.next().msg.streamId == 5);
    const auto item = p.app.at(2);
    const auto queued = [&] { return emissary::outputQueued(p.provider, item.client); };
    CHECK(eventually([&] { return queued() == std::size_t{0}; }));
    CHECK_FALSE(emissary::outputQueued(p.provider, item.client + 12345));
    const auto accepted = [&] { return emissary::outputAccepted(p.provider, item.client); };
    CHECK_FALSE(emissary::outputAccepted(p.provider, item.client + 12345));
    const std::uint64_t before = accepted().value_or(0);
    CHECK(before > 0);
    const std::string text(4000, 'x');
    FieldList fields;
    fields.addAscii(3, text.c_str()).complete();
    std::size_t sent = 0;
    while (queued().value_or(0) < 200'000) {
        p.provider.submit(UpdateMsg().payload(fields), item.handle);
        ++sent;
    }
    CHECK(*queued() < 220'000);
    const std::uint64_t given = accepted().value_or(0) - before;
    CHECK(given > sent * 4000);
    CHECK(given < sent * 4100);
    for (std::size_t i = 0; i != sent; ++i)
        REQUIRE(c.next().msg.cls == codec::MsgClass::Update);
    CHECK(eventually([&] { return queued() == std::size_t{0}; }));
    CHECK(accepted().value_or(0) - before == given);
    c.disconnect();
    CHECK(eventually([&] { return !queued(); }));
    CHECK_FALSE(accepted());
}

namespace {

/// Two clients with an item each, and what is published for them.
struct TwoClients {
    TwoClients() { fields.addReal(22, 3391, OmmReal::ExponentNeg2Enum).complete(); }
    /// Opens the item; the provider has heard of so many requests before.
    [[nodiscard]] auto opened(RawConsumer& by, int streamId, const char* name, std::size_t before) {
        by.send(RawConsumer::request(streamId, 6, name, 1));
        REQUIRE(by.next().msg.streamId == streamId);
        return p.app.at(before + 1);
    }
    Provider p{{}};
    RawConsumer a = loggedIn(p.provider), b = loggedIn(p.provider);
    FieldList fields;
};

}  // namespace

TEST_CASE("what is submitted in a burst leaves at its end, for all clients", "[ema][provider][limits]") {
    TwoClients t;
    Provider& p = t.p;
    RawConsumer &a = t.a, &b = t.b;
    const auto first = t.opened(a, 5, "TRI.N", 2), second = t.opened(b, 7, "IBM.N", 3);
    REQUIRE(first.client != second.client);
    const auto queued = [&](UInt64 client) { return emissary::outputQueued(p.provider, client).value_or(99'999); };
    CHECK(eventually([&] { return queued(first.client) == 0 && queued(second.client) == 0; }));
    UpdateMsg update;
    for (UInt16 round = 0; round < 20; ++round) {
        {
            const emissary::SubmitBurst burst(p.provider);
            const emissary::SubmitBurst inside(p.provider);  // changes nothing
            for (UInt16 i = 0; i < 50; ++i) {
                p.provider.submit(update.clear().updateTypeNum(static_cast<UInt8>(i)).payload(t.fields), first.handle);
                p.provider.submit(update, second.handle);
            }
            // Each has 50 messages of its own: nothing of them has left.
            REQUIRE(queued(first.client) == queued(second.client));
            REQUIRE(queued(first.client) > 50 * 20);
        }
        REQUIRE(queued(first.client) == 0);
        REQUIRE(queued(second.client) == 0);
        for (RawConsumer* c : {&a, &b})
            for (UInt16 i = 0; i < 50; ++i)
                REQUIRE(c->next().msg.updateType == i);
    }
}

TEST_CASE("a turn of the loop that ends inside another thread's burst", "[ema][provider][limits]") {
    TwoClients t;
    Provider& p = t.p;
    const auto item = t.opened(t.a, 5, "TRI.N", 2);
    const auto queued = [&] { return emissary::outputQueued(p.provider, item.client).value_or(99'999); };
    CHECK(eventually([&] { return queued() == 0; }));
    {
        const emissary::SubmitBurst burst(p.provider);
        for (int i = 0; i < 50; ++i)
            p.provider.submit(UpdateMsg().payload(t.fields), item.handle);
        const std::size_t gathered = queued();
        REQUIRE(gathered > 50 * 20);
        // The image that a callback submits leaves with its turn, what the burst gathers for another client does not.
        t.b.send(RawConsumer::request(7, 6, "IBM.N", 1));
        REQUIRE(t.b.next().msg.streamId == 7);
        CHECK(queued() == gathered);
        // For the client that the burst is for as well, a callback's message leaves as always, and in order.
        t.a.send(RawConsumer::request(9, 6, "IBM.N", 1));
        for (int i = 0; i < 50; ++i)
            REQUIRE(t.a.next().msg.streamId == 5);
        CHECK(t.a.next().msg.streamId == 9);
        CHECK(queued() == 0);
        p.provider.submit(UpdateMsg().payload(t.fields), item.handle);
        CHECK(queued() != 0);
    }
    CHECK(queued() == 0);
    CHECK(t.a.next().msg.streamId == 5);
}

TEST_CASE("a client goes while a burst for it is under way", "[ema][provider][limits]") {
    TwoClients t;
    Provider& p = t.p;
    RawConsumer &stays = t.a, &goes = t.b;
    const auto kept = t.opened(stays, 5, "TRI.N", 2), lost = t.opened(goes, 7, "IBM.N", 3);
    int sent = 0;
    {
        const emissary::SubmitBurst burst(p.provider);
        const auto submit = [&](UInt64 handle) { p.provider.submit(UpdateMsg().payload(t.fields), handle); };
        submit(lost.handle);
        submit(kept.handle);
        ++sent;
        goes.disconnect();
        // Its handle ends with it, on the other thread.
        CHECK(eventually([&] {
            submit(kept.handle);
            ++sent;
            return usageCode([&] { submit(lost.handle); }) == OmmInvalidUsageException::InvalidArgumentEnum;
        }));
    }
    for (; sent != 0; --sent)
        REQUIRE(stays.next().msg.cls == codec::MsgClass::Update);
}

TEST_CASE("connections that come and go do not fill the log", "[ema][provider][limits]") {
    const std::string name = "limits_test_" + std::to_string(::getpid());
    const std::string written = name + "_" + std::to_string(::getpid()) + ".log";
    {
        const ConfigFile file({}, sourcePath("/etc/RDMFieldDictionary"), {},
                              value("LoggerType", "LoggerType::File") + value("FileName", name.c_str()));
        RecordingClient app;
        OmmProvider provider(OmmIProviderConfig(file.path()), app);
        constexpr std::uint64_t kVisits = 3000;
        for (std::uint64_t i = 0; i < kVisits; ++i)
            RawConsumer(ema::ProviderAccess::port(provider)).disconnect();
        until([&] { return ema::ProviderAccess::counters(provider).clientsLost == kVisits; });
    }
    std::ifstream in(written);
    const std::string all{std::istreambuf_iterator<char>(in), {}};
    std::size_t records = 0;
    for (std::size_t at = 0; (at = all.find("Client connected.", at)) != std::string::npos; ++at)
        ++records;
    CHECK(records >= 500);
    CHECK(records < 3000);
    // What was left out was counted, and nothing else was: each visit is two records.
    std::uint64_t leftOut = 0, stood = 0;
    constexpr std::string_view kLeftOut = " records were left out within ";
    for (std::size_t at = 0; (at = all.find(kLeftOut, at)) != std::string::npos; ++at)
        leftOut += std::stoull(all.substr(all.rfind(' ', at - 1)));
    for (std::size_t at = 0; (at = all.find("    Text:    Client ", at)) != std::string::npos; ++at)
        ++stood;
    CHECK(leftOut > 0);
    CHECK(leftOut + stood == 2 * 3000);
    std::remove(written.c_str());
}
