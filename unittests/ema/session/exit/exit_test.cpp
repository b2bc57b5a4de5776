// Programs that end while a consumer connects with TLS end in order (each run meets another moment of the handshake).
#include "ema/session/consumer/SessionTest.h"
#include "eta/transport/rows.h"

#include <sys/wait.h>

using namespace emissary::test;

namespace {

constexpr int kRuns = 12;

/// Lets clients in, up to the login that it does not answer; or sends them away there, so that they come again.
class EncryptedServer {
public:
    explicit EncryptedServer(bool sendsAway) : sendsAway_(sendsAway) {
        const transport_test::Row& row = transport_test::row("tls 1.3");
        server_ = transport_test::listen(row.bind);
        port = server_->port();
        thread_ = std::thread([this] { loop(); });
    }
    ~EncryptedServer() {
        stop_ = true;
        thread_.join();
    }
    std::uint16_t port = 0;

private:
    void loop() {
        using namespace emissary::eta::transport;
        std::vector<std::unique_ptr<Channel>> channels;
        while (!stop_) {
            const TimePoint now = Clock::now();
            while (auto fresh = server_->accept(now))
                channels.push_back(std::move(fresh));
            std::erase_if(channels, [&](const auto& c) {
                if (c->state() == ChannelState::active) return c->read().kind == ReadResult::Kind::closed;
                const InitStatus status = c->init(now);
                return status == InitStatus::failed || (status == InitStatus::active && sendsAway_);
            });
            static_cast<void>(transport_test::readable(server_->fd(), 1));
        }
    }
    const bool sendsAway_;
    std::unique_ptr<emissary::eta::transport::Server> server_;
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

/// A CA store that takes a while to read, as those of operating systems do.
const std::string& largeStore() {
    static const std::string path = [] {
        std::ifstream in(transport_test::certificates() + "/ca.pem");
        const std::string one((std::istreambuf_iterator<char>(in)), {});
        const std::string made = transport_test::certificates() + "/large.pem";
        std::ofstream out(made);
        for (int i = 0; i < 1000; ++i)
            out << one;
        return made;
    }();
    return path;
}

std::string encrypted(const std::string& store) {
    return R"(<EncryptedProtocolType value="EncryptedProtocolType::RSSL_SOCKET"/><OpenSSLCAStore value=")" + store +
           R"("/>)";
}

/// Signal or exit code of one run, as text; empty when it ended well.
std::string run(const ConsumerConfigFile& config, const std::string& how) {
    const std::string program = std::string(EMISSARY_TEST_PROGRAMS) + "/encrypted_program";
    const int status = std::system((program + " " + config.path().c_str() + " " + how).c_str());
    if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
    if (WEXITSTATUS(status) != 0) return "exit code " + std::to_string(WEXITSTATUS(status));
    return {};
}

}  // namespace

TEST_CASE("A constructor that gives up in the middle of TLS leaves nothing behind", "[ema][exit]") {
    EncryptedServer server(false);
    for (int i = 1; i <= kRuns; ++i) {
        const ConsumerConfigFile config(server.port, "<LoginRequestTimeOut value=\"" + std::to_string(2 * i) + "\"/>",
                                        true, encrypted(largeStore()), R"(<Channel value="Channel"/>)",
                                        "RSSL_ENCRYPTED");
        INFO("login time-out " << 2 * i << " ms");
        CHECK(run(config, "throws 0").empty());
    }
}

TEST_CASE("A program may end while its consumer connects with TLS", "[ema][exit]") {
    EncryptedServer server(true);
    const auto configOf = [&](const std::string& store) {
        return std::make_unique<ConsumerConfigFile>(server.port,
                                                    R"(<LoginRequestTimeOut value="0"/><ReconnectMinDelay value="1"/>
                                                       <ReconnectMaxDelay value="1"/>)",
                                                    true, encrypted(store), R"(<Channel value="Channel"/>)",
                                                    "RSSL_ENCRYPTED");
    };
    const auto reads = configOf(largeStore()), connects = configOf(transport_test::certificates() + "/ca.pem");
    for (int i = 0; i < kRuns; ++i) {
        const std::string moment = std::to_string(20 + 10 * i);
        INFO("after " << moment << " ms");
        CHECK(run(*reads, "leaves " + moment).empty());
        CHECK(run(*connects, "leaves " + moment).empty());
    }
}
