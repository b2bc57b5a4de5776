// Makes one login state of those of all sessions, and reissues to each of them.
#include "routing/OneLogin.h"

#include <string>
#include <utility>

namespace emissary::reactor::routing {

using namespace eta::codec;

OneLogin::OneLogin(Reactor& reactor, session::Sender& nowhere, RequestTable& requests, consumer::ConsumerSink& sink,
                   const consumer::ConsumerOptions& options, SessionTable& sessions)
    : sessions_(sessions), stream_(reactor, nowhere, requests, sink, options.login, options.requestTimeout) {}

void OneLogin::onReady(Session& s, bool first) {
    s.informed = false;
    const State up{StreamState::open, DataState::ok, 0, eta::asBytes("channel up")};
    if (first && !s.saidUp && anyReady_) inform(s, up);  // later on its role reports it
    anyReady_ = true;
}

void OneLogin::catchUp(Session& s) {
    Msg again;
    if (!std::exchange(s.missedReissue, false) || !decodeMsg(reissued_, again).ok()) return;
    static_cast<void>(s.role->reissue(s.login, {again, {}}));  // the application's call was answered by the others
}

void OneLogin::onMessage(Session& s, const Msg& msg) {
    Msg m = msg;
    if (m.hasState() && (m.cls == MsgClass::Status || m.state.isFinal())) return onStatus(s, m);
    if (m.cls != MsgClass::Refresh) return stream_.fanOut(m);
    onRefresh(s, m);
}

void OneLogin::onRefresh(Session& s, Msg& m) {
    s.loggedIn = true;
    if (source_ != nullptr && source_ != &s) return;
    source_ = &s;
    if (!s.everReady && std::exchange(down_, false)) {
        s.saidUp = true;
        stream_.tell(StreamState::open, DataState::ok, 0, "channel up");
        if (sessions_.shutDown) return;
    }
    (void)stream_.onMessage(m);
}

void OneLogin::onStatus(Session& s, Msg& msg) {
    const bool final = msg.state.isFinal();
    if (!final && msg.state.data == DataState::ok) {
        if (!std::exchange(down_, false) && sessions_.size() > 1) return inform(s, msg.state);
        return stream_.fanOut(msg);
    }
    if (sessions_.othersLoggedIn(s)) {
        if (source_ == &s) {
            for (const auto& o : sessions_)
                if (o.get() != &s && o->loggedIn) source_ = o.get();
        }
        if (!std::exchange(s.informed, true)) inform(s, msg.state);
        return;
    }
    if (source_ == &s) source_ = nullptr;
    down_ = true;
    if (final && sessions_.othersAlive(s)) {
        msg.state.stream = StreamState::open;
        msg.state.data = DataState::suspect;
    }
    stream_.fanOut(msg);
}

void OneLogin::inform(const Session& s, const State& state) {
    stream_.tell(StreamState::open, DataState::ok, state.code, s.labelled(std::string(eta::asText(state.text))));
}

Refusal OneLogin::reissue(const RequestView& request) {
    std::size_t taken = 0;
    Refusal first;
    for (const auto& s : sessions_) {
        Refusal each = s->role->reissue(s->login, request);
        s->missedReissue = static_cast<bool>(each);
        if (!each) ++taken;
        else if (!first) first = std::move(each);
    }
    if (taken == 0) {
        for (const auto& s : sessions_)
            s->missedReissue = false;
        return first;
    }
    if (encodeMsg(buffer_.start(), request.msg).ok()) reissued_.assign(buffer_.view().begin(), buffer_.view().end());
    return {};
}

}  // namespace emissary::reactor::routing
