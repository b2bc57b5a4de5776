// Data through tunnels over every kind of connection that carries RWF: whole, in fragments, both ways at once, and what
// is left when the connection breaks in the middle.
#include "TunnelTest.h"
#include "eta/transport/rows.h"
#include "support/Relay.h"

using namespace emissary::test;
namespace eta = emissary::eta;
using emissary::reactor::tunnel::SubmitFault;

namespace {

/// A kind of connection, in the words of the configuration and of a server.
struct Line {
    const char* name;
    bool encrypted = false, webSocket = false;
    const char* more = "";  ///< parameters of the channel
    eta::transport::Compression compression = eta::transport::Compression::none;

    [[nodiscard]] eta::transport::BindOptions bind() const {
        eta::transport::BindOptions b = anyPort();
        if (webSocket) b.connectionType = eta::transport::ConnectionType::webSocket;
        if (encrypted) {
            b.connectionType = eta::transport::ConnectionType::encrypted;
            b.tls.certificate = transport_test::certificates() + "/ec.pem";
            b.tls.privateKey = transport_test::certificates() + "/ec-key.pem";
        }
        b.compression = compression;
        return b;
    }
    [[nodiscard]] std::string type() const {
        return encrypted ? "RSSL_ENCRYPTED" : webSocket ? "RSSL_WEBSOCKET" : "RSSL_SOCKET";
    }
    [[nodiscard]] std::string parameters() const {
        std::string p = more;
        if (webSocket) p += config::parameter("WsProtocols", "rssl.rwf");
        if (encrypted)
            p += config::parameter("OpenSSLCAStore", transport_test::certificates() + "/ca.pem") +
                 config::parameter("EncryptedProtocolType", webSocket ? "EncryptedProtocolType::RSSL_WEBSOCKET"
                                                                      : "EncryptedProtocolType::RSSL_SOCKET");
        return p;
    }
};
const Line kLines[] = {
    {.name = "plain"},
    {.name = "TLS 1.2", .encrypted = true, .more = R"(<SecurityProtocol value="4"/>)"},
    {.name = "TLS 1.3", .encrypted = true, .more = R"(<SecurityProtocol value="8"/>)"},
    {.name = "TLS and LZ4",
     .encrypted = true,
     .more = R"(<CompressionType value="CompressionType::LZ4"/>)",
     .compression = eta::transport::Compression::lz4},
    {.name = "WebSocket", .webSocket = true},
    {.name = "WebSocket and zlib",
     .webSocket = true,
     .more = R"(<CompressionType value="CompressionType::ZLib"/>)",
     .compression = eta::transport::Compression::zlib},
    {.name = "WebSocket in TLS", .encrypted = true, .webSocket = true},
};

/// Bytes of the n-th message of a direction: most are short, some longer than a fragment of the tunnel, some than one
/// of the transport. Every byte depends on its place, the message and the direction.
std::vector<char> content(unsigned n, unsigned direction) {
    const std::size_t size = n % 10 == 0   ? 1 + (n * 7919u) % 100'000u
                             : n % 10 == 5 ? 6142 + n / 10 % 5
                                           : 1 + (n * 131u) % 2000u;
    std::vector<char> bytes(size);
    for (std::size_t i = 0; i < size; ++i)
        bytes[i] = static_cast<char>(i * 7 + i / 256 + n * 13 + direction);
    return bytes;
}

/// Holds what arrives against what was due: everything, in order, whole.
class Arrivals {
public:
    explicit Arrivals(unsigned direction) : direction_(direction) {}
    void take(const char* data, std::size_t size) {
        const std::vector<char> due = content(count_, direction_);
        if (size != due.size() || !std::equal(due.begin(), due.end(), data)) ++different_;
        ++count_;
    }
    /// What comes next is the first message of a new tunnel.
    void startAnew() { count_ = 0; }
    [[nodiscard]] unsigned count() const { return count_; }
    [[nodiscard]] unsigned different() const { return different_; }

private:
    const unsigned direction_;
    std::atomic<unsigned> count_{0}, different_{0};
};

constexpr unsigned kUp = 1, kDown = 2;

struct Receiver : Notes {
    Arrivals arrived{kDown};
    void onGenericMsg(const GenericMsg& m, const OmmConsumerEvent&) override {
        const EmaBuffer& data = m.getPayload().getOpaque().getBuffer();
        arrived.take(data.c_buf(), data.length());
    }
    void onAllMsg(const Msg&, const OmmConsumerEvent&) override {}
};

/// Both ends of a tunnel with one stream inside, and the messages that both send into it.
class Exchange {
public:
    Arrivals atProvider{kUp};
    Receiver client;

