// A nats-server of the test's own, and a client that is no hub.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace emissary::test {

/// A process on a port that the system chose; killed with this object. Started again it has the same port. Fails the
/// test when there is no program, naming its package.
class NatsServer {
public:
    /// `config`: lines of its configuration file, apart from where it listens. `cluster`: it listens for routes too.
    explicit NatsServer(std::string config = {}, bool cluster = false);
    ~NatsServer();
    NatsServer(const NatsServer&) = delete;
    NatsServer& operator=(const NatsServer&) = delete;

    void start();
    void kill();        ///< at once, as `kill -9`
    void stop() const;  ///< it hears and says nothing until goOn()
    void goOn() const;
    void terminate();                                                    ///< in an orderly way
    void configure(std::string config) { config_ = std::move(config); }  ///< from the next start() on

    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    [[nodiscard]] std::uint16_t clusterPort() const noexcept { return clusterPort_; }
    [[nodiscard]] std::string url() const { return "nats://127.0.0.1:" + std::to_string(port_); }
    [[nodiscard]] std::string log() const;

private:
    void signal(int number) const;
    void wait();
    std::string folder_, config_;
    bool cluster_;
    std::uint16_t port_ = 0, clusterPort_ = 0;
    pid_t pid_ = -1;
};

/// A connection that speaks the protocol of the server by hand.
class RawClient {
public:
    explicit RawClient(std::uint16_t port);
    ~RawClient();
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;
    void publish(const std::string& subject, const std::string& payload) const;
    /// Until the server has handled everything that was sent before.
    void flush() const;

private:
    void send(const std::string& bytes) const;
    int fd_;
};

}  // namespace emissary::test
