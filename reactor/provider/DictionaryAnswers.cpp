// Finds the dictionary that a request names, and encodes its parts as the client takes them.
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

[[nodiscard]] std::string textOf(const DictionaryJob::Answer& answer, const Dictionary::Part& part) {
    const auto& fields = answer.dictionary->fields();
    if (answer.kind == ServedDictionary::Kind::enums)
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

/// True: the stream had no job, and gets one. Otherwise the answer follows the one that is going out.
bool DictionaryAnswers::ask(Session& session, std::uint64_t handle, const ServedDictionary& dictionary,
                            const MsgKey& key, bool solicited) {
    namespace Verbosity = eta::dictionary::Verbosity;
    // No filter means verbosity Normal (rdm.md 4.1).
    const std::uint32_t verbosity = key.has(KeyFlag::filter) ? key.filter & Verbosity::verbose : Verbosity::normal;
    const auto [at, fresh] = session.dictionaries.try_emplace(handle);
    DictionaryJob& job = at->second;
    // An answer under way is completed before the next one begins.
    DictionaryJob::Answer& answer = job.first ? job.answer : job.next;  // what is going out is completed first
    const bool asked = answer.dictionary != nullptr && answer.solicited;
    answer = {dictionary.kind, dictionary.dictionary, verbosity, solicited || asked};
    return fresh;
}

void DictionaryAnswers::serve(ServedDictionary dictionary) {
    for (ServedDictionary& d : context_.options.dictionaries)
        if (d.name == dictionary.name) return void(d = std::move(dictionary));
    context_.options.dictionaries.push_back(std::move(dictionary));
}

bool DictionaryAnswers::compose(const DictionaryJob& job, const Stream& stream, Dictionary::Part& part,
                                std::string& text, Msg& m) {
    const DictionaryJob::Answer& a = job.answer;
    eta::BeWriter& out = context_.payload.start();
    const Error encoded = a.kind == ServedDictionary::Kind::fields
                              ? a.dictionary->encodeFields(out, a.verbosity, context_.options.fieldFragmentBytes, part)
                              : a.dictionary->encodeEnums(out, a.verbosity, context_.options.enumFragmentBytes, part);
    if (!encoded.ok()) {
        m = failed(stream, "the dictionary cannot be encoded");
        if (stream.is(Stream::isPrivate)) m.flags |= StatusFlag::privateStream;
        return false;
    }
    text = textOf(a, job.part);
    m.cls = MsgClass::Refresh;
    m.domain = rdm::kDictionaryDomain;
    m.streamId = stream.streamId;
    m.flags = RefreshFlag::msgKey;
    if (a.solicited) m.flags |= RefreshFlag::solicited;
    if (job.first) m.flags |= RefreshFlag::clearCache;
    if (part.finished) m.flags |= RefreshFlag::complete;
    if (stream.is(Stream::isPrivate)) m.flags |= RefreshFlag::privateStream;
    m.state = {StreamState::open, DataState::ok, 0, eta::asBytes(text)};
    m.groupId = kDefaultGroup;
    m.containerType = DataType::Series;
    m.payload = context_.payload.view();
    (void)decodeKey(stream.key(), m.key);  // we wrote it
    // Name type 1 is the default and is left out.
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
    if (encoded && job.next.dictionary != nullptr) {
        job = {std::move(job.next), {}, true, {}};
        return Step::again;
    }
    session.dictionaries.erase(at);
    // A snapshot of a dictionary ends with its last part.
    if (!encoded || !stream.is(Stream::streaming)) streams_.drop(stream.slot);
    return Step::done;
}

}  // namespace emissary::reactor
