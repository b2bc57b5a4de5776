// The options of TransportPerf, one field each; TransportPerf makes its connections from these values.
#pragma once
#include "Settings.h"

#include <cstdint>
#include <string>

namespace emissary::perf {

/// As given; a value that is left out has the default of its row (OptionTable.cpp).
struct TransportPerfOptions : ToolSettings {
    // The connection.
    std::string host, port, interfaceName;
    std::uint32_t outputBufs = 0, inputBufs = 0;     ///< buffers
    std::uint32_t sendBufSize = 0, recvBufSize = 0;  ///< bytes; 0: the system's default
    std::uint32_t highWaterMark = 0;                 ///< bytes
    std::uint32_t maxFragmentSize = 0;               ///< bytes
    std::uint8_t compressionLevel = 0;               ///< of zlib
    bool tcpDelay = false, directWrite = false, busyRead = false;
    std::string certificate, privateKey, caStore;  ///< files
    std::string protocols;                         ///< of WebSocket, comma-separated
    // Multicast.
    std::string receiveAddress, receivePort, sendAddress, sendPort, unicastPort;
    bool multicastStats = false;
    // Messages.
    std::uint32_t messageBytes = 76;
    std::uint32_t messageRate = 0;  ///< per second and connection
    std::int64_t latencyRate = 0;   ///< per second and connection, or kAllMessages
    std::uint32_t packCount = 1;    ///< messages in one buffer
    bool reflect = false;
    std::uint32_t runSeconds = 0;
};

}  // namespace emissary::perf
