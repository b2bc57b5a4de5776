// Takes the directories of the sessions together and passes changes on.
#include "routing/OneDirectory.h"

#include <utility>

namespace emissary::reactor::routing {

using namespace eta::codec;

OneDirectory::OneDirectory(Reactor& reactor, session::Sender& nowhere, RequestTable& requests,
                           consumer::ConsumerSink& sink, const consumer::ConsumerOptions& options,
                           const SessionTable& sessions, std::size_t sessionCount)
    : sessions_(sessions),
      merged_(sessionCount,
              [&sessions](std::size_t i) -> const rdm::Directory& { return sessions[i].role->directory(); }),
      stream_(reactor, nowhere, requests, sink, options.directory,
              {options.recoveryMinDelay, options.recoveryMaxDelay}) {}

bool OneDirectory::take(Session& s, bool there) {
    if (!there && !std::exchange(s.hasDirectory, false)) return false;
    if (there) s.hasDirectory = true;
    merged_.update(s.index, there);
    return true;
}

/// At once: what comes next is made from the state after it.
void OneDirectory::show(Msg& m) {
    (void)stream_.onMessage(m, nobody_);  // made here, so it can be read
    stream_.finish();
}

void OneDirectory::onGeneric(Msg& m) {
    (void)stream_.onMessage(m, nobody_);
}

void OneDirectory::publish() {
    Msg m;
    m.domain = rdm::kDirectoryDomain;
    m.containerType = DataType::Map;
    if (!sessions_.anyDirectory()) {
        if (!std::exchange(shown_, false)) return;
        merged_.forget();
        return stream_.connectionLost(nobody_);
    }
    if (!std::exchange(shown_, true)) {
        m.cls = MsgClass::Refresh;
        m.flags = RefreshFlag::complete | RefreshFlag::solicited | RefreshFlag::clearCache;
        m.state = {StreamState::open, DataState::ok, 0, {}};
        m.payload = merged_.publishAll();
        return show(m);
    }
    merged_.publish([&](Bytes map) {
        Msg update = m;
        update.cls = MsgClass::Update;
        update.payload = map;
        show(update);
    });
}

}  // namespace emissary::reactor::routing
