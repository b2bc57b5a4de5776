// Answers requests for dictionaries with refreshes that are encoded from memory, a part in each turn.
#include "consumer/LocalDictionary.h"

#include "reactor/session/session_types.h"
namespace emissary::reactor::consumer {

using namespace eta::codec;

Handle LocalDictionary::add(const RequestView& request, const Subscriber& subscriber, Refusal& refusal) {
    const Msg& m = request.msg;
    if (!m.key.has(KeyFlag::name) || m.key.name.empty() || (m.key.has(KeyFlag::nameType) && m.key.nameType > 1)) {
        refusal = {Refusal::Kind::invalidArgument, "A dictionary request needs a name, and name type 0 or 1."};
        return 0;
    }
    Request& r = requests_.add(Request::Kind::dictionary, subscriber);
    r.appStreamId = requests_.nextAppStreamId();
    Asked asked{r.handle(),
                std::string(eta::asText(m.key.name)),
                std::string(request.serviceName),
                m.key.has(KeyFlag::filter) ? m.key.filter : eta::dictionary::Verbosity::normal,
                m.key.has(KeyFlag::serviceId) ? m.key.serviceId : -1,
                m.has(RequestFlag::streaming)};
    answerLater(open_[r.handle()] = std::move(asked));
    return r.handle();
}

Refusal LocalDictionary::reissue(const Request& r, const RequestView& request) {
    using K = Refusal::Kind;
    const Msg& m = request.msg;
    const auto at = open_.find(r.handle());
    if (at == open_.end()) return {K::invalidHandle, "unknown handle"};
    Asked& asked = at->second;
    // MarketPrice is the default of a message and keeps the domain (session.md 4.3).
    if (!session::keepsDomain(m, eta::codec::kDictionaryDomain))
        return {K::invalidData, "A reissue must not change the domain."};
    if (m.has(RequestFlag::batch)) return {K::invalidData, "A reissue must not ask for a batch."};
    if (!asked.streaming) return {K::invalidData, "A snapshot request cannot be reissued."};
    if (!m.has(RequestFlag::streaming) && !m.has(RequestFlag::pause))
        return {K::invalidData, "A reissue must not turn a stream into a snapshot."};
    if (m.key.has(KeyFlag::name) && eta::asText(m.key.name) != asked.name)
        return {K::invalidData, "A reissue must not change the dictionary's name."};
    if ((request.serviceName.data() != nullptr && request.serviceName != asked.serviceName) ||
        (m.key.has(KeyFlag::serviceId) && m.key.serviceId != asked.serviceId))
        return {K::invalidData, "A reissue must not change the service."};
    if (m.key.has(KeyFlag::filter)) asked.filter = m.key.filter;
    if (!m.has(RequestFlag::noRefresh)) answerLater(asked);
    return {};
}

void LocalDictionary::remove(Request& r) {
    open_.erase(r.handle());
    requests_.release(r);
}

/// `asked` as it is now.
void LocalDictionary::answerLater(const Asked& asked) {
    calls_.post([this, asked] { answer(asked); });
}

void LocalDictionary::answer(const Asked& asked) {
    Request* r = requests_.find(asked.handle);
    if (r == nullptr) return;
    const Recipient to = RequestTable::recipient(*r);
    const std::int32_t streamId = r->appStreamId;
    const std::string_view service =
        asked.serviceName.empty() ? std::string_view{} : std::string_view{asked.serviceName};
    Msg m;
    m.domain = eta::codec::kDictionaryDomain;
    m.streamId = streamId;
    m.key.flags = KeyFlag::name | KeyFlag::filter;
    m.key.name = eta::asBytes(asked.name);
    m.key.filter = asked.filter;
    if (asked.serviceId >= 0) {
        m.key.flags |= KeyFlag::serviceId;
        m.key.serviceId = static_cast<std::uint16_t>(asked.serviceId);
    }
    const eta::dictionary::Dictionary& dictionary = *options_.localDictionary;
    const bool fields = asked.name == options_.fieldDictionary.itemName;
    const auto refuse = [&](std::string_view text) {
        m.cls = MsgClass::Status;
        m.flags = StatusFlag::state | StatusFlag::msgKey;
        m.state = {StreamState::closed, DataState::suspect, 1, eta::asBytes(text)};
        m.containerType = DataType::NoData;
        m.payload = {};
        remove(*r);
        sink_.onMessage(m, to, service);
    };
    // The only names it can have are those of the two files.
    if (!fields && asked.name != options_.enumDictionary.itemName)
        return refuse("There is no dictionary of that name.");
    // Parts of 8 and 12 KiB, as a provider sends them.
    GrowingBuffer buffer(16384);
    eta::dictionary::Dictionary::Part part;
    for (bool first = true; !part.finished; first = false) {
        const Error e = fields ? dictionary.encodeFields(buffer.start(), asked.filter, 8192, part)
                               : dictionary.encodeEnums(buffer.start(), asked.filter, 12288, part);
        r = requests_.find(asked.handle);  // a callback may have given it up
        if (r == nullptr) return;
        // One that was read without its enumerated types for example.
        if (!e.ok()) return refuse("The local dictionary has no such part, or one that does not fit a message.");
        m.cls = MsgClass::Refresh;
        m.streamId = streamId;
        m.flags = RefreshFlag::msgKey;
        // Only the first answer is solicited, all its parts included.
        if (!r->refreshed) m.flags |= RefreshFlag::solicited;
        if (first) m.flags |= RefreshFlag::clearCache;
        if (part.finished) m.flags |= RefreshFlag::complete;
        r->refreshed = r->refreshed || part.finished;
        const bool ends = part.finished && !asked.streaming;
        m.state = {ends ? StreamState::nonStreaming : StreamState::open, DataState::ok, 0, {}};
        m.containerType = DataType::Series;
        m.payload = buffer.view();
        if (ends) remove(*r);
        sink_.onMessage(m, to, service);
    }
}

}  // namespace emissary::reactor::consumer
