// Sends one message to every open login, directory or dictionary stream that it fits.
#include "provider/FanOut.h"

#include "provider/DirectoryAnswers.h"

namespace emissary::reactor {

using namespace eta::codec;

namespace {

[[nodiscard]] SubmitResult fault(SubmitFault f, Error e = {}) noexcept {
    return {f, e, 0, 0};
}

/// Of a message that goes to many, on the way to one stream. `flags`: those that the application gave.
[[nodiscard]] std::uint16_t flagsFor(const Stream& s, const Msg& m, std::uint16_t flags) noexcept {
    // The application's flag says for whom it was meant; here it goes to everybody.
    if (m.cls == MsgClass::Refresh) flags &= static_cast<std::uint16_t>(~RefreshFlag::solicited);
    if (s.is(Stream::isPrivate) && m.cls != MsgClass::Update)
        flags |= m.cls == MsgClass::Refresh ? RefreshFlag::privateStream : StatusFlag::privateStream;
    return flags;
}

[[nodiscard]] bool namesSame(const Stream& s, const Msg& m) noexcept {
    MsgKey key;
    (void)decodeKey(s.key(), key);  // we wrote it
    return eta::asText(key.name) == eta::asText(m.key.name);
}

}  // namespace

SubmitResult FanOut::submitToAll(const Msg& m) {
    const bool refreshOrStatus = m.cls == MsgClass::Refresh || m.cls == MsgClass::Status;
    if (m.cls != MsgClass::Update && !refreshOrStatus) return fault(SubmitFault::unknownHandle);
    switch (m.domain) {
    case rdm::kLoginDomain:
        return refreshOrStatus ? toAll(m) : fault(SubmitFault::notAllowed);
    case rdm::kDictionaryDomain:
        if (!refreshOrStatus) return fault(SubmitFault::notAllowed);
        if (m.cls == MsgClass::Refresh && m.containerType != DataType::Series) return fault(SubmitFault::badDictionary);
        return toAll(m);
    case rdm::kDirectoryDomain:
        if (m.cls == MsgClass::Status) return toAll(m);
        // A directory message is applied first, since clients get what the directory then has.
        if (const SubmitResult checked = ProvidedServices::check(m); !checked.ok()) return checked;
        services_.apply(m, nullptr);
        return directoryToAll(m);
    default:
        return fault(SubmitFault::notAllowed);
    }
}

void FanOut::deliver(std::uint32_t slot, const Msg& copy, SubmitResult& result) {
    const Error e = streams_[slot].session->link->send(copy);
    if (e.ok()) {
        ++result.sent;
        return submits_.sent(slot, copy);
    }
    ++result.failed;
    if (!result.ok()) return;
    result.fault = outcomeOf(e).fault;
    result.error = e;
}

/// A dictionary message with a name goes to requests of that name only.
SubmitResult FanOut::toAll(const Msg& m) {
    SubmitResult result;
    Msg copy = m;
    const auto deliverTo = [&](std::uint32_t slot) {
        const Stream& s = streams_[slot];
        copy.streamId = s.streamId;
        copy.flags = flagsFor(s, m, m.flags);
        deliver(slot, copy, result);
    };
    const bool named = m.domain == rdm::kDictionaryDomain && m.hasKey() && m.key.has(KeyFlag::name);
    clients_.forEachUp([&](Session& session) {
        if (m.domain == rdm::kLoginDomain) {
            if (session.streams.login != StreamTable::kNone) deliverTo(session.streams.login);
            return;
        }
        const std::vector<std::uint32_t> slots = session.streams.admin;  // a final state takes streams off the list
        for (const std::uint32_t slot : slots)
            if (streams_[slot].domain == m.domain && (!named || namesSame(streams_[slot], m))) deliverTo(slot);
    });
    return result;
}

/// Each client gets what it asked for, and nothing when an update has none of that.
SubmitResult FanOut::directoryToAll(const Msg& m) {
    SubmitResult result;
    Msg copy = m;
    Error broken;
    clients_.forEachUp([&](Session& session) {
        const std::vector<std::uint32_t> slots = session.streams.admin;
        for (const std::uint32_t slot : slots) {
            const Stream& s = streams_[slot];
            if (s.domain != rdm::kDirectoryDomain || !broken.ok()) continue;
            const rdm::DirectorySelection want = DirectoryAnswers::selectionOf(s);
            std::uint32_t present = 0, entries = 0;
            broken = rdm::Directory::copySelected(context_.payload.start(), m.payload, want, present, entries);
            // An update without any entry for this client is not sent at all.
            if (!broken.ok() || (m.cls == MsgClass::Update && entries == 0)) continue;
            copy.payload = context_.payload.view();
            copy.streamId = s.streamId;
            copy.flags = flagsFor(s, m, m.flags);
            if (copy.cls == MsgClass::Refresh) copy.flags |= RefreshFlag::msgKey;
            if (copy.hasKey()) {
                // The key of the message names what the answer holds, not what the application wrote.
                if (!m.hasKey()) copy.key = {};
                copy.key.flags |= KeyFlag::filter;
                copy.key.filter = present;
                if (want.serviceId) {
                    copy.key.flags |= KeyFlag::serviceId;
                    copy.key.serviceId = *want.serviceId;
                }
            }
            deliver(slot, copy, result);
        }
    });
    return broken.ok() ? result : fault(SubmitFault::badDirectory, broken);
}

}  // namespace emissary::reactor
