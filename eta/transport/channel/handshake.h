// The messages of the RIPC handshake as bytes (docs/wire/ripc.md): request, ack, nak, client key. No I/O in here.
#pragma once

#include "eta/transport/options.h"

#include <cstdint>
#include <string>
#include <vector>

namespace emissary::eta::transport {

inline constexpr std::uint32_t kFirstConnectionVersion = 20;  ///< RIPC 11; one more per version
inline constexpr std::uint32_t kFirstRipcAckVersion = 6;      ///< RIPC 11
inline constexpr std::size_t kMaxRequest = 800, kMinRequest = 16, kMaxAck = 1024;
inline constexpr std::uint8_t kKeyExchangeFlag = 0x08;
inline constexpr std::uint8_t kOffersZlib = 0x01, kOffersLz4 = 0x02;     ///< bits of the compression bitmap
inline constexpr std::uint8_t kClientPings = 0x01, kServerPings = 0x02;  ///< session flags

struct ConnectionRequest {
    int ripcVersion = 14;  ///< 11 .. 14
    bool keyExchange = false;
    std::uint8_t compressionBitmap = 0;  ///< 0x01 zlib, 0x02 LZ4
    std::uint8_t pingTimeout = 60;
    std::uint8_t sessionFlags = 0;
    std::uint8_t protocolType = kProtocolRwf, major = kRwfMajor, minor = kRwfMinor;
    std::string hostName, ipAddress, componentText;
};

struct KeyBlock {
    std::uint8_t type = 1;
    std::uint64_t p = 0, g = 0, serverKey = 0;
};

struct ConnectionAck {
    int ripcVersion = 14;
    bool forcedCompression = false;
    std::uint16_t maxMessage = 6144;
    std::uint8_t sessionFlags = 0, pingTimeout = 60, major = kRwfMajor, minor = kRwfMinor;
    std::uint16_t compressionType = 0;
    std::uint8_t compressionLevel = 0;
    bool hasKey = false;
    KeyBlock key;
    std::string componentText;
};

/// What a parser made of the bytes so far.
template <class T>
struct Parsed {
    enum class Kind : std::uint8_t { needMore, ok, nak, bad };
    Kind kind = Kind::needMore;
    T value{};
    std::size_t consumed = 0;  ///< ok, nak: bytes of the message
    std::string reason;        ///< bad: why; nak: the peer's text
};

using WireBytes = std::vector<std::byte>;

/// Over-long host and component texts are cut so that the one-byte lengths hold.
[[nodiscard]] WireBytes encodeRequest(const ConnectionRequest& request);
[[nodiscard]] Parsed<ConnectionRequest> parseRequest(Bytes in);

[[nodiscard]] WireBytes encodeAck(const ConnectionAck& ack);
/// `keyAsked`: the request had the key exchange flag. Yields nak too.
[[nodiscard]] Parsed<ConnectionAck> parseAck(Bytes in, bool keyAsked);

[[nodiscard]] WireBytes encodeNak(std::string_view text);

/// `key` 0 with `present` false is the 4-byte form.
struct ClientKey {
    bool present = false;
    std::uint64_t key = 0;
};
[[nodiscard]] WireBytes encodeClientKey(const ClientKey& key);
[[nodiscard]] Parsed<ClientKey> parseClientKey(Bytes in);

/// What both will use, by the server's options and the client's offer (transport.md 1.8).
[[nodiscard]] Compression negotiateCompression(const BindOptions& options, const ConnectionRequest& request) noexcept;
/// The client's bitmap; LZ4 came with RIPC 12.
[[nodiscard]] std::uint8_t compressionOffer(Compression wanted, int ripcVersion) noexcept;
/// The server's answer to a request (transport.md 1.8); without the key block.
[[nodiscard]] ConnectionAck negotiate(const BindOptions& options, const ConnectionRequest& request);
[[nodiscard]] bool lowerProtocol(std::uint8_t majorA, std::uint8_t minorA, std::uint8_t majorB,
                                 std::uint8_t minorB) noexcept;

/// Text naming this library, followed by the user's.
[[nodiscard]] std::string componentText(const std::string& userText);

/// base^exponent mod modulus by double-and-add on 64-bit values; 0 for modulus 0.
[[nodiscard]] std::uint64_t powMod(std::uint64_t base, std::uint64_t exponent, std::uint64_t modulus) noexcept;
/// A modulus below 2^62 (some peers compute in signed numbers) with its top bit set, and a random exponent.
[[nodiscard]] std::uint64_t randomModulus();
[[nodiscard]] std::uint64_t randomExponent();

}  // namespace emissary::eta::transport
