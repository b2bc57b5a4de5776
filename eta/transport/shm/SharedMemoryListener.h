// Listening for clients in shared memory.
#pragma once

#include "transport/shm/LocalPeer.h"
#include "transport/tcp/StreamListener.h"

namespace emissary::eta::transport {

/// A local socket whose name stands for the port. The name goes with the process, however that ends.
class SharedMemoryListener final : public StreamListener {
public:
    /// Port "0" takes a free number. Null when refused.
    [[nodiscard]] static std::unique_ptr<StreamListener> open(const BindOptions& options, Refused& refused);
    [[nodiscard]] int fd() const noexcept override { return socket_.get(); }
    [[nodiscard]] std::uint16_t port() const noexcept override { return number_; }
    [[nodiscard]] Knock next() noexcept override;
    [[nodiscard]] std::unique_ptr<ByteStream> take() override { return std::move(caller_); }
    void turnAway() noexcept override { caller_.reset(); }
    void close() noexcept override;

private:
    SharedMemoryListener(const BindOptions& options, LocalTrust trust);
    Descriptor socket_;
    Descriptor spare_;  // given up for a moment to accept and close when descriptors run out
    std::unique_ptr<ByteStream> caller_;
    BindOptions options_;
    LocalTrust trust_;
    std::uint16_t number_ = 0;  // 0: a name that is no number
};

}  // namespace emissary::eta::transport
