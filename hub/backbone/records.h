// hub/backbone: how items are named between hubs, and how an image lies in a record (hub.md 12.3).
#pragma once

#include "eta/codec/Msg.h"

#include <optional>
#include <string>
#include <string_view>

namespace emissary::hub::backbone {

/// Bytes of an item's name: what the mesh carries, less domain and type.
inline constexpr std::size_t kMostName = 253;

/// Domain, type and name of an item in one name; empty: the mesh does not carry it, since the key has more than a name,
/// or the name is too long.
[[nodiscard]] inline std::string packName(std::uint8_t domain, const eta::codec::MsgKey& key) {
    using namespace eta::codec;
    if (key.has(KeyFlag::filter | KeyFlag::identifier | KeyFlag::attrib) || key.name.empty() ||
        key.name.size() > kMostName)
        return {};
    std::string packed{static_cast<char>(domain), static_cast<char>(key.nameType)};
    return packed += eta::asText(key.name);
}

struct PackedName {
    std::uint8_t domain = 0;
    eta::codec::MsgKey key;  ///< borrows the packed name
};
[[nodiscard]] inline std::optional<PackedName> unpackName(std::string_view packed) noexcept {
    using namespace eta::codec;
    if (packed.size() < 3) return {};
    PackedName made;
    made.domain = static_cast<std::uint8_t>(packed[0]);
    made.key.flags = KeyFlag::name | KeyFlag::nameType;
    made.key.nameType = static_cast<std::uint8_t>(packed[1]);
    made.key.name = eta::asBytes(packed.substr(2));
    return made;
}

/// What stands in front of the message of a post, for the hub that has the source.
struct PostHead {
    std::string_view user, address;  ///< of the client that posts, for texts and the audit log
    std::string_view service, name;  ///< off-stream: the item; else empty, and the record has its number

    /// Names beyond 255 bytes are cut.
    void write(eta::BeWriter& out) const noexcept {
        for (const std::string_view part : {user, address, service, name}) {
            const std::string_view cut = part.substr(0, 255);
            out.u8(static_cast<std::uint8_t>(cut.size()));
            out.bytes(eta::asBytes(cut));
        }
    }
    /// Fails the reader when the bytes are too few.
    [[nodiscard]] static PostHead read(eta::BeReader& in) noexcept {
        PostHead made;
        for (std::string_view* const part : {&made.user, &made.address, &made.service, &made.name})
            *part = eta::asText(in.buf8());
        return made;
    }
};

/// Appends a message with its length; out.ok() says whether it could be written.
inline void addMessage(eta::BeWriter& out, const eta::codec::Msg& msg) noexcept {
    const std::size_t before = out.size();
    out.u32(0);
    if (!out.ok()) return;
    if (!eta::codec::encodeMsg(out, msg).ok()) return out.fail();
    eta::storeBe(out.at(before), static_cast<std::uint32_t>(out.size() - before - 4));
}

/// Calls `use` with each message of an image, until it says false. False: the image is malformed.
template <class Use>
[[nodiscard]] bool eachMessage(eta::Bytes image, Use&& use) {
    for (eta::BeReader in(image); in.remaining() != 0;) {
        const eta::Bytes one = in.take(in.u32());
        eta::codec::Msg msg;
        if (!in.ok() || !eta::codec::decodeMsg(one, msg).ok()) return false;
        if (!use(msg)) return true;
    }
    return true;
}

/// A complete refresh, in one or more messages, whose state is Ok. A source that has nothing yet sends a status in the
/// place of the image.
[[nodiscard]] inline bool isWholeAndOk(eta::Bytes image) {
    using namespace eta::codec;
    bool whole = false;
    const bool read = eachMessage(image, [&](const Msg& msg) {
        const bool good = msg.cls == MsgClass::Refresh && !msg.state.isFinal() && msg.state.data == DataState::ok;
        whole = good && msg.has(RefreshFlag::complete);
        return good && !whole;
    });
    return read && whole;
}

}  // namespace emissary::hub::backbone
