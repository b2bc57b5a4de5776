// Which layers a connection consists of, by its type. New connection types are plugged in here.
#pragma once

#include "transport/TcpStream.h"

#include <memory>
#include <optional>
#include <string>

namespace emissary::eta::transport {

/// The layers of a client connection upon a socket that is connecting. Null with a reason.
[[nodiscard]] std::unique_ptr<ByteStream> layersOfClient(Descriptor socket, const ConnectOptions& options,
                                                         std::string& reason);
/// The connection goes to the proxy first. Plain sockets never do.
[[nodiscard]] bool usesProxy(const ConnectOptions& options) noexcept;
/// What makes no sense in the options, as a sentence; empty when they are fine.
[[nodiscard]] std::string checkOptions(const ConnectOptions& options);
[[nodiscard]] std::string checkOptions(const BindOptions& options);

class TlsContext;
/// The layers of an accepted connection; `tls` null = not encrypted.
[[nodiscard]] std::unique_ptr<ByteStream> layersOfServer(Descriptor socket, std::shared_ptr<TlsContext> tls);
/// An accepted connection whose first bytes (`received`) are those of a WebSocket client. `refusal` outlives it: the
/// words for a client that is not wanted, as soon as there are any.
[[nodiscard]] std::unique_ptr<ByteStream> asWebSocket(std::unique_ptr<ByteStream> stream, const BindOptions& options,
                                                      Bytes received, const std::optional<std::string>& refusal);

// --- connection types that are not TCP
// -------------------------------------------------------------------------------- Such a type makes a ByteStream with
// a MessageSource (ByteStream.h): send() gets the frames of the output queue (frame.h: plain, packed and fragments,
// never compressed), messages come from the source, and describe() says what the RIPC handshake would have. Channel
// does the rest: output arena, flushing, pings out, state, counters.

/// Listening side of such a type: the descriptor says when accept() may have something.
class StreamListener {
public:
    virtual ~StreamListener() = default;
    [[nodiscard]] virtual int fd() const noexcept = 0;
    [[nodiscard]] virtual std::uint16_t port() const noexcept { return 0; }
    /// Null: nobody waits.
    [[nodiscard]] virtual std::unique_ptr<ByteStream> accept() noexcept = 0;
    virtual void close() noexcept = 0;
};

/// True for types that do not stand on a TCP socket.
[[nodiscard]] bool isForeign(ConnectionType type) noexcept;
/// Null with a reason.
[[nodiscard]] std::unique_ptr<ByteStream> openForeign(const ConnectOptions& options, std::string& reason);
[[nodiscard]] std::unique_ptr<StreamListener> listenForeign(const BindOptions& options, std::string& reason);

}  // namespace emissary::eta::transport
