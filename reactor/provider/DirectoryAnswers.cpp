// Selects services and filters for a request, and encodes the refresh.
#include "provider/DirectoryAnswers.h"

namespace emissary::reactor {

using namespace eta::codec;

namespace {
constexpr std::byte kDefaultGroup[2]{};
constexpr std::string_view kText = "Source Directory Refresh Completed";
}  // namespace

rdm::DirectorySelection DirectoryAnswers::selectionOf(const Stream& stream) noexcept {
    MsgKey key;
    (void)decodeKey(stream.key(), key);  // we wrote it
    rdm::DirectorySelection want;
    if (key.has(KeyFlag::filter)) want.filters = key.filter;
    if (key.has(KeyFlag::serviceId)) want.serviceId = key.serviceId;
    return want;
}

void DirectoryAnswers::answer(Session& session, const Stream& stream) {
    const rdm::DirectorySelection want = selectionOf(stream);
    Msg m;
    m.cls = MsgClass::Refresh;
    m.domain = rdm::kDirectoryDomain;
    m.streamId = stream.streamId;
    m.flags = RefreshFlag::msgKey | RefreshFlag::complete | RefreshFlag::clearCache | RefreshFlag::solicited;
    if (stream.is(Stream::isPrivate)) m.flags |= RefreshFlag::privateStream;
    m.state = {stream.is(Stream::streaming) ? StreamState::open : StreamState::nonStreaming, DataState::ok, 0,
               eta::asBytes(kText)};
    m.groupId = kDefaultGroup;
    m.key.flags = KeyFlag::filter;
    // Only the filters that the services have (rdm.md 3.4).
    m.key.filter = directory_.available(want);
    if (want.serviceId) {
        m.key.flags |= KeyFlag::serviceId;
        m.key.serviceId = *want.serviceId;
    }
    m.containerType = DataType::Map;
    if (const Error e = directory_.encode(context_.payload.start(), want); !e.ok())
        return ends_.endClient(session, "the source directory cannot be encoded", Tell::now);
    m.payload = context_.payload.view();
    outbox_.send(session, m);
}

}  // namespace emissary::reactor
