#include "provider/DictionaryAnswers.h"

namespace emissary::reactor {

using namespace eta::codec;
using eta::dictionary::Dictionary;

namespace {

constexpr std::byte kDefaultGroup[2]{};

/// Ends the stream.
[[nodiscard]] Msg failed(const Stream& stream, std::string_view text) noexcept {
    Msg m;
    m.cls = MsgClass::Status;
    m.domain = rdm::kDictionaryDomain;
    m.streamId = stream.streamId;
    m.flags = StatusFlag::state;
    m.state = {StreamState::closedRecover, DataState::suspect, state_code::generalError, eta::asBytes(text)};
    return m;
}

[[nodiscard]] std::string textOf(const ServedDictionary& served, const Dictionary::Part& part) {
    const auto& fields = served.dictionary->fields();
    if (served.kind == ServedDictionary::Kind::enums)
        return "Enum Type Dictionary Refresh (starting enum table count " + std::to_string(part.next) + ")";
    return "Field Dictionary Refresh (starting fid " +
           (part.next < fields.size() ? std::to_string(fields[part.next]->fieldId) : "0") + ")";
}

}  // namespace

const ServedDictionary* DictionaryAnswers::named(const Msg& request) const noexcept {
    const ServedDictionary* wanted = nullptr;
    for (const ServedDictionary& d : context_.options.dictionaries)
        if (request.key.has(KeyFlag::name) && eta::asText(request.key.name) == d.name) wanted = &d;
    return wanted;
}

bool DictionaryAnswers::ask(Session& session, std::uint64_t handle, const ServedDictionary& dictionary,
                            const Msg& request) {
    namespace Verbosity = eta::dictionary::Verbosity;
    const std::uint32_t verbosity =
        request.key.has(KeyFlag::filter) ? request.key.filter & Verbosity::verbose : Verbosity::normal;
    const auto [at, fresh] = session.dictionaries.try_emplace(handle);
    DictionaryJob& job = at->second;
    if (!job.first) {  // some of it has left: what goes out now is completed first
        job.nextDictionary = &dictionary;
        job.nextVerbosity = verbosity;
        return false;
    }
    job.dictionary = &dictionary;
    job.verbosity = verbosity;
    return fresh;
}

bool DictionaryAnswers::compose(const DictionaryJob& job, const Stream& stream, Dictionary::Part& part,
                                std::string& text, Msg& m) {
    const Dictionary& dictionary = *job.dictionary->dictionary;
    eta::BeWriter& out = context_.payload.start();
    const Error encoded = job.dictionary->kind == ServedDictionary::Kind::fields
                              ? dictionary.encodeFields(out, job.verbosity, context_.options.fieldFragmentBytes, part)
                              : dictionary.encodeEnums(out, job.verbosity, context_.options.enumFragmentBytes, part);
    if (!encoded.ok()) {
        m = failed(stream, "the dictionary cannot be encoded");
        if (stream.is(Stream::isPrivate)) m.flags |= StatusFlag::privateStream;
        return false;
    }
    text = textOf(*job.dictionary, job.part);
    m.cls = MsgClass::Refresh;
    m.domain = rdm::kDictionaryDomain;
    m.streamId = stream.streamId;
    m.flags = RefreshFlag::msgKey | RefreshFlag::solicited;
    if (job.first) m.flags |= RefreshFlag::clearCache;
    if (part.finished) m.flags |= RefreshFlag::complete;
    if (stream.is(Stream::isPrivate)) m.flags |= RefreshFlag::privateStream;
    m.state = {StreamState::open, DataState::ok, 0, eta::asBytes(text)};
    m.groupId = kDefaultGroup;
    m.containerType = DataType::Series;
    m.payload = context_.payload.view();
    (void)decodeKey(stream.key(), m.key);  // we wrote it
    if (m.key.nameType == 1) m.key.flags &= static_cast<std::uint16_t>(~KeyFlag::nameType);
    return true;
}

DictionaryAnswers::Step DictionaryAnswers::sendPart(Session& session, std::uint64_t handle) {
    const auto at = session.dictionaries.find(handle);
    if (at == session.dictionaries.end()) return Step::done;  // the stream was closed meanwhile
    DictionaryJob& job = at->second;
    Stream& stream = *streams_.find(handle);
    Dictionary::Part part = job.part;
    std::string text;
    Msg m;
    const bool encoded = compose(job, stream, part, text, m);
    const Error e = session.link->send(m);
    if (e.code == Errc::noBuffers) {
        // Waiting helps as long as something of ours is on its way out; a part too large for an empty queue never fits.
        if (session.link->channel()->queuedBytes() != 0) return Step::blocked;
        (void)session.link->send(failed(stream, "a part of the dictionary is larger than the output buffers"));
        streams_.drop(stream.slot);
        return Step::done;
    }
    job.part = part;
    job.first = false;
    if (encoded && !part.finished) return Step::more;
    if (encoded && job.nextDictionary != nullptr) {
        job = {job.nextDictionary, job.nextVerbosity, {}, true, nullptr, 0};
        return Step::again;
    }
    session.dictionaries.erase(at);
    if (!encoded || !stream.is(Stream::streaming)) streams_.drop(stream.slot);
    return Step::done;
}

}  // namespace emissary::reactor
