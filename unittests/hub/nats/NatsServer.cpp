// Starts servers, waits until they say where they listen, and speaks to them by hand.
#include "NatsServer.h"

#include "support/catch.hpp"
#include "support/until.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace emissary::test {
namespace {

std::string program() {
    std::string folders = "/usr/sbin:/usr/local/sbin";
    if (const char* const path = std::getenv("PATH")) folders = path + (":" + folders);
    std::istringstream in(folders);
    for (std::string folder; std::getline(in, folder, ':');)
        if (::access((folder + "/nats-server").c_str(), X_OK) == 0) return folder + "/nats-server";
    FAIL("nats-server is missing: install the Debian package nats-server (dev/install_packages.sh tests does)");
    return {};
}

std::string contentOfFile(const std::string& name) {
    std::ifstream in(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The port of the first address in the list `what` of a ports file; 0: it is not there.
std::uint16_t portOf(const std::string& json, const std::string& what) {
    const std::size_t list = json.find('"' + what + '"');
    if (list == std::string::npos) return 0;
    const std::size_t end = json.find('"', json.find("://", list));
    return static_cast<std::uint16_t>(std::atoi(json.c_str() + json.rfind(':', end) + 1));
}

}  // namespace

NatsServer::NatsServer(std::string config, bool cluster) : config_(std::move(config)), cluster_(cluster) {
    std::string name = (std::filesystem::temp_directory_path() / "emissary-nats-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    folder_ = name;
    start();
}

NatsServer::~NatsServer() {
    if (pid_ > 0) kill();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

void NatsServer::start() {
    const std::string path = program();
    const auto listen = [](std::uint16_t port) { return "\"127.0.0.1:" + std::to_string(port) + "\"\n"; };
    {
        std::ofstream out(folder_ + "/server.conf");
        out << "listen: " << (port_ != 0 ? listen(port_) : "\"127.0.0.1:-1\"\n") << "ports_file_dir: \"" << folder_
            << "\"\nwrite_deadline: \"2s\"\n";
        if (cluster_)
            out << "cluster {\n name: mesh\n no_advertise: true\n listen: "
                << (clusterPort_ != 0 ? listen(clusterPort_) : "\"127.0.0.1:-1\"\n") << config_ << "}\n";
        else out << config_;
    }
    for (const auto& file : std::filesystem::directory_iterator(folder_))
        if (file.path().extension() == ".ports") std::filesystem::remove(file.path());
    pid_ = ::fork();
    if (pid_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        const int log = ::open((folder_ + "/log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
        ::dup2(log, STDOUT_FILENO);
        ::dup2(log, STDERR_FILENO);
        ::execl(path.c_str(), path.c_str(), "-c", (folder_ + "/server.conf").c_str(), static_cast<char*>(nullptr));
        ::_exit(127);
    }
    const bool listens = eventually([&] {
        const std::string ports = contentOfFile(folder_ + "/nats-server_" + std::to_string(pid_) + ".ports");
        if (ports.find('}') == std::string::npos) return ::waitpid(pid_, nullptr, WNOHANG) == pid_;
        port_ = portOf(ports, "nats");
        clusterPort_ = portOf(ports, "cluster");
        return true;
    });
    INFO(log());
    REQUIRE(listens);
    REQUIRE(port_ != 0);
}

void NatsServer::signal(int number) const {
    REQUIRE(pid_ > 0);
    REQUIRE(::kill(pid_, number) == 0);
}

void NatsServer::wait() {
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
}

void NatsServer::kill() {
    ::kill(pid_, SIGKILL);
    wait();
}

void NatsServer::terminate() {
    signal(SIGTERM);
    wait();
}

void NatsServer::stop() const {
    signal(SIGSTOP);
    ::waitpid(pid_, nullptr, WUNTRACED);  // it has stopped
}

void NatsServer::goOn() const {
    signal(SIGCONT);
}

std::string NatsServer::log() const {
    return contentOfFile(folder_ + "/log");
}

RawClient::RawClient(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in a{};
    a.sin_family = AF_INET;
    a.sin_port = htons(port);
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(fd_, reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0);
    send("CONNECT {\"verbose\":false}\r\n");
    flush();
}

RawClient::~RawClient() {
    ::close(fd_);
}

void RawClient::publish(const std::string& subject, const std::string& payload) const {
    send("PUB " + subject + " " + std::to_string(payload.size()) + "\r\n" + payload + "\r\n");
}

void RawClient::flush() const {
    send("PING\r\n");
    std::string got;
    while (got.find("PONG\r\n") == std::string::npos) {
        char block[4096];
        const ssize_t n = ::recv(fd_, block, sizeof block, 0);
        INFO(got);
        REQUIRE(n > 0);
        got.append(block, static_cast<std::size_t>(n));
    }
}

void RawClient::send(const std::string& bytes) const {
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t n = ::send(fd_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
        REQUIRE(n > 0);
        at += static_cast<std::size_t>(n);
    }
}

}  // namespace emissary::test

#ifdef __SANITIZE_THREAD__
// libnats reads and writes one TLS connection from two threads, and neither it nor OpenSSL is instrumented.
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
    return "race:libssl.so\nrace:libcrypto.so\n";
}
#endif
