// Encodes requests, reissues and closes for the provider from what the sharers want.
#include "watchlist/WireRequests.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;

namespace {

struct Priority {
    std::uint8_t cls = 0;
    std::uint16_t count = 0;
};

/// The highest class of the sharers, and the sum of the counts in it.
Priority merged(const Stream& s) noexcept {
    std::uint8_t cls = 0;
    std::uint32_t sum = 0;
    for (const Request* r = s.first(); r != nullptr; r = s.after(*r)) {
        if (r->priorityClass > cls) {
            cls = r->priorityClass;
            sum = 0;
        }
        if (r->priorityClass == cls) sum += r->priorityCount;
    }
    return {cls, static_cast<std::uint16_t>(std::min<std::uint32_t>(sum, 0xFFFF))};
}

/// What one of the sharers wants: the others get it as well.
bool wantsConfInfo(const Stream& s) noexcept {
    for (const Request* r = s.first(); r != nullptr; r = s.after(*r))
        if (r->confInfo) return true;
    return false;
}

}  // namespace

void WireRequests::askImage(Stream& s) {
    for (Request* r = s.first(); r != nullptr; r = s.after(*r))
        if (r->state == Request::State::waiting) r->state = Request::State::pending;
    streams_.step(s, StreamEvent::asked);
    request(s, true);
    timeouts_.start(s);
}

bool WireRequests::wantsPause(const Stream& s) const noexcept {
    if (!context_.supportsPause || s.last == nullptr) return false;
    for (const Request* r = s.first(); r != nullptr; r = s.after(*r))
        if (!r->paused) return false;
    return true;
}

void WireRequests::request(Stream& s, bool wantsImage) {
    WireRequest& said = s.said;
    for (const Request* r = s.first(); r != nullptr && !said.streaming; r = s.after(*r))
        said.streaming = r->streaming;
    // From a change on the wire on, an end of the stream may have crossed it, and has to be answered.
    said.changed = said.changed || s.life.hasImage() || !wantsImage;
    if (wantsImage) said.crossed = false;
    said.paused = wantsPause(s);
    said.confInfo = wantsConfInfo(s);
    const Priority priority = merged(s);
    said.priorityClass = priority.cls;
    said.priorityCount = priority.count;
    said.priority = said.priority || priority.cls != 1 || priority.count != 1;
    if (s.viewed) views_.take(s, wantsImage);
    Msg m;
    write(s, m);
    if (!wantsImage) m.flags |= RequestFlag::noRefresh;
    send(m);
}

void WireRequests::write(const Stream& s, Msg& m) {
    m.cls = MsgClass::Request;
    m.domain = s.domain;
    m.streamId = s.wireId;
    m.flags = RequestFlag::qos;
    m.qos = s.qos;
    if (s.said.streaming) m.flags |= RequestFlag::streaming;
    if (s.said.paused) m.flags |= RequestFlag::pause;
    if (s.said.confInfo) m.flags |= RequestFlag::confInfoInUpdates;
    if (s.isPrivate) m.flags |= RequestFlag::privateStream;
    if (s.isQualified) m.flags |= RequestFlag::qualified;
    if (s.said.priority) {  // a provider keeps what it heard last, so the way back to 1/1 must be said too
        m.flags |= RequestFlag::priority;
        m.priorityClass = s.said.priorityClass;
        m.priorityCount = s.said.priorityCount;
    }
    m.key.flags = KeyFlag::serviceId;
    m.key.serviceId = s.service->id;
    if (s.hasName) {
        m.key.flags |= KeyFlag::name;
        m.key.name = s.name.view();
    }
    if (s.hasNameType) {
        m.key.flags |= KeyFlag::nameType;
        m.key.nameType = s.nameType;
    }
    if (s.rare) {
        const RareKey& rare = *s.rare;
        m.key.flags = static_cast<std::uint16_t>(m.key.flags | rare.flags);
        m.key.identifier = rare.identifier;
        m.key.filter = rare.filter;
        m.key.attribType = rare.attribType;
        m.key.attrib = rare.attrib;
        if (rare.hasExtendedHeader) {
            m.flags |= RequestFlag::extendedHeader;
            m.extendedHeader = rare.extendedHeader;
        }
        m.containerType = rare.payloadType;
        m.payload = rare.payload;
    }
    if (s.viewed) views_.write(s, m);
}

void WireRequests::reissueIfChanged(Stream& s) {
    // A snapshot's answer ends its stream: nothing to be changed.
    if (!s.life.onWire() || !s.said.streaming) return;
    const Priority priority = merged(s);
    if (priority.cls == s.said.priorityClass && priority.count == s.said.priorityCount &&
        wantsPause(s) == s.said.paused && wantsConfInfo(s) == s.said.confInfo && !views_.changed(s))
        return;
    request(s, false);
}

Msg WireRequests::closeOf(std::int32_t wireId, std::uint8_t domain) noexcept {
    Msg m;
    m.cls = MsgClass::Close;
    m.domain = domain;
    m.streamId = wireId;
    return m;
}

void WireRequests::answerUnknown(const Msg& msg) {
    // The end may have crossed a reissue, which opened the stream anew at the provider: a close is right in both cases
    // (session.md 4.4).
    const bool state = (msg.cls == MsgClass::Refresh || msg.cls == MsgClass::Status) && msg.hasState();
    if (!state || !msg.state.isFinal() || msg.streamId <= 0) return;
    const Msg close = closeOf(msg.streamId, msg.domain);
    context_.sender.answer(close);
    // Only what was asked for is kept in step: marks are kept by id, and the peer chooses this one.
    if (context_.tellRequests && streams_.wasGiven(msg.streamId)) context_.owner.onRequestSent(close);
}

void WireRequests::send(const Msg& m) {
    context_.sender.send(m);
    if (context_.tellRequests) context_.owner.onRequestSent(m);
}

}  // namespace emissary::reactor::consumer
