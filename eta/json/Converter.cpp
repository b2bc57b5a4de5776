// Runs a conversion in either direction, and puts failures into words that are safe to log.
#include "eta/json/Converter.h"

#include "json/DirectMessages.h"
#include "json/JsonToRwf.h"
#include "json/Path.h"
#include "json/RwfToJson.h"
#include "json/Tree.h"
#include "json/syntax.h"

#include <algorithm>
#include <array>
#include <optional>

namespace emissary::eta::json {

namespace {

// How every object begins (MessageToJson).
constexpr std::string_view kIdMember = R"({"ID":)";
constexpr std::size_t kLongestToken = 64, kLongestText = 1024;

/// Whether the text may carry what must not be repeated to others (json.md 10).
[[nodiscard]] bool mentionsSecrets(std::string_view text) noexcept {
    constexpr std::array<std::string_view, 4> kSecrets{"Password", "Authentication", "\"Login\"", "Token"};
    return std::any_of(kSecrets.begin(), kSecrets.end(),
                       [text](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// What a JSON client is told of its text, in the protocol's words.
[[nodiscard]] std::string_view sentence(ErrorClass c) noexcept {
    switch (c) {
    case ErrorClass::ParseError:
        return "JSON parser error.";
    case ErrorClass::InvalidTokenType:
        return "JSON value of the wrong type.";
    case ErrorClass::UnexpectedValue:
        return "JSON unexpected value.";
    case ErrorClass::MissingKey:
        return "JSON required member is missing.";
    case ErrorClass::UnexpectedKey:
        return "JSON unexpected member.";
    case ErrorClass::UnexpectedField:
        return "JSON unexpected field name.";
    case ErrorClass::UnsupportedMessageType:
        return "JSON message type is not supported.";
    case ErrorClass::UnsupportedDataType:
        return "JSON data type is not supported.";
    case ErrorClass::InvalidPrimitiveType:
        return "JSON primitive type expected.";
    case ErrorClass::InvalidContainerType:
        return "JSON container type expected.";
    case ErrorClass::TypeMismatch:
        return "JSON array entries of different types.";
    case ErrorClass::EncodeError:
        return "JSON value cannot be encoded.";
    case ErrorClass::DictionaryNotInitialized:
        return "No field dictionary is loaded.";
    }
    return "JSON conversion failed.";
}

[[nodiscard]] std::string inWords(const TextLimit& limit) {
    std::string text = " (at most " + std::to_string(limit.most);
    if (!limit.name.empty()) text.append(": ").append(limit.name);
    return text + ")";
}

}  // namespace

const char* name(ErrorClass c) noexcept {
    switch (c) {
    case ErrorClass::ParseError:
        return "ParseError";
    case ErrorClass::InvalidTokenType:
        return "InvalidTokenType";
    case ErrorClass::UnexpectedValue:
        return "UnexpectedValue";
    case ErrorClass::MissingKey:
        return "MissingKey";
    case ErrorClass::UnexpectedKey:
        return "UnexpectedKey";
    case ErrorClass::UnexpectedField:
        return "UnexpectedField";
    case ErrorClass::UnsupportedMessageType:
        return "UnsupportedMessageType";
    case ErrorClass::UnsupportedDataType:
        return "UnsupportedDataType";
    case ErrorClass::InvalidPrimitiveType:
        return "InvalidPrimitiveType";
    case ErrorClass::InvalidContainerType:
        return "InvalidContainerType";
    case ErrorClass::TypeMismatch:
        return "TypeMismatch";
    case ErrorClass::EncodeError:
        return "EncodeError";
    case ErrorClass::DictionaryNotInitialized:
        return "DictionaryNotInitialized";
    }
    return "Unknown";
}

bool isUsualUpdate(const codec::Msg& m) noexcept {
    namespace F = codec::UpdateFlag;
    namespace K = codec::KeyFlag;
    constexpr std::uint16_t kMarks = F::doNotCache | F::doNotConflate | F::doNotRipple | F::discardable;
    constexpr std::size_t kMostOfName = 255;
    if (m.cls != codec::MsgClass::Update || (m.flags & ~(kMarks | F::msgKey)) != 0 ||
        m.containerType != codec::DataType::FieldList)
        return false;
    return !m.has(F::msgKey) || (m.key.flags == (K::serviceId | K::name | K::nameType) && !m.key.name.empty() &&
                                 m.key.name.size() <= kMostOfName);
}

IdPlace idPlace(std::string_view object) noexcept {
    if (!object.starts_with(kIdMember)) return {};
    const std::size_t end = object.find_first_not_of("-0123456789", kIdMember.size());
    if (end == std::string_view::npos || end == kIdMember.size()) return {};
    return {kIdMember.size(), end - kIdMember.size()};
}

struct Converter::Impl {
    explicit Impl(const Options& o) : options(o) {}

    Options options;
    const dictionary::Dictionary* dictionary = nullptr;
    const ServiceNames* services = nullptr;
    Tree tree;
    EncodeScratch encoding;
    TextScratch writing;
    std::string_view text;        // what start() was given
    std::optional<bool> secrets;  // whether it may carry some; not looked for yet
    NodeIndex next = 0, end = 0;
    NodeIndex current = 0;     // the message of the last next()
    std::uint32_t passed = 0;  // messages before it
    std::uint32_t lead = 0;    // octets that stand before the text in the tree
    bool parsed = false;
    std::uint32_t pause = 0, lastPause = 0;  // texts of which the tree is made at once; the last number
    DirectMessages direct;
    Failure failure;
    PeerError peerError;
    TextLimits begunWith;        // the text
    std::uint64_t directly = 0;  // messages

    template <class Message>
    [[nodiscard]] Error write(const Message& message, BeWriter& out) noexcept {
        const std::size_t mark = out.size();
        RwfToJson writer(options, dictionary, services, writing, out);
        const Error e = writer.message(message);
        if (!e.ok()) {
            out.truncate(mark);
            out.clearFailure();
        }
        return e;
    }

    /// To what failed; empty when the text is not JSON.
    [[nodiscard]] Path path() const noexcept {
        if (!parsed) return {};
        Path path(tree, current, passed, failure.offset + lead);
        if (failure.cls == ErrorClass::MissingKey) path.member(failure.member);
        return path;
    }

    /// Looked for at the first failure of a text: a text of a hundred thousand bad messages is looked through once.
    [[nodiscard]] bool confidential() noexcept {
        if (!secrets) secrets = mentionsSecrets(text);
        return *secrets;
    }

    void begin(std::string_view t) noexcept {
        text = t;
        begunWith = options.limits;
        secrets.reset();
        parsed = false;
        direct.clear();
        lead = 0;
        tree.trim();
    }

    /// The tree of a text of which the tokens are known.
    [[nodiscard]] bool build() noexcept {
        parsed = tree.build(options.limits);
        if (!parsed) return notJson(), false;
        return root(), true;
    }
    void root() noexcept {
        const bool array = tree.kind(0) == Kind::array;
        next = array ? Tree::first(0) : NodeIndex{0};
        end = tree.end(0);
        current = 0;
        passed = 0;
    }
    /// The tree goes on with the messages that next() has not given.
    [[nodiscard]] bool backToTree() noexcept {
        const std::uint32_t given = direct.given();
        direct.clear();
        // What start() has taken is not refused by limits that came later.
        parsed = tree.restored(text).build(begunWith);
        if (!parsed) return notJson(), false;
        root();
        for (; passed < given; ++passed)
            next = tree.nextItem(next);
        return true;
    }
    [[nodiscard]] DirectSources sources() noexcept { return {options, dictionary, services, tree, encoding, text}; }

    void notJson(TextPart part = TextPart::whole) noexcept {
        const SyntaxFault fault = findSyntaxFault(text, begunWith, part);
        failure = {};
        failure.cls = ErrorClass::ParseError;
        failure.offset = fault.offset;
        failure.reason = fault.reason;
        failure.limit = fault.limit;
        failure.confidential = confidential();
        next = end = current = 0;
    }
};

Converter::Converter(const Options& options) : impl_(std::make_unique<Impl>(options)) {}
Converter::~Converter() = default;
Converter::Converter(Converter&&) noexcept = default;
Converter& Converter::operator=(Converter&&) noexcept = default;

Options& Converter::options() noexcept {
    return impl_->options;
}
void Converter::setDictionary(const dictionary::Dictionary* dictionary) noexcept {
    impl_->dictionary = dictionary;
}
void Converter::setServices(const ServiceNames* services) noexcept {
    impl_->services = services;
}
const Failure& Converter::failure() const noexcept {
    return impl_->failure;
}
std::uint64_t Converter::directly() const noexcept {
    return impl_->directly;
}
const PeerError& Converter::peerError() const noexcept {
    return impl_->peerError;
}

Error Converter::toJson(Bytes message, BeWriter& out) noexcept {
    return impl_->write(message, out);
}
Error Converter::toJson(const codec::Msg& message, BeWriter& out) noexcept {
    return impl_->write(message, out);
}

bool Converter::start(std::string_view text) noexcept {
    Impl& s = *impl_;
    s.begin(text);
    if (!s.tree.scan(text)) return s.notJson(), false;
    // Where texts are of another kind, each try costs something, and seldom gives anything.
    if (s.pause != 0) return --s.pause, s.build();
    const DirectSources sources = s.sources();
    const bool several = s.direct.several();
    if (several && s.direct.array(sources)) return s.lastPause = 0, true;
    const IdFirst begins = s.tree.idFirst();
    if (s.direct.known(sources, begins)) return s.lastPause = 0, true;
    if (s.tree.buildHead(s.options.limits)) {
        if (s.tree.flatFields().at == 0) return s.parsed = true, s.root(), true;
        if (s.direct.only(sources, begins)) return s.lastPause = 0, true;
    }
    if (!several && s.direct.array(sources)) return s.lastPause = 0, true;
    constexpr std::uint32_t kLongestPause = 15;
    s.pause = s.lastPause = std::min(2 * s.lastPause + 1, kLongestPause);
    return s.build();
}

bool Converter::startElement(std::string_view element, std::uint32_t index) noexcept {
    Impl& s = *impl_;
    s.begin(element);
    s.parsed = s.tree.parseElement(element, s.options.limits);
    if (!s.parsed) return s.notJson(TextPart::element), false;
    s.lead = 1;
    s.next = Tree::first(0);
    s.end = s.tree.end(0);
    s.current = 0;
    s.passed = index;
    return true;
}

void Converter::refuse(std::string_view text) noexcept {
    impl_->begin(text);
    impl_->notJson();
}

Inbound Converter::next(BeWriter& out) noexcept {
    Impl& s = *impl_;
    if (s.direct.any()) {
        if (s.direct.ended()) return s.direct.clear(), Inbound::end;
        s.next = s.end = s.current = 0;
        s.failure = {};
        if (s.direct.give(s.sources(), out)) [[likely]]
            return ++s.directly, Inbound::message;
        // It has no room, or means something else by now: the tree says where in the text it stands.
        if (!s.backToTree()) return Inbound::failure;
    }
    if (s.next == s.end) return Inbound::end;
    const NodeIndex object = s.next;
    if (s.current != 0) ++s.passed;
    s.current = object;
    s.next = s.tree.nextItem(object);
    s.failure = {};
    const std::size_t mark = out.size();
    std::uint8_t type = 0;
    JsonToRwf reader(s.options, s.dictionary, s.services, s.tree, s.encoding, s.failure);
    if (!reader.message(object, out, type, s.peerError)) {
        out.truncate(mark);
        out.clearFailure();
        s.failure.confidential = s.failure.confidential || s.confidential();
        s.failure.offset -= std::min(s.failure.offset, s.lead);
        return Inbound::failure;
    }
    switch (type) {
    case kPing:
        return Inbound::ping;
    case kPong:
        return Inbound::pong;
    case kError:
        return Inbound::error;
    default:
        return Inbound::message;
    }
}

void Converter::writeError(BeWriter& out) const noexcept {
    const Failure& f = impl_->failure;
    TextWriter w(out);
    w.raw("{\"ID\":");
    w.integer(std::int64_t{f.streamId});
    w.raw(",\"Type\":\"Error\",\"Text\":\"");
    w.raw(sentence(f.cls));
    if (!f.reason.empty()) {
        w.raw(" Why: ");
        w.escaped(f.reason);
        if (f.limit.most != 0) {
            w.raw(" (at most ");
            w.integer(std::uint64_t{f.limit.most});
            if (!f.limit.name.empty()) w.raw(": ");
            w.escaped(f.limit.name);
            w.raw(')');
        }
        w.raw('.');
    }
    if (!f.confidential && !f.received.empty()) {
        w.raw(" Received '");
        w.escaped(shortened(f.received, kLongestToken));
        w.raw('\'');
    }
    if (!f.member.empty()) {
        w.raw(f.received.empty() || f.confidential ? " Member '" : " for key '");
        w.escaped(shortened(f.member, kLongestToken));
        w.raw('\'');
    }
    if (const Path path = impl_->path(); !path.text().empty()) {
        w.raw(" at ");
        w.escaped(path.text());
    }
    w.raw("\",\"Debug\":{\"Offset\":");
    w.integer(std::uint64_t{f.offset});
    if (!f.confidential) {
        w.raw(",\"Message\":");
        w.string(shortened(impl_->text, kLongestText));
    }
    w.raw("}}");
}

bool Converter::refusedStatus(const codec::State& state, BeWriter& out) const noexcept {
    Impl& s = *impl_;
    if (!s.parsed || !s.failure.hasStream) return false;
    switch (static_cast<codec::MsgClass>(s.failure.messageClass)) {
    case codec::MsgClass::Refresh:
    case codec::MsgClass::Update:
    case codec::MsgClass::Status:
        break;
    default:
        return false;
    }
    const std::size_t mark = out.size();
    Failure ignored;
    JsonToRwf reader(s.options, s.dictionary, s.services, s.tree, s.encoding, ignored);
    if (reader.status(s.current, s.failure, state, out)) return true;
    out.truncate(mark);
    out.clearFailure();
    return false;
}

std::string Converter::describeFailure() const {
    const Failure& f = impl_->failure;
    std::string text(name(f.cls));
    text.append(": ").append(sentence(f.cls));
    if (!f.reason.empty()) text.append(" Why: ").append(f.reason);
    if (f.limit.most != 0) text.append(inWords(f.limit));
    if (!f.reason.empty()) text.append(".");
    if (!f.confidential && !f.received.empty())
        text.append(" Received '").append(shortened(f.received, kLongestToken)).append("'.");
    if (!f.member.empty()) text.append(" Member '").append(shortened(f.member, kLongestToken)).append("'.");
    text.append(" Stream ").append(std::to_string(f.streamId));
    if (const Path path = impl_->path(); !path.text().empty()) text.append(", at ").append(path.text());
    return text.append(", character ").append(std::to_string(f.offset)).append(" of the text.");
}

}  // namespace emissary::eta::json
