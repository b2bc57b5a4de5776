// One login towards the application, out of several.
#pragma once

#include "reactor/GrowingBuffer.h"
#include "routing/Item.h"
#include "routing/SessionTable.h"
#include "session/LoginStream.h"

#include <vector>

namespace emissary::reactor::routing {

/// The application sees the first session's refresh. While another session is logged in, the end of one is an Open/Ok
/// status that names it; the login is suspect only when none is left.
class OneLogin {
public:
    OneLogin(Reactor& reactor, session::Sender& nowhere, RequestTable& requests, consumer::ConsumerSink& sink,
             const consumer::ConsumerOptions& options, SessionTable& sessions);

    /// Towards the application.
    [[nodiscard]] session::LoginStream& stream() noexcept { return stream_; }
    [[nodiscard]] bool singleOpen() const noexcept { return stream_.singleOpen(); }

    void onMessage(Session& s, const eta::codec::Msg& msg);
    /// The session is ready; `first`: for the first time.
    void onReady(Session& s, bool first);
    /// To every session. One that could not take it does so when it has logged in again.
    [[nodiscard]] Refusal reissue(const RequestView& request);
    void catchUp(Session& s);
    void trim() noexcept { trimBuffer(buffer_); }

private:
    void onRefresh(Session& s, eta::codec::Msg& msg);
    void onStatus(Session& s, eta::codec::Msg& msg);
    /// Something about one session that does not touch the login as a whole.
    void inform(const Session& s, const eta::codec::State& state);

    SessionTable& sessions_;
    session::LoginStream stream_;
    Session* source_ = nullptr;  // whose login refresh the application has
    bool down_ = false, anyReady_ = false;
    std::vector<std::byte> reissued_;  // the last one
    GrowingBuffer buffer_;
};

}  // namespace emissary::reactor::routing
