// Messages and datagrams that the tests of multicast send and look into.
#pragma once

#include "multicast_network.h"

#include <algorithm>
#include <vector>

namespace transport_test {

using namespace mcast;

inline ByteVector numbered(unsigned number, std::size_t size = 60) {
    ByteVector m = pattern(std::max<std::size_t>(size, 4));
    storeBe(m.data(), static_cast<std::uint32_t>(number));
    return m;
}

inline std::vector<ByteVector> series(unsigned from, unsigned to, std::size_t size = 60) {
    std::vector<ByteVector> all;
    for (unsigned i = from; i < to; ++i)
        all.push_back(numbered(i, size));
    return all;
}

inline Type typeOf(Bytes datagram) {
    return static_cast<Type>(datagram[3]);
}
inline bool isRepair(Bytes datagram) {
    return typeOf(datagram) == Type::data && (datagram[4] & std::byte{kRepair}) != std::byte{0};
}
inline std::uint32_t sequenceOf(Bytes datagram) {
    return loadBe<std::uint32_t>(datagram.data() + 12);
}

/// A datagram as a sender with this session would send it.
inline ByteVector datagram(Type type, std::uint32_t sequence, std::uint32_t oldest, Bytes body,
                           std::uint32_t session = 77, std::uint8_t flags = 0, std::uint16_t firstStart = 0) {
    Header h;
    h.type = type;
    h.flags = flags;
    h.session = session;
    h.sequence = sequence;
    h.oldest = oldest;
    h.returnPort = 5001;
    h.firstStart = firstStart;
    ByteVector d(kHeaderBytes + body.size());
    writeHeader(d.data(), h, d.size());
    std::copy(body.begin(), body.end(), d.begin() + kHeaderBytes);
    return d;
}

inline ByteVector frameOf(Bytes message) {
    ByteVector f(message.size() + 3);
    storeBe(f.data(), static_cast<std::uint16_t>(f.size()));
    f[2] = std::byte{frame::kData};
    std::copy(message.begin(), message.end(), f.begin() + 3);
    return f;
}

}  // namespace transport_test
