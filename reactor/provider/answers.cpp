// Answers of the role itself: directory, dictionaries in parts, refusals. They never overrun a slow client's output:
// what does not fit waits in the session's outbox and leaves as the client reads.
#include "provider/ProviderRoleImpl.h"

namespace emissary::reactor {

using namespace eta::codec;
using eta::dictionary::Dictionary;

namespace {

constexpr std::size_t kMaxOutboxBytes = 4u << 20;  // a client that lets so much wait does not read any more
constexpr std::size_t kPauseBytes = 128u << 10;    // queued output above which dictionary parts wait
constexpr int kPartsPerTurn = 16;                  // then other clients have their turn
constexpr Duration kFirstWait = std::chrono::microseconds(200), kLongestWait = std::chrono::milliseconds(20);
constexpr std::byte kDefaultGroup[2]{};
constexpr std::string_view kDirectoryText = "Source Directory Refresh Completed";

}  // namespace

void ProviderRole::Impl::answerDirectory(Session& session, const Stream& stream, bool solicited) {
    MsgKey key;
    (void)decodeKey(stream.key(), key);  // we wrote it
    rdm::DirectorySelection want;
    if (key.has(KeyFlag::filter)) want.filters = key.filter;
    if (key.has(KeyFlag::serviceId)) want.serviceId = key.serviceId;

    Msg m;
    m.cls = MsgClass::Refresh;
    m.domain = rdm::kDirectoryDomain;
    m.streamId = stream.streamId;
    m.flags = RefreshFlag::msgKey | RefreshFlag::complete | RefreshFlag::clearCache;
    if (solicited) m.flags |= RefreshFlag::solicited;
    if (stream.is(Stream::isPrivate)) m.flags |= RefreshFlag::privateStream;
    m.state = {stream.is(Stream::streaming) ? StreamState::open : StreamState::nonStreaming, DataState::ok, 0,
               eta::asBytes(kDirectoryText)};
    m.groupId = kDefaultGroup;
    m.key.flags = KeyFlag::filter;
    m.key.filter = directory.available(want);
    if (want.serviceId) {
        m.key.flags |= KeyFlag::serviceId;
        m.key.serviceId = *want.serviceId;
    }
    m.containerType = DataType::Map;
    eta::BeWriter& out = payloadScratch.start();
    if (const Error e = directory.encode(out, want); !e.ok())
        return endSession(session, "the source directory cannot be encoded", Tell::now);
    m.payload = payloadScratch.view();
    send(session, m);
}

void ProviderRole::Impl::send(Session& session, const Msg& m) {
    if (session.dead) return;
    if (session.outbox.empty()) {
        const Error e = session.link->send(m);
        if (e.code != Errc::noBuffers) return;  // sent, or the connection is going down
    }
    eta::BeWriter& out = messageScratch.start();
    if (const Error e = encodeMsg(out, m); !e.ok()) return;
    const Bytes bytes = messageScratch.view();
    queue(session, {{bytes.begin(), bytes.end()}, 0});
    if (!session.dead && session.outboxTimer == 0) wait(session);
}

/// Whatever waits counts, whole messages and dictionaries alike.
void ProviderRole::Impl::queue(Session& session, OutboxJob job) {
    if (session.outboxBytes + job.cost() > kMaxOutboxBytes) {
        ++counters.overrun;
        return endSession(session, "the client does not read the answers it asks for", Tell::now);
    }
    session.outboxBytes += job.cost();
    session.outbox.push_back(std::move(job));
}

void ProviderRole::Impl::wait(Session& session) {
    session.outboxDelay = std::clamp(session.outboxDelay * 2, kFirstWait, kLongestWait);
    session.outboxTimer = reactor.startTimer(session.outboxDelay, [this, &session] {
        session.outboxTimer = 0;
        pump(session);
    });
}

std::size_t ProviderRole::Impl::outputBound(Session& session) const noexcept {
    const eta::transport::ChannelInfo& info = session.link->info();
    return static_cast<std::size_t>(std::max(info.guaranteedOutputBuffers, info.maxOutputBuffers)) *
           session.link->channel()->maxFragmentSize();
}

std::size_t ProviderRole::Impl::pauseBytes(Session& session) const noexcept {
    return std::min(kPauseBytes, outputBound(session) / 2);
}

void ProviderRole::Impl::pump(Session& session) {
    for (int steps = 0; !session.outbox.empty() && !session.dead;) {
        if (session.link->channel()->queuedBytes() > pauseBytes(session)) session.link->flush();
        if (session.link->channel()->queuedBytes() > pauseBytes(session)) return wait(session);
        switch (step(session, session.outbox.front())) {
        case Step::blocked:
            return wait(session);
        case Step::done:
            session.outboxDelay = {};
            if (!session.outbox.empty()) {
                session.outboxBytes -= session.outbox.front().cost();
                session.outbox.pop_front();
            }
            break;
        case Step::more:
            session.outboxDelay = {};
            if (++steps < kPartsPerTurn) break;
            // Go on in a turn of its own; the timer also keeps later answers behind this one.
            session.outboxTimer = reactor.startTimer({}, [this, &session] {
                session.outboxTimer = 0;
                pump(session);
            });
            return;
        }
    }
}

ProviderRole::Impl::Step ProviderRole::Impl::step(Session& session, OutboxJob& job) {
    if (job.stream != 0) return sendPart(session, job.stream);
    const Error e = session.link->send(Bytes(job.message));
    return e.code == Errc::noBuffers ? Step::blocked : Step::done;
}

ProviderRole::Impl::Step ProviderRole::Impl::sendPart(Session& session, std::uint64_t handle) {
    const auto at = session.dictionaryJobs.find(handle);
    if (at == session.dictionaryJobs.end()) return Step::done;  // the stream was closed meanwhile
    DictionaryJob& job = at->second;
    Stream* stream = streams.find(handle);
    const Dictionary& dictionary = *job.dictionary->dictionary;
    const bool fields = job.dictionary->kind == ServedDictionary::Kind::fields;

    std::string text =
        fields ? "Field Dictionary Refresh (starting fid " : "Enum Type Dictionary Refresh (starting enum table count ";
    if (!fields) text += std::to_string(job.part.next);
    else if (job.part.next < dictionary.fields().size())
        text += std::to_string(dictionary.fields()[job.part.next]->fieldId);
    else text += "0";
    text += ")";

    Dictionary::Part part = job.part;
    eta::BeWriter& out = payloadScratch.start();
    const Error encoded = fields ? dictionary.encodeFields(out, job.verbosity, options.fieldFragmentBytes, part)
                                 : dictionary.encodeEnums(out, job.verbosity, options.enumFragmentBytes, part);
    Msg m;
    m.domain = rdm::kDictionaryDomain;
    m.streamId = stream->streamId;
    if (!encoded.ok()) {
        m.cls = MsgClass::Status;
        m.flags = StatusFlag::state;
        if (stream->is(Stream::isPrivate)) m.flags |= StatusFlag::privateStream;
        m.state = {StreamState::closedRecover, DataState::suspect, 28,
                   eta::asBytes("the dictionary cannot be encoded")};
    } else {
        m.cls = MsgClass::Refresh;
        m.flags = RefreshFlag::msgKey | RefreshFlag::solicited;
        if (job.first) m.flags |= RefreshFlag::clearCache;
        if (part.finished) m.flags |= RefreshFlag::complete;
        if (stream->is(Stream::isPrivate)) m.flags |= RefreshFlag::privateStream;
        m.state = {StreamState::open, DataState::ok, 0, eta::asBytes(text)};
        m.groupId = kDefaultGroup;
        m.containerType = DataType::Series;
        m.payload = payloadScratch.view();
        (void)decodeKey(stream->key(), m.key);  // we wrote it
        if (m.key.nameType == 1) m.key.flags &= static_cast<std::uint16_t>(~KeyFlag::nameType);
    }
    const Error e = session.link->send(m);
    if (e.code == Errc::noBuffers) {
        // Waiting helps as long as something of ours is on its way out; a part too large for an empty queue never fits.
        if (session.link->channel()->queuedBytes() != 0) return Step::blocked;
        m = {};
        m.cls = MsgClass::Status;
        m.domain = rdm::kDictionaryDomain;
        m.streamId = stream->streamId;
        m.flags = StatusFlag::state;
        m.state = {StreamState::closedRecover, DataState::suspect, 28,
                   eta::asBytes("a part of the dictionary is larger than the output buffers")};
        (void)session.link->send(m);
        dropStream(streams.slotOf(*stream));
        return Step::done;
    }
    job.part = part;
    job.first = false;
    if (encoded.ok() && !part.finished) return Step::more;
    if (encoded.ok() && job.nextDictionary != nullptr) {
        job = {job.nextDictionary, job.nextVerbosity, {}, true, nullptr, 0};
        queue(session, {{}, handle});  // behind what others of its streams have waiting
        return Step::done;
    }
    session.dictionaryJobs.erase(at);
    if (!encoded.ok() || !stream->is(Stream::streaming)) dropStream(streams.slotOf(*stream));
    return Step::done;
}

}  // namespace emissary::reactor
