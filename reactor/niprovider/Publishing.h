// Messages that the application of a non-interactive provider publishes (session.md section 7).
#pragma once

#include "niprovider/OwnDirectory.h"
#include "niprovider/OwnItems.h"
#include "reactor/niprovider/NiProviderRole.h"
#include "session/RequestTable.h"
#include "session/Sender.h"

namespace emissary::reactor::niprovider {

/// Checks a message against the item that its handle names, fills in what the item knows, sends it, and lets it take
/// effect. Between online() and offline() submits are taken. Session lock held throughout; borrows everything.
class Publishing {
public:
    using Msg = eta::codec::Msg;

    Publishing(Reactor& reactor, const NiProviderOptions& options, session::Sender& sender,
               session::RequestTable& requests, OwnItems& items, OwnDirectory& directory) noexcept
        : reactor_(reactor), options_(options), sender_(sender), requests_(requests), items_(items),
          directory_(directory) {}

    /// A connection begins: it gets the next number, which is never 0.
    void connected() noexcept {
        if (++connection_ == 0) connection_ = 1;
    }
    /// The login is accepted: the directory goes out, then items may.
    void online();
    /// Returns whether submits were taken.
    bool offline() noexcept { return std::exchange(online_, false); }
    [[nodiscard]] bool isOnline() const noexcept { return online_; }

    // --- as NiProviderRole says
    PublishResult submit(std::uint64_t handle, Msg& m);
    PublishResult prepare(std::uint64_t handle, Msg& m, PackedEffect& effect);
    PublishResult submitPacked(std::uint64_t number, std::span<std::byte> body, std::uint32_t messages,
                               std::span<const PackedMessage> changes);
    [[nodiscard]] std::uint64_t connectionNumber() const noexcept { return online_ ? connection_ : 0; }

private:
    /// Checks and fills in, and changes nothing else: the message may not leave. `slot`: kNone when the handle has no
    /// item yet. `effect`: of the messages before it in its pack; says when this one is the first of its item.
    [[nodiscard]] PublishResult check(std::uint64_t handle, Msg& m, std::uint32_t& slot, PackedEffect& effect);
    [[nodiscard]] PublishFault checkFirst(const Msg& m) const noexcept;
    [[nodiscard]] PublishFault fillKey(std::uint16_t serviceId, Msg& m) const noexcept;
    /// Gives the items that begin in the pack their streams; their slots go to `opened`.
    [[nodiscard]] PublishFault openPacked(std::span<std::byte> body, std::span<const PackedMessage> changes,
                                          std::vector<std::uint32_t>& opened);
    void sent(std::uint32_t slot, const Msg& m);
    [[nodiscard]] PublishResult submitDirectory(std::uint64_t handle, Msg& m);

    Reactor& reactor_;
    const NiProviderOptions& options_;
    session::Sender& sender_;
    session::RequestTable& requests_;
    OwnItems& items_;
    OwnDirectory& directory_;
    bool online_ = false;
    std::uint32_t connection_ = 0;  // number of the connection in use, or of the last one
};

}  // namespace emissary::reactor::niprovider
