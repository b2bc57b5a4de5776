// hub/delay: the streams on which a delayed service hears its original.
#pragma once

#include "eta/core/Clock.h"
#include "hub/core/Item.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::hub::delay {

/// One item of the original, on its way to the item of the same key in the delayed service.
struct Pipe {
    std::uint8_t domain = 0;
    std::string key;  ///< Item::key()
    // The item of the delayed service, by index and generation; kNone: there is none.
    std::uint32_t item = Item::kNone, generation = 0;
    std::uint32_t life = 0;    ///< counts who had this number
    eta::TimePoint imageAt{};  ///< the latest image that is on its way is shown at this time
    eta::TimePoint
        staysUntil{};  ///< with no client that wants it: those that did would not wait for the image, and ask again
    std::uint8_t parity = 0;  ///< which of its two numbers the stream has
    bool used = false;
    bool kept = false;        ///< open whether or not somebody wants it
    bool open = false;        ///< it has a stream
    bool replacing = false;   ///< its former stream is heard too, until the image of the present one
    bool asking = false;      ///< it waits for its turn to be opened
    bool parked = false;      ///< the original is down
    bool gapped = false;      ///< a message found no room: what follows is left out until an image was asked for
    bool needsImage = false;  ///< at the end of the line: nothing but an image is shown
};

/// By number and by key. On the loop's thread.
class Pipes {
public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    /// Throws std::bad_alloc.
    std::uint32_t add(std::uint8_t domain, eta::Bytes key);
    /// kNone: there is none.
    [[nodiscard]] std::uint32_t find(std::uint8_t domain, eta::Bytes key) const;
    /// Its number may be given to another one, in another life.
    void remove(std::uint32_t number) noexcept;
    [[nodiscard]] Pipe& operator[](std::uint32_t number) noexcept { return *all_[number]; }
    /// Null when the one of that life is gone.
    [[nodiscard]] Pipe* find(std::uint32_t number, std::uint32_t life) noexcept {
        return number < all_.size() && all_[number]->used && all_[number]->life == life ? all_[number].get() : nullptr;
    }
    /// Numbers that there have been.
    [[nodiscard]] std::uint32_t numbers() const noexcept { return static_cast<std::uint32_t>(all_.size()); }

    // --- numbers of streams: each pipe has two, so that the next stream can begin before the last one ends
    [[nodiscard]] std::int32_t streamOf(std::uint32_t number) const noexcept {
        return static_cast<std::int32_t>(number * 2 + 1 + all_[number]->parity);
    }
    [[nodiscard]] std::int32_t formerOf(std::uint32_t number) const noexcept {
        return static_cast<std::int32_t>(number * 2 + 1 + (all_[number]->parity ^ 1u));
    }
    /// The pipe whose present stream that is, or the former one where that is heard too; kNone: neither.
    [[nodiscard]] std::uint32_t ofStream(std::int32_t stream) const noexcept {
        const std::uint32_t number = (static_cast<std::uint32_t>(stream) - 1) / 2;
        if (number >= all_.size() || !all_[number]->used) return kNone;
        return streamOf(number) == stream || all_[number]->replacing ? number : kNone;
    }

private:
    [[nodiscard]] static std::string keyOf(std::uint8_t domain, eta::Bytes key) {
        std::string made(1, static_cast<char>(domain));
        made += eta::asText(key);
        return made;
    }
    std::vector<std::unique_ptr<Pipe>> all_;  // records stay where they are
    std::vector<std::uint32_t> free_;
    boost::unordered_flat_map<std::string, std::uint32_t> byKey_;
};

}  // namespace emissary::hub::delay
