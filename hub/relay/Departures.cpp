// Keeps what a leaving connection still receives, and hands it to the thread that serves publishers.
#include "hub/relay/Departures.h"

#include "hub/relay/Front.h"

namespace emissary::hub::relay {

using namespace eta::codec;

void Departures::begin(std::unique_ptr<reactor::Link> link, eta::Bytes login) {
    front_.reactor().post([this] { depart(); });
    Leaving& leaving = leaving_.emplace_back(*this);
    try {
        leaving.keep(login);
    } catch (const std::bad_alloc&) {
        leaving_.pop_back();
        throw;
    }
    leaving.link = std::move(link);
    leaving.link->setHandler(leaving);
    // What follows is for the stage, which knows when the login is accepted: read here, it would meet the limits of a
    // connection without one. The rest of a text that has come is delivered, whoever held the link before.
    leaving.link->hold(!leaving.link->midText());
}

void Departures::Leaving::onLinkMessage(reactor::Link&, eta::Bytes message) {
    keep(message);
    Msg m;
    if (link->info().protocolType != eta::transport::kProtocolJson || !decodeMsg(message, m).ok()) return;
    if (m.domain == kDirectoryDomain && (m.cls == MsgClass::Refresh || m.cls == MsgClass::Update))
        static_cast<void>(services.apply(m.payload, false));  // the stage says what is wrong with it
}

void Departures::Leaving::onLinkDown(reactor::Link&, const std::string&, bool) {
    departures.leaving_.remove_if([this](const Leaving& one) { return &one == this; });
}

reactor::JsonSources Departures::Leaving::jsonSources() const noexcept {
    return {departures.front_.jsonSources().dictionary, &services};
}

void Departures::depart() {
    for (auto leaving = leaving_.begin(); leaving != leaving_.end();) {
        // The rest of a long text comes in the next turns, and is kept too.
        if (leaving->link->midText()) {
            ++leaving;
            continue;
        }
        std::unique_ptr<DetachedConnection> detached = std::move(leaving->detached);
        detached->channel = leaving->link->release();
        leaving = leaving_.erase(leaving);
        if (detached->channel == nullptr) continue;
        ToStage r;
        r.kind = ToStage::Kind::detached;
        r.listener = listener_;
        r.extra = detached.release();
        front_.tell(r);
    }
    if (!leaving_.empty()) front_.reactor().post([this] { depart(); });
}

}  // namespace emissary::hub::relay
