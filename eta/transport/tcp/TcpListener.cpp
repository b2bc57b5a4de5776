// eta/transport/tcp: accepts TCP connections, and sheds them with a spare descriptor when the process has none left.
#include "transport/tcp/TcpListener.h"

#include "transport/tls/ServerTls.h"
#include "transport/tls/TlsStream.h"

#include <cerrno>

#include <fcntl.h>

namespace emissary::eta::transport {
namespace {

Descriptor acceptFrom(const Descriptor& listener) noexcept {
    return Descriptor(::accept4(listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
}

Descriptor spareDescriptor() noexcept {
    return Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

}  // namespace

TcpListener::TcpListener(const BindOptions& options, std::shared_ptr<ServerTls> tls, Descriptor listener)
    // The descriptor that is kept back is the one that is closed when the process has no more left.
    : options_(options), tls_(std::move(tls)), listener_(std::move(listener)), spare_(spareDescriptor()),
      port_(localOf(listener_.get()).port()) {}

std::unique_ptr<StreamListener> TcpListener::open(const BindOptions& options, Refused& refused) {
    std::shared_ptr<ServerTls> tls;
    if (rowOf(options.connectionType).encrypted) {
        tls = ServerTls::make(options.tls, refused);
        if (tls == nullptr) return nullptr;
    }
    Descriptor listener = openListener(options, refused);
    if (!listener) return nullptr;
    return std::unique_ptr<StreamListener>(new TcpListener(options, std::move(tls), std::move(listener)));
}

StreamListener::Knock TcpListener::next() noexcept {
    caller_.reset();
    while (listener_) {
        caller_ = acceptFrom(listener_);
        if (caller_) return Knock::somebody;
        if (errno == EINTR || errno == ECONNABORTED) continue;
        if ((errno != EMFILE && errno != ENFILE) || !spare_) break;
        // Left in the queue the connection would wake the loop for ever: take it and hang up.
        spare_.reset();
        const bool took = static_cast<bool>(acceptFrom(listener_));
        spare_ = spareDescriptor();
        return took ? Knock::turnedAway : Knock::nobody;
    }
    return Knock::nobody;
}

std::unique_ptr<ByteStream> TcpListener::take() {
    // Options of the connection, before the stream looks at the socket.
    applySocketOptions(caller_.get(), options_);
    std::unique_ptr<ByteStream> stream = std::make_unique<TcpStream>(std::move(caller_), true);
    // The certificate of this moment: renewCertificates() exchanges it, and connections keep theirs.
    if (tls_ != nullptr) stream = std::make_unique<TlsStream>(std::move(stream), tls_->current());
    return stream;
}

void TcpListener::close() noexcept {
    caller_.reset();
    listener_.reset();
    spare_.reset();
}

}  // namespace emissary::eta::transport
