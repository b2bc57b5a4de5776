// eta/json: makes messages from the tokens of their fields, behind a beginning that is known or that a tree has read.
#include "json/DirectMessages.h"

#include "json/JsonToRwf.h"
#include "json/digits.h"

#include <limits>

namespace emissary::eta::json {

namespace {

constexpr std::size_t kKeptMessages = 256 * 1024;  // more are rare: their memory is not kept
constexpr std::size_t kKeptEnds = 4096;            // the same

/// The stream's id; false for what cannot be one, or is not written plainly.
[[nodiscard]] bool plainId(const IdFirst& begins, std::int32_t& out) noexcept {
    std::uint64_t id = 0;
    if (begins.id.empty() || !plainUInt(begins.id, id) || id > std::numeric_limits<std::int32_t>::max()) return false;
    out = static_cast<std::int32_t>(id);
    return true;
}

/// Whether a service stands in words before the fields: what they mean may change with a message before this one.
[[nodiscard]] bool namesService(const Tree& tree, const IdFirst& begins) noexcept {
    constexpr std::string_view kService = R"("Service")";
    const std::string_view text = tree.text();
    for (const std::uint32_t* token = begins.token; token + 2 < tree.flatFields().first; ++token)
        if (text.substr(*token).starts_with(kService) && text[token[2]] == '"') return true;
    return false;
}

}  // namespace

void DirectMessages::clear() {
    any_ = false;
    given_ = 0;
    ends_.clear();
    if (ends_.capacity() > kKeptEnds) std::vector<std::size_t>().swap(ends_);  // "= {}" would keep the memory
    made_.trim(kKeptMessages);
}

DirectMessages::Settings DirectMessages::settings(const DirectSources& s) noexcept {
    const Options& o = s.options;
    return {s.dictionary,          s.services,       o.catchUnknownMembers, o.catchUnknownFields,
            o.carriesServiceNames, o.acceptEnumText, o.defaultServiceId};
}

bool DirectMessages::give(const DirectSources& s, BeWriter& out) noexcept {
    if (ends_.size() > 1 && settings_ != settings(s)) return false;
    const std::size_t place = out.size(), from = given_ == 0 ? 0 : ends_[given_ - 1];
    out.bytes(made_.view().subspan(from, ends_[given_] - from));
    if (!out.ok()) [[unlikely]] {
        out.truncate(place);
        out.clearFailure();
        return false;
    }
    ++given_;
    return true;
}

bool DirectMessages::done(const DirectSources& s, bool good) noexcept {
    any_ = good;
    if (!good) static_cast<void>(s.tree.restored(s.text));
    return good;
}

bool DirectMessages::headAndFields(const DirectSources& s, KnownHead& head, std::int32_t id, BeWriter& out) {
    Failure ignored;
    JsonToRwf reader(s.options, s.dictionary, s.services, s.tree, s.encoding, ignored);
    head.message().streamId = id;
    return codec::encodeMsgHeader(out, head.message()).ok() && reader.fields(s.tree.flatFields().at, out);
}

bool DirectMessages::known(const DirectSources& s, const IdFirst& begins) {
    std::int32_t id = 0;
    if (!plainId(begins, id)) return false;
    KnownHead* const head = heads_.find(begins, s.options.catchUnknownMembers);
    if (head == nullptr || !s.tree.leaveFields(head->brace(begins), head->values(), s.options.limits)) return false;
    BeWriter& out = made_.start();
    const bool good = headAndFields(s, *head, id, out);
    ends_.assign(1, out.size());
    return done(s, good);
}

bool DirectMessages::only(const DirectSources& s, const IdFirst& begins) {
    Failure ignored;
    PeerError none;
    std::uint8_t type = 0;
    JsonToRwf reader(s.options, s.dictionary, s.services, s.tree, s.encoding, ignored);
    BeWriter& out = made_.start();
    const auto object = static_cast<NodeIndex>(s.tree.kind(0) == Kind::array);
    const bool good = reader.message(object, out, type, none) && type < kPing;
    ends_.assign(1, out.size());
    if (good && type == static_cast<std::uint8_t>(codec::MsgClass::Update) && !begins.id.empty()) learn(s, begins, 0);
    return done(s, good);
}

bool DirectMessages::array(const DirectSources& s) {
    BeWriter& out = made_.start();
    ends_.clear();
    bool good = true;
    for (const std::uint32_t* at = s.tree.firstMessage(); at != nullptr && good;) {
        good = element(s, at, out);
        ends_.push_back(out.size());
        if (good) at = s.tree.nextMessage(good);
    }
    good = good && !ends_.empty();
    several_ = good && ends_.size() > 1;
    settings_ = settings(s);
    return done(s, good);
}

bool DirectMessages::element(const DirectSources& s, const std::uint32_t* at, BeWriter& out) {
    const IdFirst begins = s.tree.idFirst(at);
    std::int32_t id = 0;
    if (!plainId(begins, id)) return false;
    if (KnownHead* const head = heads_.find(begins, s.options.catchUnknownMembers); head != nullptr)
        return s.tree.leaveFields(at, head->brace(begins), head->values(), s.options.limits) &&
               headAndFields(s, *head, id, out);
    if (!s.tree.buildHead(at, s.options.limits) || namesService(s.tree, begins)) return false;
    const std::size_t from = out.size();
    Failure ignored;
    PeerError none;
    std::uint8_t type = 0;
    JsonToRwf reader(s.options, s.dictionary, s.services, s.tree, s.encoding, ignored);
    if (!reader.message(0, out, type, none) || type != static_cast<std::uint8_t>(codec::MsgClass::Update)) return false;
    learn(s, begins, from);
    return true;
}

void DirectMessages::learn(const DirectSources& s, const IdFirst& begins, std::size_t from) noexcept {
    codec::Msg msg;
    if (!codec::decodeMsg(made_.view().subspan(from), msg).ok()) return;
    const FlatFields& flat = s.tree.flatFields();
    const std::size_t at = static_cast<std::size_t>(begins.rest.data() - s.tree.text().data()), brace = flat.first[-1];
    // A tree may have decoded what stands there, so the text is taken as it came.
    heads_.learn(s.text.substr(at, brace + 1 - at), msg, s.options.catchUnknownMembers, begins, flat);
}

}  // namespace emissary::eta::json
