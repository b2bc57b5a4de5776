// Encodes login answers, item and dictionary requests, and statuses for publishers.
#include "acceptor/PublisherAnswers.h"

#include "eta/codec/encoders.h"
#include "reactor/memory.h"

#include <algorithm>
#include <string>

namespace emissary::reactor::acceptor {

using namespace eta::codec;
using eta::dictionary::Dictionary;

namespace {

constexpr std::byte kDefaultGroup[2]{};
constexpr std::uint8_t kUsageError = 5, kAlreadyOpen = 14;  // rdm.md 1.2

}  // namespace

Error PublisherAnswers::login(session::Sender& to, const Msg& request, const rdm::LoginAttributes& asked) {
    Msg answer;
    answer.cls = MsgClass::Refresh;
    answer.domain = rdm::kLoginDomain;
    answer.streamId = request.streamId;
    answer.flags = RefreshFlag::msgKey | RefreshFlag::solicited | RefreshFlag::complete;
    const std::string text =
        options_.hostName.empty() ? "Login accepted" : "Login accepted by host " + options_.hostName + ".";
    answer.state = {StreamState::open, DataState::ok, 0, eta::asBytes(text)};
    answer.groupId = kDefaultGroup;
    answer.key.flags = KeyFlag::nameType | KeyFlag::attrib;
    answer.key.nameType = request.key.has(KeyFlag::nameType) ? request.key.nameType : rdm::LoginNameType::userName;
    // The token of name type 5 must not come back to its owner's log.
    if (answer.key.nameType != rdm::LoginNameType::authnToken) {
        answer.key.flags |= KeyFlag::name;
        answer.key.name = request.key.name;
    }
    answer.key.attribType = DataType::ElementList;
    if (const Error e = encodeLogin(attributes_.start(), asked); !e.ok()) return e;
    answer.key.attrib = attributes_.view();
    to.send(answer);
    return {};
}

/// Elements in the order of hub.md 2.1, values of 4.4 there.
Error PublisherAnswers::encodeLogin(eta::BeWriter& out, const rdm::LoginAttributes& asked) const noexcept {
    ElementListEncoder list;
    list.begin(out);
    list.addUInt("AllowSuspectData", asked.allowSuspectData.value_or(1));
    if (asked.applicationId) list.addAscii("ApplicationId", *asked.applicationId);
    if (!options_.announceName.empty()) list.addAscii("ApplicationName", options_.announceName);
    else if (asked.applicationName) list.addAscii("ApplicationName", *asked.applicationName);
    if (asked.position) list.addAscii("Position", *asked.position);
    list.addUInt("ProvidePermissionExpressions", 0);
    list.addUInt("ProvidePermissionProfile", 0);
    list.addUInt("SingleOpen", asked.singleOpen.value_or(1));
    list.addUInt("SupportOMMPost", 1);
    list.addUInt("SupportStandby", 0);
    list.addUInt("SupportProviderDictionaryDownload", 0);
    return list.complete();
}

void PublisherAnswers::request(session::Sender& to, const Msg& m) {
    if (m.domain == rdm::kDictionaryDomain) return dictionary(to, m);
    if (m.domain == rdm::kLoginDomain)
        return status(to, m.streamId, m.domain,
                      {StreamState::closed, DataState::suspect, kAlreadyOpen,
                       eta::asBytes("This connection has a login on another stream.")});
    status(to, m.streamId, m.domain,
           {StreamState::closed, DataState::suspect, kUsageError,
            eta::asBytes("Only login and dictionaries can be requested here.")});
}

void PublisherAnswers::dictionary(session::Sender& to, const Msg& m) {
    const auto served = std::find_if(options_.dictionaries.begin(), options_.dictionaries.end(),
                                     [&](const auto& d) { return d.name == eta::asText(m.key.name); });
    if (served == options_.dictionaries.end())
        return status(to, m.streamId, m.domain,
                      {StreamState::closed, DataState::suspect, 1, eta::asBytes("Dictionary not found.")});
    Dictionary::Part at;
    for (bool first = true; !at.finished; first = false) {
        const bool fields = served->kind == ServedDictionary::Kind::fields;
        const std::uint32_t verbosity = m.key.has(KeyFlag::filter) ? m.key.filter : 7;
        const Error e = fields ? served->dictionary->encodeFields(part_.start(), verbosity, 8192, at)
                               : served->dictionary->encodeEnums(part_.start(), verbosity, 12288, at);
        if (!e.ok())
            return status(to, m.streamId, m.domain,
                          {StreamState::closedRecover, DataState::suspect, 28,
                           eta::asBytes("The dictionary cannot be encoded.")});
        Msg answer;
        answer.cls = MsgClass::Refresh;
        answer.domain = rdm::kDictionaryDomain;
        answer.streamId = m.streamId;
        answer.flags = RefreshFlag::msgKey | RefreshFlag::solicited;
        if (first) answer.flags |= RefreshFlag::clearCache;
        if (at.finished) answer.flags |= RefreshFlag::complete;
        // A request without streaming ends with the last part.
        const bool ends = at.finished && !m.has(RequestFlag::streaming);
        answer.state = {ends ? StreamState::nonStreaming : StreamState::open, DataState::ok, 0, {}};
        answer.groupId = kDefaultGroup;
        answer.key = m.key;
        answer.containerType = DataType::Series;
        answer.payload = part_.view();
        to.send(answer);
    }
}

void PublisherAnswers::status(session::Sender& to, std::int32_t streamId, std::uint8_t domain, const State& state) {
    Msg m;
    m.cls = MsgClass::Status;
    m.domain = domain;
    m.streamId = streamId;
    m.flags = StatusFlag::state;
    m.state = state;
    to.send(m);
}

void PublisherAnswers::trim() noexcept {
    trimBuffer(attributes_);
    trimBuffer(part_);
}

/// The answer of a handler that has none of its own: one ClosedRecover status for each stream of the service.
void AcceptorHandler::onServiceGone(std::uint64_t publisher, const PublishedStream& stream) {
    Msg status;
    status.cls = MsgClass::Status;
    status.domain = stream.domain;
    status.streamId = stream.streamId;
    status.flags = StatusFlag::state;
    // ClosedRecover: the items may be asked for again, here or elsewhere.
    status.state = {StreamState::closedRecover, DataState::suspect, 0,
                    eta::asBytes("The publisher has taken the service of this item back.")};
    onItem(publisher, stream, status);
}

}  // namespace emissary::reactor::acceptor
