// eta/transport/shm: binds the local socket of a port and accepts clients that are trusted.
#include "transport/shm/SharedMemoryListener.h"

#include "transport/shm/SharedMemoryStream.h"

#include <cerrno>
#include <charconv>

#include <fcntl.h>
#include <unistd.h>

namespace emissary::eta::transport {
namespace {

// Port 0 asks for a free one; the name space of abstract sockets is searched here, as no system does it.
constexpr unsigned kFirstEphemeral = 49152, kEphemerals = 16384;

/// 0, or errno.
int bindTo(const Descriptor& socket, const SocketAddress& address) noexcept {
    return ::bind(socket.get(), address.get(), address.length) == 0 ? 0 : errno;
}

}  // namespace

SharedMemoryListener::SharedMemoryListener(const BindOptions& options, LocalTrust trust)
    : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)),
      spare_(::open("/dev/null", O_RDONLY | O_CLOEXEC)), options_(options), trust_(trust) {}

std::unique_ptr<StreamListener> SharedMemoryListener::open(const BindOptions& options, Refused& refused) {
    const LocalTrust trust = LocalTrust::of(options.sharedMemoryGroup, refused);
    if (refused) return nullptr;
    std::unique_ptr<SharedMemoryListener> made(new SharedMemoryListener(options, trust));
    const auto failed = [&](int error) {
        refused.text =
            error == EADDRINUSE ? "is in use by another shared memory server on this host" : errnoText(error);
        return nullptr;
    };
    if (!made->socket_) return failed(errno);
    SocketAddress address;
    if (options.port == "0") {
        int error = EADDRINUSE;
        // Started at a number of the process, so that two programs that start together seldom try the same one.
        const auto start = static_cast<unsigned>(::getpid()) * 61u;
        for (unsigned i = 0; i < kEphemerals && error == EADDRINUSE; ++i) {
            made->options_.port = std::to_string(kFirstEphemeral + (start + i) % kEphemerals);
            if (refused = shm::addressOf(made->options_.port, address); refused) return nullptr;
            error = bindTo(made->socket_, address);
        }
        if (error != 0) return failed(error);
    } else {
        if (refused = shm::addressOf(options.port, address); refused) return nullptr;
        if (const int error = bindTo(made->socket_, address); error != 0) return failed(error);
    }
    if (::listen(made->socket_.get(), SOMAXCONN) != 0) return failed(errno);
    const std::string& port = made->options_.port;
    std::from_chars(port.data(), port.data() + port.size(), made->number_);
    return made;
}

StreamListener::Knock SharedMemoryListener::next() noexcept {
    caller_.reset();
    while (socket_) {
        Descriptor s(::accept4(socket_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (!s) {
            if (errno == EINTR || errno == ECONNABORTED) continue;
            if ((errno != EMFILE && errno != ENFILE) || !spare_) return Knock::nobody;
            // Left in the queue the connection would wake the loop for ever: take it and hang up.
            spare_.reset();
            Descriptor victim(::accept4(socket_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
            const bool took = static_cast<bool>(victim);
            victim.reset();
            spare_.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
            if (!took) return Knock::nobody;
            continue;
        }
        // An untrusted peer is turned away here, before any memory is shared.
        caller_ = SharedMemoryStream::serve(std::move(s), options_, trust_, options_.port);
        if (caller_ != nullptr) return Knock::somebody;
    }
    return Knock::nobody;
}

void SharedMemoryListener::close() noexcept {
    caller_.reset();
    socket_.reset();
    spare_.reset();
}

}  // namespace emissary::eta::transport
