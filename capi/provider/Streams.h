// capi/provider: the open streams of an interactive provider, found by handle, by item and by client.
#pragma once

#include "Ema.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace emissary::capi {

using StreamHandle = refinitiv::ema::access::UInt64;

/// An item of a service, by the number that the service has.
struct ItemName {
    std::uint16_t service = 0;
    std::string item;
    auto operator<=>(const ItemName&) const = default;
};

struct Stream {
    StreamHandle client;
    ItemName name;
    std::uint16_t domain;
    std::set<std::int16_t> view;  ///< empty: all fields
    bool streaming = true;
    bool isPrivate = false;
    bool waits = false;  ///< has no image yet: the program was asked for one
};

/// There may be a million: none of these looks at all of them. Its owner's lock guards it.
class Streams {
public:
    /// Null without an open stream of that handle.
    [[nodiscard]] Stream* find(StreamHandle handle) {
        const auto at = all_.find(handle);
        return at == all_.end() ? nullptr : &at->second;
    }
    /// A new stream, or what a request on an open one has made of it.
    void note(StreamHandle handle, const Stream& stream);
    void forget(StreamHandle handle);
    void forgetClient(StreamHandle client);
    /// Copies of those of an item, in the order of handles.
    [[nodiscard]] std::vector<std::pair<StreamHandle, Stream>> of(const ItemName& name) const;
    /// Of one item; null: of all items of the service.
    [[nodiscard]] std::size_t count(std::uint16_t service, const char* item) const;
    [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }

private:
    std::map<StreamHandle, Stream> all_;
    std::map<ItemName, std::set<StreamHandle>> byName_;
    std::set<std::pair<StreamHandle, StreamHandle>> byClient_;  // client and stream
};

}  // namespace emissary::capi
