// reactor/provider: all open streams of a provider: opened, found, put into groups, ended.
#pragma once

#include "provider/ProviderContext.h"
#include "provider/Session.h"
#include "provider/UnackedPosts.h"
#include "rdm/ItemGroups.h"

#include <optional>

namespace emissary::reactor {

/// The stream table and the indexes into it that each client has. A handle finds its stream in one index and one
/// compare.
class OpenStreams {
public:
    explicit OpenStreams(ProviderContext& context) noexcept : context_(context) {}

    [[nodiscard]] Stream* find(std::uint64_t handle) noexcept { return table_.find(handle); }
    [[nodiscard]] Stream& operator[](std::uint32_t slot) noexcept { return table_[slot]; }
    [[nodiscard]] std::uint64_t handleOf(std::uint32_t slot) const noexcept { return table_.handleOf(slot); }
    [[nodiscard]] StreamEvent eventOf(std::uint32_t slot) const noexcept;
    [[nodiscard]] const StreamTable& table() const noexcept { return table_; }
    [[nodiscard]] std::size_t size() const noexcept { return table_.open(); }

    /// The key of a request; its content is good until the next call.
    [[nodiscard]] ItemKey keyOf(const eta::codec::Msg& request);
    /// The stream on which the client has the same item open; kNone when it has not.
    [[nodiscard]] static std::uint32_t sameItem(const Session& session, const ItemKey& key) noexcept;
    [[nodiscard]] std::uint32_t open(Session& session, const eta::codec::Msg& request, const ItemKey& key);
    /// A request on an open stream that asks for something else.
    void changeKey(std::uint32_t slot, const ItemKey& key);
    void drop(std::uint32_t slot) noexcept;
    /// An image that was asked for without streaming is out: its stream ends, and the application gets its onClose().
    void finish(std::uint32_t slot);
    /// The same as drop(), and gives back what the stream was.
    [[nodiscard]] Stream take(std::uint32_t slot) noexcept;

    struct EndedLogin {
        Stream stream;
        StreamEvent event;
    };
    /// Two steps, because others let go of the client in between: forgetAll() empties its indexes, removeAll() frees
    /// the slots that it had.
    struct Forgotten {
        std::vector<std::uint32_t> slots;
        std::optional<EndedLogin> login;
    };
    [[nodiscard]] Forgotten forgetAll(Session& session);
    void removeAll(const Forgotten& forgotten) noexcept;

    /// Calls `f` with every open stream; it may drop streams.
    template <class F>
    void forEach(F&& f) {
        table_.forEach(std::forward<F>(f));
    }

    UnackedPosts posts;
    rdm::ItemGroups groups;  ///< of the open items

    void trim() noexcept;
    [[nodiscard]] std::size_t places() const noexcept { return table_.places() + posts.places(); }

private:
    ProviderContext& context_;
    StreamTable table_;
    GrowingBuffer keyScratch_{256};
};

/// Name and service of the stream's item for a message about it.
[[nodiscard]] eta::codec::MsgKey itemKeyOf(const Stream& stream) noexcept;

/// Tells the handler that a stream of its is over.
void tellClosed(ProviderHandler& handler, const StreamEvent& event, const Stream& was);

}  // namespace emissary::reactor
