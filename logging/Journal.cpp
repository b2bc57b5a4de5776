// logging: a datagram has fields, NAME=value for a line; a value with line feeds is preceded by its length in eight
// bytes, the lowest first (systemd: Native Journal Protocol). The journal adds time, process and unit.
#include "Journal.h"

#include <cerrno>
#include <cstring>

#include <sys/socket.h>
#include <unistd.h>

namespace emissary::logging {

namespace {

/// Of syslog: err, warning, info, debug.
[[nodiscard]] char priority(LogSeverity s) noexcept {
    switch (s) {
    case LogSeverity::error:
        return '3';
    case LogSeverity::warning:
        return '4';
    case LogSeverity::success:
        return '6';
    case LogSeverity::verbose:
    case LogSeverity::none:
        break;
    }
    return '7';
}

void field(std::string& out, std::string_view name, std::string_view value) {
    out += name;
    if (value.find('\n') == std::string_view::npos) {
        out += '=';
    } else {
        out += '\n';
        for (int shift = 0; shift < 64; shift += 8)
            out += static_cast<char>(static_cast<std::uint64_t>(value.size()) >> shift & 0xFF);
    }
    out.append(value) += '\n';
}

/// Cut in front of a character, not inside one.
[[nodiscard]] std::string shortened(std::string_view text) {
    if (text.size() <= Journal::kLongestText) return std::string(text);
    std::size_t end = Journal::kLongestText;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end;
    return std::string(text.substr(0, end)) + " (and " + std::to_string(text.size() - end) + " bytes more)";
}

}  // namespace

std::shared_ptr<Journal> Journal::open(const std::string& path, eta::Refused& refused) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) {
        refused.text = "JournalSocket [" + path + "] is longer than a socket's name may be";
        return nullptr;
    }
    path.copy(address.sun_path, path.size());
    const int probe = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const bool there = probe >= 0 && connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    const int reason = errno;
    if (probe >= 0) ::close(probe);
    // Records are sent to the name, not over this connection, so that a journal that begins anew gets them too.
    const int own = there ? socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) : -1;
    if (own >= 0) return std::make_shared<Journal>(own, address);
    refused.text = "there is no journal at [" + path + "]: " + std::strerror(there ? errno : reason);
    return nullptr;
}

Journal::~Journal() {
    ::close(socket_);
}

eta::Refused Journal::put(const LogRecord& record, const RecordForm&) {
    std::string datagram;
    field(datagram, "MESSAGE", shortened(record.text));
    const char level = priority(record.severity);
    field(datagram, "PRIORITY", {&level, 1});
    field(datagram, "SYSLOG_IDENTIFIER", program_invocation_short_name);
    field(datagram, "EMISSARY_INSTANCE", record.instance);
    field(datagram, "EMISSARY_COMPONENT", record.component);
    iovec part{datagram.data(), datagram.size()};
    msghdr message{};
    message.msg_name = const_cast<sockaddr_un*>(&address_);
    message.msg_namelen = sizeof address_;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (sendmsg(socket_, &message, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0) return {};
    if (errno == EAGAIN || errno == ENOBUFS) return {"the journal did not take them in time"};
    return {std::string("the journal cannot be reached: ") + std::strerror(errno)};
}

}  // namespace emissary::logging
