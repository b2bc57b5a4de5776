// Generic messages and posts of the application, and the acks that answer posts (session.md 4.10, rdm.md 7).
#pragma once

#include "watchlist/Context.h"
#include "watchlist/PostLedger.h"

#include <functional>

namespace emissary::reactor::consumer {

/// Session lock held throughout.
class Posts {
public:
    /// Delivers a nak that is made here to the handle that posted.
    using Nak = std::function<void(Request&, eta::codec::Msg&)>;

    Posts(const Context& context, const Services& services, Nak nak);

    /// `msg` is changed: stream id, service id, domain.
    [[nodiscard]] Refusal submitGeneric(const Request& r, eta::codec::Msg& msg) const;
    [[nodiscard]] Refusal submitPost(const Request& r, eta::codec::Msg& msg, std::string_view serviceName);
    /// On an established login stream.
    [[nodiscard]] Refusal submitOffStreamPost(eta::codec::Msg& msg, std::string_view serviceName);

    /// The handle whose post an ack on that stream answers; 0 when no post waits for it.
    [[nodiscard]] Handle takeAck(std::int32_t wireId, const eta::codec::Msg& ack);
    /// An ack on the login stream: true when it answers an off-stream post.
    [[nodiscard]] bool takeOffStreamAck(const eta::codec::Msg& ack);
    /// The name of the service that an ack's key names; data() null when it names none, or one that was never there.
    [[nodiscard]] std::string_view serviceNameOf(const eta::codec::Msg& ack) const noexcept;

    // --- posts that no server will answer: each gets a nak here. Callbacks may do anything meanwhile.
    /// Some post of that stream waits for its ack.
    [[nodiscard]] bool anyOf(std::int32_t wireId) const noexcept { return ledger_.anyOf(wireId); }
    /// The server has ended the stream.
    void streamEnds(std::int32_t wireId);
    /// The service of the streams that `lost` picks is gone.
    void serviceLost(const std::function<bool(std::int32_t wireId)>& lost);
    /// The poster is about to close its handle, and somebody asks for the item elsewhere.
    void posterLeaves(const Request& r);
    void connectionLost();
    /// The server of that channel is lost, and the session goes on without it: its posts have no answer to expect from
    /// here on. Those of `heir` are the active server's now: it takes over.
    void serverLost(std::uint32_t source, std::uint32_t heir);
    /// Once the session has its new server.
    void answerLost();

    // --- posts whose poster is gone as well: forgotten without a word
    void streamGone(std::int32_t wireId) { ledger_.forget(wireId); }
    void forgetAll() { ledger_.forgetAll(); }
    void trim() noexcept { ledger_.trim(); }
    [[nodiscard]] std::size_t places() const noexcept { return ledger_.places(); }

private:
    [[nodiscard]] Refusal established(const Request& r) const;
    [[nodiscard]] Refusal send(std::uint32_t source, Sender& sender, const eta::codec::Msg& msg, Handle poster);
    [[nodiscard]] Refusal check(const PostLedger::Key& key, const eta::codec::Msg& msg) const;
    void answer(const PostLedger::Key& key, const PostLedger::Entry& entry, std::uint8_t code, std::string_view text);
    void answerAll(const std::vector<PostLedger::Post>& posts, std::uint8_t code, std::string_view text);

    const Context& context_;
    const Services& services_;
    const Nak nak_;
    PostLedger ledger_;
};

}  // namespace emissary::reactor::consumer
