// Adds and removes streams, keeps the indices by item and by group, and tells the owner which streams ended.
#include "provider/OpenStreams.h"

#include <algorithm>
#include <functional>

namespace emissary::reactor {

using namespace eta::codec;

namespace {

constexpr std::size_t kHeapBytes = 48;  // about what a stream has there: a long key, what the handler keeps for it

}  // namespace

StreamEvent OpenStreams::eventOf(std::uint32_t slot) const noexcept {
    const Session& session = *table_[slot].session;
    return {table_.handleOf(slot), session.handle, session.context};
}

// An item without a name type has type 1, so that two spellings of a key are one.
ItemKey OpenStreams::keyOf(const Msg& request) {
    MsgKey key = request.key;
    if (key.has(KeyFlag::name) && !key.has(KeyFlag::nameType)) {
        key.flags |= KeyFlag::nameType;
        key.nameType = 1;
    }
    eta::BeWriter& out = keyScratch_.start();
    encodeKeyContent(out, key);
    ItemKey result;
    result.domain = request.domain;
    result.isPrivate = request.has(RequestFlag::privateStream);
    result.content = keyScratch_.view();
    const std::size_t h = std::hash<std::string_view>{}(eta::asText(result.content)) * 31 + result.domain * 2u +
                          (result.isPrivate ? 1u : 0u);
    result.hash = static_cast<std::uint32_t>(h ^ h >> 32);
    return result;
}

std::uint32_t OpenStreams::sameItem(const Session& session, const ItemKey& key) noexcept {
    const auto at = session.streams.byKey.find(key);
    return at == session.streams.byKey.end() ? StreamTable::kNone : *at;
}

std::uint32_t OpenStreams::open(Session& session, const Msg& request, const ItemKey& key) {
    const std::uint32_t slot = table_.add(session);
    Stream& s = table_[slot];
    s.streamId = request.streamId;
    s.domain = request.domain;
    s.keyHash = key.hash;
    s.content.assign(key.content);
    if (key.isPrivate) s.flags |= Stream::isPrivate;
    if (request.has(RequestFlag::streaming) || request.has(RequestFlag::pause)) s.flags |= Stream::streaming;
    if (s.isItem() && request.has(RequestFlag::msgKeyInUpdates)) s.flags |= Stream::keyInUpdates;
    if (request.key.has(KeyFlag::serviceId)) {
        s.flags |= Stream::hasService;
        s.serviceId = request.key.serviceId;
    }
    ClientStreams& of = session.streams;
    of.keyBytes += s.content.size();
    of.byId.emplace(request.streamId, slot);
    if (s.isItem()) {
        // Two streams of one key may be open; only the first is found by it.
        if (!request.has(RequestFlag::batch) && of.byKey.insert(slot).second) s.flags |= Stream::indexedByKey;
    } else if (s.domain == rdm::kLoginDomain) {
        of.login = slot;
    } else {
        of.admin.push_back(slot);
    }
    ++context_.counters.requests;
    return slot;
}

void OpenStreams::changeKey(std::uint32_t slot, const ItemKey& key) {
    Stream& s = table_[slot];
    const std::size_t before = s.content.size();
    s.content.assign(key.content);
    s.session->streams.keyBytes += s.content.size() - before;
}

void OpenStreams::drop(std::uint32_t slot) noexcept {
    Stream& s = table_[slot];
    Session& session = *s.session;
    ClientStreams& of = session.streams;
    if (s.is(Stream::indexedByKey)) of.byKey.erase(slot);
    of.byId.erase(s.streamId);
    if (of.login == slot) of.login = StreamTable::kNone;
    else if (!s.isItem()) std::erase(of.admin, slot);
    of.unackedPosts -= posts.forget(handleOf(slot));
    of.keyBytes -= s.content.size();
    if (!session.dictionaries.empty()) session.dictionaries.erase(handleOf(slot));
    groups.take(s.group);
    table_.remove(slot);
    context_.reactor.noteFreed(kHeapBytes);
}

Stream OpenStreams::take(std::uint32_t slot) noexcept {
    Stream was = std::move(table_[slot]);
    was.session->streams.keyBytes -= was.content.size();  // drop() finds it without its key
    drop(slot);
    return was;
}

void OpenStreams::finish(std::uint32_t slot) {
    const StreamEvent event = eventOf(slot);
    const Stream was = take(slot);
    tellClosed(context_.handler, event, was);
}

// Every index goes first, so that the handler may open new streams while the old ones end.
OpenStreams::Forgotten OpenStreams::forgetAll(Session& session) {
    Forgotten all;
    ClientStreams& of = session.streams;
    all.slots.reserve(of.byId.size());
    if (of.login != StreamTable::kNone) {
        const StreamEvent event = eventOf(of.login);
        all.login = EndedLogin{std::move(table_[of.login]), event};
    }
    for (const auto& [id, slot] : of.byId)
        all.slots.push_back(slot);
    of.byKey.clear();
    of.admin.clear();
    of.byId.clear();
    of.login = StreamTable::kNone;
    of.keyBytes = of.unackedPosts = 0;
    return all;
}

void OpenStreams::removeAll(const Forgotten& forgotten) noexcept {
    for (const std::uint32_t slot : forgotten.slots) {
        posts.forget(handleOf(slot));
        groups.take(table_[slot].group);
        table_.remove(slot);
    }
    context_.reactor.noteFreed(forgotten.slots.size() * kHeapBytes);
}

void OpenStreams::trim() noexcept {
    table_.trim();
    posts.trim();
    trimBuffer(keyScratch_);
}

MsgKey itemKeyOf(const Stream& stream) noexcept {
    MsgKey key;
    if (!decodeKey(stream.key(), key).ok()) return {};
    key.flags &= KeyFlag::serviceId | KeyFlag::name | KeyFlag::nameType;
    return key;
}

void tellClosed(ProviderHandler& handler, const StreamEvent& event, const Stream& was) {
    // A close of the application's own has no message of a client, so one is made.
    Msg m;
    m.cls = MsgClass::Request;
    m.domain = was.domain;
    m.streamId = was.streamId;
    m.flags = RequestFlag::noRefresh;
    if (was.is(Stream::isPrivate)) m.flags |= RequestFlag::privateStream;
    if (const Error e = decodeKey(was.key(), m.key); !e.ok()) m.key = {};
    handler.onClose(event, m);
}

}  // namespace emissary::reactor
