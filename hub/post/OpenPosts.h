// Posts that come in several parts (rdm.md 7).
#pragma once

#include "eta/codec/Msg.h"
#include "hub/post/post_counts.h"
#include "reactor/memory.h"

#include <vector>

namespace emissary::hub::post {

/// A post of which not all parts have come.
struct OpenPost {
    std::uint32_t hubId = 0;                        ///< of all its parts
    std::uint16_t nextPart = 0;                     ///< the only number that may come next
    std::size_t bytes = 0;                          ///< of what is collected
    std::vector<std::vector<std::byte>> collected;  ///< payloads of the parts, where they are kept until the last
};

/// Bounded for each client: `limit` posts, and `limitBytes` of collected parts. A client that leaves posts unfinished
/// runs into these bounds; they are forgotten with it.
class OpenPosts {
public:
    OpenPosts(std::uint32_t limit, std::size_t limitBytes, Counts& counts) noexcept
        : limit_(limit), limitBytes_(limitBytes), counts_(counts) {}

    enum class Taken : std::uint8_t { ok, outOfOrder, full };
    /// A part has come. A first one begins anew what is unfinished under its id. `open` is good until the next call.
    [[nodiscard]] Taken part(std::uint32_t client, const eta::codec::Msg& msg, std::uint32_t newHubId, OpenPost*& open);
    /// Keeps a copy of the part's payload; false when the client has too much of that.
    [[nodiscard]] bool collect(std::uint32_t client, OpenPost& open, eta::Bytes payload);
    /// The last part has come, or one that cannot be: the post is over.
    void end(std::uint32_t client, const eta::codec::Msg& msg);
    void forgetClient(std::uint32_t client) noexcept;
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    struct Key {
        std::int32_t stream = 0;
        std::uint32_t postId = 0;
        friend bool operator==(const Key&, const Key&) = default;
        friend std::size_t hash_value(const Key& k) noexcept {
            return boost::hash<std::uint64_t>()(std::uint64_t{k.postId} << 32 | static_cast<std::uint32_t>(k.stream));
        }
    };
    /// A table for each client: what it leaves behind goes without a look at the others'.
    struct PerClient {
        reactor::ItemMap<Key, OpenPost> posts;
        std::size_t bytes = 0;
    };
    static constexpr std::size_t kPlacesKept = 64;  ///< of a client without open posts
    [[nodiscard]] static Key keyOf(const eta::codec::Msg& m) noexcept {
        return {m.streamId, m.has(eta::codec::PostFlag::postId) ? m.postId : 0};
    }
    void count(std::size_t size) noexcept {
        size_ = size;
        counts_.open = size;
    }

    const std::uint32_t limit_;
    const std::size_t limitBytes_;
    Counts& counts_;
    std::size_t size_ = 0;            // of all clients' posts
    std::vector<PerClient> clients_;  // by client number
};

}  // namespace emissary::hub::post
