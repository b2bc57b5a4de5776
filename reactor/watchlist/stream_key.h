// The key by which two requests are the same stream (session.md 4.2).
#pragma once

#include "reactor/memory.h"
#include "reactor/rdm/Qos.h"
#include "watchlist/Stream.h"

#include <algorithm>
#include <functional>

namespace emissary::reactor::consumer {

/// Borrows all of it.
struct StreamKey {
    const ServiceEntry* service = nullptr;
    Bytes name;
    const RareKey* rare = nullptr;
    eta::codec::Qos qos;
    std::uint8_t domain = 6, nameType = 1;
    bool hasName = true;

    [[nodiscard]] static StreamKey of(const Stream& s) noexcept {
        return {s.service, s.name.view(), s.rare.get(), s.qos, s.domain, s.nameType, s.hasName};
    }
    [[nodiscard]] std::size_t hash() const noexcept {
        std::uint64_t h = std::hash<std::string_view>{}(eta::asText(name));
        h ^= reinterpret_cast<std::uintptr_t>(service) + (static_cast<std::uint64_t>(domain) << 8 | nameType) +
             (static_cast<std::uint64_t>(qos.timeliness) << 20 | static_cast<std::uint64_t>(qos.rate) << 24);
        if (rare != nullptr) h ^= static_cast<std::uint64_t>(rare->filter) << 32 ^ rare->flags;
        h *= 0x9E3779B97F4A7C15ull;
        return static_cast<std::uint32_t>(h >> 32);
    }
};

/// Key members beside the name and the service are equal; either may be null (no such members).
[[nodiscard]] inline bool sameRareKey(const RareKey* a, const RareKey* b) noexcept {
    static const RareKey none;
    const RareKey& x = a != nullptr ? *a : none;
    const RareKey& y = b != nullptr ? *b : none;
    return x.flags == y.flags && x.identifier == y.identifier && x.filter == y.filter && x.attribType == y.attribType &&
           x.attrib == y.attrib;
}

/// Looks through record numbers at the streams, so that the index costs four bytes a stream.
struct StreamHash {
    using is_transparent = void;
    const Pool<Stream>* streams;
    std::size_t operator()(std::uint32_t s) const noexcept { return (*streams)[s].hash; }
    std::size_t operator()(const StreamKey& k) const noexcept { return k.hash(); }
};

struct SameStream {
    using is_transparent = void;
    const Pool<Stream>* streams;
    bool operator()(std::uint32_t a, std::uint32_t b) const noexcept { return a == b; }
    bool operator()(const StreamKey& k, std::uint32_t number) const noexcept {
        const Stream& s = (*streams)[number];
        const Bytes name = s.name.view();
        return k.service == s.service && k.domain == s.domain && k.nameType == s.nameType && k.hasName == s.hasName &&
               name.size() == k.name.size() && std::equal(name.begin(), name.end(), k.name.begin()) &&
               rdm::equal(k.qos, s.qos) && (k.rare == s.rare.get() || sameRareKey(k.rare, s.rare.get()));
    }
    bool operator()(std::uint32_t s, const StreamKey& k) const noexcept { return (*this)(k, s); }
};

}  // namespace emissary::reactor::consumer
