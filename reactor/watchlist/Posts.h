// Generic messages and posts of the application, and the acks that answer posts (session.md 4.10, rdm.md 7).
#pragma once

#include "watchlist/Context.h"
#include "watchlist/PostLedger.h"

#include <functional>

namespace emissary::reactor::consumer {

/// Session lock held throughout.
class Posts {
public:
    /// Delivers the nak of a post whose ack did not come in time.
    using Expired = std::function<void(Request&, eta::codec::Msg&)>;

    Posts(const Context& context, const Services& services, Expired expired);

    /// `msg` is changed: stream id, service id, domain.
    [[nodiscard]] Refusal submitGeneric(const Request& r, eta::codec::Msg& msg) const;
    [[nodiscard]] Refusal submitPost(const Request& r, eta::codec::Msg& msg, std::string_view serviceName);
    /// On an established login stream.
    [[nodiscard]] Refusal submitOffStreamPost(eta::codec::Msg& msg, std::string_view serviceName);

    /// The handle whose post an ack on that stream answers; 0 when no post waits for it.
    [[nodiscard]] Handle takeAck(std::int32_t wireId, const eta::codec::Msg& ack);
    /// An ack on the login stream: true when it answers an off-stream post.
    [[nodiscard]] bool takeOffStreamAck(const eta::codec::Msg& ack);

    /// Their posts are forgotten without a word.
    void streamGone(std::int32_t wireId) { ledger_.forget(wireId); }
    void connectionLost() { ledger_.forgetAll(); }
    void trim() noexcept { ledger_.trim(); }
    [[nodiscard]] std::size_t places() const noexcept { return ledger_.places(); }

private:
    [[nodiscard]] Refusal established(const Request& r) const;
    [[nodiscard]] Refusal send(Sender& sender, const eta::codec::Msg& msg, Handle poster);
    [[nodiscard]] Refusal check(const PostLedger::Key& key, const eta::codec::Msg& msg) const;
    void expired(const PostLedger::Key& key, const PostLedger::Entry& entry);

    const Context& context_;
    const Services& services_;
    const Expired expired_;
    PostLedger ledger_;
};

}  // namespace emissary::reactor::consumer
