// Sends state and watchdog messages to the socket that the environment names.
#include "hub/main/ServiceManager.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace emissary::hub {

namespace {

/// 0 when it is not there or no number.
[[nodiscard]] long long numberIn(const char* name) noexcept {
    const char* const text = std::getenv(name);
    long long n = 0;
    if (text == nullptr) return 0;
    const char* const end = text + std::strlen(text);
    const auto [last, ec] = std::from_chars(text, end, n);
    return ec == std::errc() && last == end ? n : 0;
}

}  // namespace

ServiceManager::ServiceManager() {
    const char* const path = std::getenv("NOTIFY_SOCKET");
    if (path == nullptr || (*path != '/' && *path != '@') || std::strlen(path) >= sizeof(sockaddr_un::sun_path)) return;
    path_ = path;
    socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const long long pid = numberIn("WATCHDOG_PID");
    if (pid == 0 || pid == ::getpid())
        period_ = std::chrono::microseconds(std::max(0LL, numberIn("WATCHDOG_USEC")) / 2);
}

ServiceManager::~ServiceManager() {
    if (socket_ >= 0) ::close(socket_);
}

void ServiceManager::alive() {
    const auto now = eta::Clock::now();
    if (period_.count() == 0 || now - told_ < period_ / 2) return;
    told_ = now;
    tell("WATCHDOG=1");
}

std::chrono::microseconds ServiceManager::pause(std::chrono::microseconds most) const noexcept {
    return period_.count() == 0 ? most : std::min(most, std::max(period_ / 2, std::chrono::microseconds(1000)));
}

void ServiceManager::tell(const std::string& text) noexcept {
    if (socket_ < 0) return;
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    std::memcpy(to.sun_path, path_.data(), path_.size());
    if (to.sun_path[0] == '@') to.sun_path[0] = '\0';  // an abstract name
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path_.size());
    (void)::sendto(socket_, text.data(), text.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&to), size);
}

}  // namespace emissary::hub
