// Checks requests, joins them with a stream that fits or makes a new one, and reissues and closes.
#include "watchlist/Opening.h"

#include "reactor/session/session_types.h"
#include <algorithm>

namespace emissary::reactor::consumer {

using namespace eta::codec;

Opening::Opening(const Context& context, Services& services, StreamTable& streams, Views& views, WireRequests& wire,
                 Sharers& sharers, Recovery& recovery)
    : context_(context), services_(services), streams_(streams), views_(views), wire_(wire), sharers_(sharers),
      recovery_(recovery),
      unseen_(
          context.reactor, context.options.serviceWait,
          {[this](Handle h) { return awaiting(h) != nullptr; }, [this](Handle h) { waitedEnough(*awaiting(h)); }, {}}) {
}

Handle Opening::open(const RequestView& request, const Subscriber& subscriber, Refusal& refusal, const Traits& traits) {
    std::string unknown;
    ServiceEntry* service = services_.wantedBy(request, waits(request.msg), refusal, unknown);
    if (refusal) return 0;
    Request& r = makeRequest(request.msg, subscriber, traits);
    const Handle handle = r.handle();
    if (refused(r, request, service, std::move(unknown))) return handle;
    if (traits.view) views_.set(r, traits.view);
    if (traits.dataStreams != DataStreams::none) r.opensData = r.hasExtras = true;
    place(r, request.msg, *service);
    if (!service->seen) unseen_.start(handle);
    return handle;
}

bool Opening::waits(const Msg& m) const noexcept {
    return context_.singleOpen && !m.has(RequestFlag::privateStream);
}

/// The request, when its service was never seen; else null.
Request* Opening::awaiting(Handle handle) noexcept {
    Request* r = context_.requests.find(handle);
    const bool item = r != nullptr && r->kind == Request::Kind::item && r->stream != nullptr;
    return item && !r->stream->service->seen ? r : nullptr;
}

void Opening::waitedEnough(Request& r) {
    Stream& s = *r.stream;
    sharers_.tell(s, r, StreamState::closed, 15, Services::unknown(*s.service));
    Sharers::unlink(r);
    r.kind = Request::Kind::refused;
    if (s.last == nullptr) recovery_.finish(s);
}

Request& Opening::makeRequest(const Msg& m, const Subscriber& subscriber, const Traits& traits) {
    Request& r = context_.requests.add(Request::Kind::item, subscriber);
    r.appStreamId = traits.isData ? context_.requests.nextDataStreamId() : context_.requests.nextAppStreamId();
    r.streaming = m.has(RequestFlag::streaming);
    r.paused = m.has(RequestFlag::pause);
    r.internal = traits.internal;
    r.isData = traits.isData;
    r.hasExtras = subscriber.parent != 0;
    r.confInfo = m.has(RequestFlag::confInfoInUpdates);
    r.keyInUpdates = context_.options.msgKeyInUpdates || m.has(RequestFlag::msgKeyInUpdates);
    if (m.has(RequestFlag::priority)) {
        r.priorityClass = m.priorityClass;
        r.priorityCount = m.priorityCount;
    }
    return r;
}

bool Opening::refused(Request& r, const RequestView& request, const ServiceEntry* service, std::string unknown) {
    const bool closed = !context_.closedText.empty();
    if (!closed && service != nullptr) return false;
    const Msg& m = request.msg;
    r.kind = Request::Kind::refused;
    RequestTable::Notice n;
    n.handle = r.handle();
    n.state = {StreamState::closed, DataState::suspect, static_cast<std::uint8_t>(closed ? 0 : 15), {}};
    n.text = closed ? context_.closedText : std::move(unknown);
    n.domain = m.domain;
    n.hasName = m.key.has(KeyFlag::name);
    n.name.assign(eta::asText(m.key.name));
    if (m.key.has(KeyFlag::nameType)) n.nameType = m.key.nameType;
    if (request.serviceName.data() != nullptr) n.serviceName.assign(request.serviceName);
    if (m.key.has(KeyFlag::serviceId)) n.serviceId = m.key.serviceId;
    n.isPrivate = m.has(RequestFlag::privateStream);
    n.ends = true;
    context_.requests.later(std::move(n));
    return true;
}

/// Onto the stream that there is, or a new one.
void Opening::place(Request& r, const Msg& m, ServiceEntry& service) {
    const bool plain = takesAnyQos(m) && (m.key.flags & kRareKeyFlags) == 0;
    if (plain && !m.has(RequestFlag::privateStream) && service.model != nullptr) {
        // The common case first: an ordinary key, perhaps a stream that exists.
        StreamKey key;
        key.service = &service;
        key.domain = m.domain;
        key.hasName = m.key.has(KeyFlag::name);
        key.name = key.hasName ? m.key.name : Bytes{};
        if (m.key.has(KeyFlag::nameType)) key.nameType = m.key.nameType;
        if (mismatch(service, m.domain, key.qos).empty()) {
            if (Stream* shared = streams_.find(key); shared != nullptr) return sharers_.join(*shared, r);
        }
    }
    Stream& s = makeStream(m, service);
    if (const std::string_view why = mismatch(s, s.qos); !why.empty()) {
        Sharers::append(s, r);
        return recovery_.startLater(s, why);
    }
    if (!plain && !s.isPrivate) {
        if (Stream* shared = streams_.find(StreamKey::of(s)); shared != nullptr) {
            recovery_.finish(s);
            return sharers_.join(*shared, r);
        }
    }
    Sharers::append(s, r);
    recovery_.start(s);
}

Stream& Opening::makeStream(const Msg& m, ServiceEntry& service) {
    Stream& s = streams_.make();
    s.service = &service;
    s.domain = m.domain;
    s.hasName = m.key.has(KeyFlag::name);
    s.name.assign(s.hasName ? m.key.name : Bytes{});
    s.hasNameType = m.key.has(KeyFlag::nameType);
    s.nameType = s.hasNameType ? m.key.nameType : 1;
    s.isPrivate = m.has(RequestFlag::privateStream);
    s.isQualified = s.isPrivate && m.has(RequestFlag::qualified);
    s.rare = rareKeyOf(m);
    return s;
}

/// What a reissue would change that must stay (session.md 4.3), as a sentence; empty when nothing.
std::string_view Opening::forbiddenChange(const Request& r, const RequestView& request) {
    const Stream& s = *r.stream;
    const Msg& m = request.msg;
    if (!session::keepsDomain(m, s.domain)) return "A reissue must not change the domain.";
    if (m.has(RequestFlag::batch)) return "A reissue must not ask for a batch.";
    if (m.has(RequestFlag::privateStream) && !s.isPrivate) return "A reissue must not turn a stream private.";
    if (!r.streaming) return "A snapshot request cannot be reissued.";
    if (!m.has(RequestFlag::streaming) && !m.has(RequestFlag::pause))
        return "A reissue must not turn a stream into a snapshot.";
    const Bytes name = s.name.view();
    if (m.key.has(KeyFlag::name) &&
        (m.key.name.size() != name.size() || !std::equal(name.begin(), name.end(), m.key.name.begin())))
        return "A reissue must not change the item name.";
    if (m.key.has(KeyFlag::nameType) && m.key.nameType != s.nameType) return "A reissue must not change the name type.";
    if ((request.serviceName.data() != nullptr && request.serviceName != s.service->name) ||
        (m.key.has(KeyFlag::serviceId) && m.key.serviceId != s.service->id))
        return "A reissue must not change the service.";
    return changeOfKey(m, s.rare.get());
}

Refusal Opening::reissue(Request& r, const RequestView& request) {
    using K = Refusal::Kind;
    Stream& s = *r.stream;
    const Msg& m = request.msg;
    if (const std::string_view why = forbiddenChange(r, request); !why.empty())
        return {K::invalidData, std::string(why)};

    SharedView view;
    if (m.has(RequestFlag::view)) {
        RequestPayload extras;
        if (Refusal refusal = readExtras(m, extras)) return refusal;
        if (extras.view && views_.clash(s, *extras.view, &r))
            return {K::invalidData, "The item is open with a view of the other kind (field ids or element "
                                    "names)."};
        view = extras.view ? std::make_shared<const View>(std::move(*extras.view)) : views_.of(r);
    }
    if (view || r.hasView) views_.set(r, std::move(view));
    if (m.has(RequestFlag::priority)) {
        r.priorityClass = m.priorityClass;
        r.priorityCount = m.priorityCount;
    }
    r.paused = m.has(RequestFlag::pause);
    r.confInfo = m.has(RequestFlag::confInfoInUpdates);
    if (!s.life.onWire()) return {};  // goes with the request
    // A reissue asks for an image unless it says otherwise. While one is on its way to the stream a second request
    // would be answered by the first image, so this sharer waits for the next one only if the image under way does not
    // have its fields, or it has had one already.
    const bool noImage = m.has(RequestFlag::noRefresh);
    if (noImage || s.life.wantsImage()) {
        if (!noImage && (r.state == Request::State::open || (s.viewed && !views_.covered(s, r))))
            r.state = Request::State::waiting;
        wire_.reissueIfChanged(s);
        return {};
    }
    r.state = Request::State::pending;
    wire_.askImage(s);
    return {};
}

void Opening::close(Request& r) {
    Stream* s = r.stream;
    Sharers::unlink(r);
    context_.requests.release(r);
    if (s == nullptr || s->life.is(StreamPhase::ended)) return;
    if (s->last == nullptr) recovery_.retire(*s, true);
    else wire_.reissueIfChanged(*s);
}

void Opening::pause(Stream& s, bool paused) noexcept {
    if (s.domain == rdm::kDictionaryDomain) return;
    for (Request* r = s.first(); r != nullptr; r = s.after(*r))
        r->paused = paused;
    s.said.paused = paused && s.life.onWire();  // said once, on the login stream
}

void Opening::pauseAll(bool paused) {
    for (const auto& service : services_)
        for (const StreamList* list : {&service->live, &service->parked, &service->queued})
            for (Stream* s = list->first; s != nullptr; s = s->next)
                pause(*s, paused);
    for (Stream* s = streams_.again().first; s != nullptr; s = s->next)
        pause(*s, paused);
}

}  // namespace emissary::reactor::consumer
