// Links handles into their stream's list, moves them, and sends them statuses.
#include "watchlist/Sharers.h"

#include <utility>

namespace emissary::reactor::consumer {

using namespace eta::codec;

void Sharers::append(Stream& s, Request& r) noexcept {
    r.stream = &s;
    if (r.hasExtras) {
        s.viewed = s.viewed || r.hasView;
        s.opensData = s.opensData || r.opensData;
    }
    r.next = s.last != nullptr ? std::exchange(s.last->next, &r) : &r;
    s.last = &r;
}

void Sharers::unlink(Request& r) noexcept {
    Stream* s = r.stream;
    if (s == nullptr) return;
    Request* before = s->last;
    while (before->next != &r)
        before = before->next;
    before->next = r.next;
    if (s->last == &r) s->last = before != &r ? before : nullptr;
    r.stream = nullptr;
    r.next = nullptr;
}

void Sharers::join(Stream& s, Request& r) {
    if (r.hasView) {
        if (const SharedView view = views_.of(r); view && views_.clash(s, *view, nullptr)) {
            r.kind = Request::Kind::refused;
            return tell(s, r, StreamState::closed, 21,
                        "The item is open with a view of the other kind (field ids or element names).");
        }
    }
    append(s, r);
    if (!s.life.onWire()) return;  // its request is still to come
    if (!s.life.wantsImage()) return wire_.askImage(s);
    if (s.life.is(StreamPhase::receiving) || (r.streaming && !s.said.streaming) ||
        (s.viewed && !views_.covered(s, r))) {
        r.state = Request::State::waiting;
        return;
    }
    wire_.reissueIfChanged(s);
}

void Sharers::move(Stream& from, Stream& to) {
    while (Request* const first = from.first()) {
        Request& r = *first;
        unlink(r);
        r.state = Request::State::pending;
        join(to, r);
    }
}

void Sharers::tell(const Stream& s, const Request& r, std::uint8_t stream, std::uint8_t code, std::string text) {
    RequestTable::Notice n;
    n.handle = r.handle();
    n.state = {stream, DataState::suspect, code, {}};
    n.text = std::move(text);
    n.domain = s.domain;
    n.nameType = s.nameType;
    n.hasName = s.hasName;
    n.name.assign(eta::asText(s.name.view()));
    n.serviceName = s.service->name;
    n.serviceId = s.service->number();
    n.isPrivate = s.isPrivate;
    n.ends = stream != StreamState::open;
    context_.requests.later(std::move(n));
}

void Sharers::refuseAll(Stream& s, std::string_view text) {
    while (Request* const first = s.first()) {
        Request& r = *first;
        tell(s, r, StreamState::closedRecover, 0, std::string(text));
        unlink(r);
        r.kind = Request::Kind::refused;
    }
}

}  // namespace emissary::reactor::consumer
