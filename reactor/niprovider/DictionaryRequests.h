// Dictionaries that a non-interactive provider asks the server for, over the same connection.
#pragma once

#include "reactor/rdm/Directory.h"
#include "session/RequestTable.h"
#include "session/Sender.h"

#include <map>
#include <string>

namespace emissary::reactor::niprovider {

using session::Handle;
using session::Refusal;
using session::RequestView;
using session::Subscriber;

/// Streams are positive, from 3 up. Nothing is recovered: a lost connection ends them (the dictionary that came stays
/// good). Session lock held throughout.
class DictionaryRequests {
public:
    DictionaryRequests(Reactor& reactor, session::Sender& sender, session::RequestTable& requests,
                       session::ClientSink& sink, const rdm::Directory& directory, std::chrono::milliseconds timeout)
        : reactor_(reactor), sender_(sender), requests_(requests), sink_(sink), directory_(directory),
          timeout_(timeout) {}
    ~DictionaryRequests();
    DictionaryRequests(const DictionaryRequests&) = delete;
    DictionaryRequests& operator=(const DictionaryRequests&) = delete;

    Handle add(const RequestView& request, const Subscriber& subscriber, Refusal& refusal);
    [[nodiscard]] Refusal reissue(session::Request& r, const RequestView& request);
    void remove(session::Request& r);
    /// False when the stream is not one of these.
    [[nodiscard]] bool onMessage(const eta::codec::Msg& msg);
    /// Every stream ends: ClosedRecover, to be asked for again by the application.
    void connectionLost();
    void forgetAll();  ///< without a word

private:
    struct Open {
        Handle handle = 0;
        TimerId timer = 0;
        std::string name;
    };
    /// The request as it goes out; `unknown`: what is wrong with its service, for a status.
    [[nodiscard]] Refusal fill(const RequestView& request, eta::codec::Msg& wire, std::string& unknown) const;
    Handle refuse(const RequestView& request, const Subscriber& subscriber, std::string why);
    void timedOut(std::int32_t streamId);
    void sendClose(std::int32_t streamId);
    /// Ends a stream with a status made here.
    void end(std::int32_t streamId, const eta::codec::State& state);
    [[nodiscard]] std::string_view serviceNameOf(const eta::codec::Msg& msg) const;

    Reactor& reactor_;
    session::Sender& sender_;
    session::RequestTable& requests_;
    session::ClientSink& sink_;
    const rdm::Directory& directory_;
    const std::chrono::milliseconds timeout_;
    std::map<std::int32_t, Open> open_;  // by stream id
    std::int32_t nextStream_ = 3;
};

}  // namespace emissary::reactor::niprovider
