// Messages that the server end sends to publishers of its own accord.
#pragma once

#include "reactor/GrowingBuffer.h"
#include "reactor/acceptor/AcceptorRole.h"
#include "session/Sender.h"

#include <cstdint>

namespace emissary::reactor::acceptor {

/// Answers the requests of publishers: logins that were taken, dictionaries, and what cannot be requested here. Knows
/// the role's options and no publisher: answers leave through the sender it is given. Session lock held throughout.
class PublisherAnswers {
public:
    /// Borrows the options, whose dictionaries may change between two calls.
    explicit PublisherAnswers(const AcceptorOptions& options) noexcept : options_(options) {}

    /// The login that `request` asked for is accepted. An error: the answer could not be encoded, and nothing was sent.
    [[nodiscard]] Error login(session::Sender& to, const eta::codec::Msg& request, const rdm::LoginAttributes& asked);
    /// A request on another stream than the login's, by somebody who is logged in.
    void request(session::Sender& to, const eta::codec::Msg& m);
    /// The new state of a stream, with nothing else.
    static void status(session::Sender& to, std::int32_t streamId, std::uint8_t domain, const eta::codec::State& state);
    void trim() noexcept;

private:
    [[nodiscard]] Error encodeLogin(eta::BeWriter& out, const rdm::LoginAttributes& asked) const noexcept;
    void dictionary(session::Sender& to, const eta::codec::Msg& m);

    const AcceptorOptions& options_;
    GrowingBuffer attributes_{256}, part_{16384};
};

}  // namespace emissary::reactor::acceptor
