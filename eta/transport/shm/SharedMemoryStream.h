// eta/transport/shm: connections within one host through shared memory (docs/wire/shared-memory.md).
#pragma once

#include "transport/shm/LocalPeer.h"
#include "transport/shm/SharedMemoryRing.h"
#include "transport/tcp/TcpStream.h"

#include <atomic>
#include <memory>
#include <string>

namespace emissary::eta::transport {

namespace shm {

/// The name in the abstract socket name space that stands for a port (1 .. 65535) or a name of up to 64 characters.
[[nodiscard]] Refused addressOf(const std::string& port, SocketAddress& out);

/// Memory that two processes have mapped: a page of control blocks, then the ring from server to client, then the
/// other. It has no name and goes when both are gone.
class Segment {
public:
    Segment() = default;
    Segment(Segment&& o) noexcept;
    Segment& operator=(Segment&& o) noexcept;
    ~Segment();
    /// Rings of at least these sizes; the descriptor is for the peer. Not valid() when the system is short of
    /// something.
    [[nodiscard]] static Segment create(std::size_t toClient, std::size_t toServer, Descriptor& memory) noexcept;
    /// A segment made by a peer that says these sizes; refused, and not valid(), unless it is sealed and really has
    /// them.
    [[nodiscard]] static Segment map(const Descriptor& memory, std::size_t toClient, std::size_t toServer,
                                     Refused& refused);
    [[nodiscard]] bool valid() const noexcept { return base_ != nullptr; }
    [[nodiscard]] RingControl& control(bool toServer) const noexcept;
    [[nodiscard]] std::byte* data(bool toServer) const noexcept;
    [[nodiscard]] std::size_t size(bool toServer) const noexcept { return toServer ? toServer_ : toClient_; }

private:
    [[nodiscard]] std::size_t total() const noexcept;
    std::byte* base_ = nullptr;
    std::size_t toClient_ = 0, toServer_ = 0;
};

}  // namespace shm

/// One end of a connection in shared memory: a ring for each direction, and a local stream socket that carries nothing
/// but attention.
///
/// The socket is the descriptor to poll, level-triggered like that of a TCP connection:
/// - readable while the ring has bytes that this end was not awake to see: a writer that finds the reader asleep sends
///   one byte, and the reader takes it only when it has found the ring empty and lies down again;
/// - not writable while the ring is full: a writer without room stuffs the socket's small send buffer, which the reader
///   empties when it has emptied the ring;
/// - readable, with the end of the stream, when the peer closed or died.
/// Two ends that are both busy make no system call.
class SharedMemoryStream final : public ByteStream {
public:
    /// What makes no sense in the options of a client, or of a server.
    [[nodiscard]] static Refused check(const ConnectOptions& options);
    [[nodiscard]] static Refused check(const BindOptions& options);
    /// A client; null when refused.
    [[nodiscard]] static std::unique_ptr<SharedMemoryStream> connect(const ConnectOptions& options, Refused& refused);
    /// The server's end of an accepted socket: makes the rings and hands them over. Null: not possible, the peer sees
    /// the socket close.
    [[nodiscard]] static std::unique_ptr<SharedMemoryStream> serve(Descriptor socket, const BindOptions& options,
                                                                   const LocalTrust& trust, const std::string& port);

    [[nodiscard]] IoResult handshake() noexcept override;
    [[nodiscard]] IoResult receive(std::span<std::byte> into) noexcept override;
    [[nodiscard]] bool hasInput() const noexcept override { return hasInput_; }
    [[nodiscard]] IoResult send(std::span<const iovec> parts) noexcept override;
    void shutdown() noexcept override;
    void close() noexcept override;
    [[nodiscard]] int fd() const noexcept override { return socket_.get(); }
    [[nodiscard]] std::string reason() const override;
    std::size_t describe(ChannelInfo& info) const override;

private:
    SharedMemoryStream(Descriptor socket, std::string port, bool server, bool busyRead);
    void attach(shm::Segment segment) noexcept;
    [[nodiscard]] IoResult takeSegment() noexcept;
    [[nodiscard]] IoResult emptied(std::span<std::byte> into) noexcept;

    Descriptor socket_;
    std::string port_, reason_;
    shm::Segment segment_;
    const bool server_, busyRead_;
    mutable bool active_ = false;  // the handshake above is over; set by describe()
    LocalPeer peer_;
    std::atomic<bool> shutDown_{false}, damaged_{false};

    alignas(64) shm::RingReader in_;  // input owner
    std::uint32_t emptyReads_ = 0;
    bool hasInput_ = false;

    alignas(64) shm::RingWriter out_;  // output half
};

}  // namespace emissary::eta::transport
