// One source directory towards the application, out of several.
#pragma once

#include "routing/Item.h"
#include "routing/MergedDirectory.h"
#include "routing/SessionTable.h"
#include "session/DirectoryStream.h"

namespace emissary::reactor::routing {

class OneDirectory {
public:
    OneDirectory(Reactor& reactor, session::Sender& nowhere, RequestTable& requests, consumer::ConsumerSink& sink,
                 const consumer::ConsumerOptions& options, const SessionTable& sessions, std::size_t sessionCount);

    /// Towards the application.
    [[nodiscard]] session::DirectoryStream& stream() noexcept { return stream_; }
    [[nodiscard]] const session::DirectoryStream& stream() const noexcept { return stream_; }
    [[nodiscard]] const MergedDirectory& merged() const noexcept { return merged_; }

    /// Takes over what a session's directory has become; false when nothing changed.
    [[nodiscard]] bool take(Session& s, bool there);
    /// Towards the application's directory clients.
    void publish();
    void onGeneric(eta::codec::Msg& msg);

private:
    void show(eta::codec::Msg& msg);

    const SessionTable& sessions_;
    MergedDirectory merged_;
    rdm::DirectoryListener nobody_;  // no items are here
    session::DirectoryStream stream_;
    bool shown_ = false;
};

}  // namespace emissary::reactor::routing
