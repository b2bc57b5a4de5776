// Sends the request to the port of the pages, and prints what the hub answers.
#include "hub/main/reload_command.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace emissary::hub {

namespace {

constexpr time_t kPatience = 30;  // seconds; the hub itself answers within a few

/// A connection, or -1 with errno.
[[nodiscard]] int connectTo(const std::string& address, const std::string& port) {
    addrinfo hints{};
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(address.c_str(), port.c_str(), &hints, &found) != 0) return errno = EADDRNOTAVAIL, -1;
    const int fd = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval patience{kPatience, 0};
    if (fd >= 0) {
        (void)::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        (void)::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    }
    const bool connected = fd >= 0 && ::connect(fd, found->ai_addr, found->ai_addrlen) == 0;
    const int fault = errno;
    ::freeaddrinfo(found);
    if (connected) return fd;
    if (fd >= 0) ::close(fd);
    errno = fault;
    return -1;
}

/// All of the answer; empty: there is none.
[[nodiscard]] std::string talk(int fd, const std::string& request) {
    std::string answer;
    if (::send(fd, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size())) return answer;
    char part[4096];
    for (ssize_t n = 0; (n = ::recv(fd, part, sizeof part, 0)) > 0;)
        answer.append(part, static_cast<std::size_t>(n));
    return answer;
}

}  // namespace

/// Of a file that cannot be used the place of the pages may be read all the same; the hub says what is wrong with it.
bool askToReload(const CommandLine& line) {
    const HubSettings s = readHubConfig(line.configFile, line.overrides, TlsFiles::left).settings;
    if (s.httpPort == 0) {
        std::fputs("emissary-hub: the configuration has no pages (HttpPort 0): send SIGHUP to the hub instead\n",
                   stderr);
        return false;
    }
    const std::string address = s.httpAddress == "0.0.0.0" ? "127.0.0.1"
                                : s.httpAddress == "::"    ? "::1"
                                                           : s.httpAddress;
    const std::string port = std::to_string(s.httpPort);
    const std::string host = address.find(':') == std::string::npos ? address : "[" + address + "]";
    const int fd = connectTo(address, port);
    if (fd < 0) {
        std::fprintf(stderr,
                     "emissary-hub: no hub answers at %s:%s: %s; -httpPort gives the port that it was started with\n",
                     host.c_str(), port.c_str(), std::strerror(errno));
        return false;
    }
    std::string request;
    const auto add = [&request](const std::string& text) { request.append(text).append("\r\n"); };
    add(std::string("POST /reload") + (line.dryRun ? "?dry=1" : "") + " HTTP/1.1");
    add("Host: " + host + ":" + port);
    add("X-Emissary-Reload: yes");
    add("Content-Length: 0");
    add("Connection: close");
    add("");
    const std::string answer = talk(fd, request);
    ::close(fd);
    const std::size_t body = answer.find("\r\n\r\n");
    if (!answer.starts_with("HTTP/1.1 ") || body == std::string::npos) {
        std::fputs("emissary-hub: the hub gave no answer\n", stderr);
        return false;
    }
    const bool good = answer.starts_with("HTTP/1.1 200 ");
    std::fputs(answer.c_str() + body + 4, good ? stdout : stderr);
    return std::fflush(stdout) == 0 && good;
}

}  // namespace emissary::hub
