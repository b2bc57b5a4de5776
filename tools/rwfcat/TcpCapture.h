// RSSL connections out of a pcap or pcapng file: packets to TCP byte streams to messages.
#pragma once

#include "RipcStream.h"

#include <cstdint>
#include <string>

namespace emissary::rwfcat {

/// Where and when a message was captured.
struct Place {
    std::string from, to;  ///< "127.0.0.1:14002", "[::1]:14002"
    std::int64_t seconds = 0;
    std::int32_t microseconds = 0;
};

class CaptureSink {
public:
    virtual ~CaptureSink() = default;
    virtual void onMessage(eta::Bytes message, std::uint64_t offset, const Place& place) = 0;
    virtual void onNote(std::uint64_t offset, const std::string& text, const Place& place) = 0;
    virtual void onBadBytes(std::uint64_t offset, const std::string& text, const Place& place) = 0;
};

struct CaptureOptions {
    std::uint16_t port = 0;  ///< only connections with this TCP port on either side; 0 = all that look like RSSL
    Agreement agreement;     ///< for connections whose handshake is not in the file
};

/// Reads a whole file from memory. Empty text: read to its end; otherwise why it is not a capture file.
[[nodiscard]] std::string readCapture(eta::Bytes file, const CaptureOptions& options, CaptureSink& sink);

/// A pcap or pcapng file by its first bytes.
[[nodiscard]] bool isCapture(eta::Bytes file) noexcept;

}  // namespace emissary::rwfcat