    explicit Exchange(const Line& line)
        : provider_({.bind = line.bind(),
                     .taker =
                         [this](auto&, const wire::Msg& m) {
                             if (m.cls != wire::MsgClass::Generic) return false;
                             atProvider.take(reinterpret_cast<const char*>(m.payload.data()), m.payload.size());
                             return true;
                         }}),
          relay_(provider_.port()), pump_([this] {
              while (!stop_) {
                  if (cut_.exchange(false)) relay_.cut();
                  relay_.pump();
                  relay_.wait();
              }
          }),
          file_(relay_.port(), {}, true, line.parameters(), R"(<Channel value="Channel"/>)", line.type()),
          consumer_(std::make_unique<OmmConsumer>(OmmConsumerConfig(file_.path()).username("user"))) {
        consumer_->registerClient(item("OUT"), client);
        REQUIRE(client.wait("? refresh 5"));
    }
    ~Exchange() {
        consumer_.reset();
        stop_ = true;
        pump_.join();
    }
    void open() {
        (void)client.lines.take();
        atProvider.startAnew();
        client.arrived.startAnew();
        sent_[0] = sent_[1] = 0;
        tunnel_ = consumer_->registerClient(request(), client, tunnelName);
        REQUIRE(client.wait(kOpen));
        sub_ = consumer_->registerClient(ReqMsg().name("IBM.N").serviceId(1), client, subName, tunnel_);
        REQUIRE(client.wait("A refresh 5"));
    }
    /// Both sides send while there is room, until both have received so many.
    [[nodiscard]] bool run(unsigned messages) {
        return turnUntil([&] { return client.arrived.count() >= messages && atProvider.count() >= messages; },
                         [&] {
                             const bool up = sendUp(messages), down = sendDown(messages);
                             if (!up && !down) std::this_thread::yield();
                         },
                         std::chrono::seconds(60));
    }
    /// Both sides fill what they have, and the connection breaks under it.
    void breakOff() {
        constexpr unsigned kMost = 5000;  // more than the buffers take
        while (sendUp(kMost)) {}
        while (sendDown(kMost)) {}
        REQUIRE(std::max(sent_[0], sent_[1]) < kMost);
        cut_ = true;
    }
    [[nodiscard]] bool lost() {
        return client.wait("T status ClosedRecover/Suspect Channel closed. DIRECT_FEED") &&
               provider_.told.wait(
                   [](const auto& all) { return std::count(all.begin(), all.end(), "status 4/2") != 0; });
    }
    /// The consumer is back, and knows its provider's services.
    [[nodiscard]] bool reconnected() {
        return provider_.told.wait(
            [](const auto& all) { return std::count(all.begin(), all.end(), "outside OUT") == 2; });
    }
    void sendInto() { consumer_->submit(GenericMsg(), sub_); }
    [[nodiscard]] unsigned sent(unsigned direction) const { return sent_[direction == kDown]; }

private:
    /// One message; false when there is no room, or nothing left to send.
    bool sendUp(unsigned messages) {
        if (sent_[0] >= messages) return false;
        const std::vector<char> bytes = content(sent_[0], kUp);
        try {
            consumer_->submit(
                GenericMsg().payload(OmmOpaque().set(EmaBuffer(bytes.data(), static_cast<UInt32>(bytes.size())))),
                sub_);
        } catch (const OmmInvalidUsageException& e) {
            if (e.getErrorCode() == OmmInvalidUsageException::NoBuffersEnum) return false;
            throw;
        }
        ++sent_[0];
        return true;
    }
    bool sendDown(unsigned messages) {
        if (sent_[1] >= messages) return false;
        const std::vector<char> bytes = content(sent_[1], kDown);
        wire::Msg m;
        m.cls = wire::MsgClass::Generic;
        m.domain = 6;
        m.streamId = 5;
        m.flags = wire::GenericFlag::complete;
        m.containerType = wire::DataType::Opaque;
        m.payload = std::as_bytes(std::span(bytes));
        const SubmitFault fault = provider_.run([&](TunnelProvider& p) { return p.tunnel->submit(m); });
        if (fault == SubmitFault::full) return false;
        REQUIRE(fault == SubmitFault::none);
        ++sent_[1];
        return true;
    }

    TunnelProvider provider_;
    Relay relay_;
    std::atomic<bool> stop_{false}, cut_{false};
    std::thread pump_;
    const ConsumerConfigFile file_;
    std::unique_ptr<OmmConsumer> consumer_;
    UInt64 tunnel_ = 0, sub_ = 0;
    unsigned sent_[2] = {0, 0};
};

}  // namespace

TEST_CASE("a tunnel carries messages of all sizes both ways, whatever is under it", "[ema][tunnel]") {
    const Line& line = kLines[GENERATE(range(0, static_cast<int>(std::size(kLines))))];
    INFO(line.name);
    Exchange e(line);
    e.open();
    constexpr unsigned kMessages = 500;
    CHECK(e.run(kMessages));
    CHECK(e.client.arrived.count() == kMessages);
    CHECK(e.atProvider.count() == kMessages);
    CHECK(e.client.arrived.different() == 0);
    CHECK(e.atProvider.different() == 0);
}

TEST_CASE("a connection that breaks ends its tunnel in the middle of the data, and the next one begins anew",
          "[ema][tunnel]") {
    const Line& line = kLines[GENERATE(range(0, static_cast<int>(std::size(kLines))))];
    INFO(line.name);
    Exchange e(line);
    e.open();
    REQUIRE(e.run(60));
    e.breakOff();
    REQUIRE(e.lost());
    // What arrived is the beginning of what was sent, and every message of it whole.
    CHECK(e.client.arrived.different() == 0);
    CHECK(e.atProvider.different() == 0);
    CHECK(e.client.arrived.count() <= e.sent(kDown));
    CHECK(e.atProvider.count() <= e.sent(kUp));
    CHECK_THAT(thrown([&] { e.sendInto(); }), Catch::Matchers::StartsWith("OmmInvalidHandleException"));

    REQUIRE(e.reconnected());
    e.open();
    CHECK(e.run(60));
    CHECK(e.client.arrived.different() == 0);
    CHECK(e.atProvider.different() == 0);
}
