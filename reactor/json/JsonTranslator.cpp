// Feeds the converter with the sources of a role, and makes the replies that errors call for.
#include "json/JsonTranslator.h"

namespace emissary::reactor {

using eta::codec::MsgClass;

namespace {

constexpr std::size_t kKept = 256 * 1024;

}  // namespace

JsonTranslator::JsonTranslator(const eta::json::Options& options) : converter_(options) {
    converter_.setServices(&services_);
}

void JsonTranslator::use(const JsonSources& sources) noexcept {
    converter_.setDictionary(sources.dictionary);
    services_.use(sources.directory, sources.services);
    converter_.options().carriesServiceNames = sources.carriesServiceNames;
    converter_.options().limits = sources.limits;
}

// One buffer for all texts; the last one is valid until the next call.
Error JsonTranslator::toText(Bytes message, Bytes& text) noexcept {
    const Error e = converter_.toJson(message, text_.start());
    text = text_.view();
    return e;
}

Error JsonTranslator::toText(const eta::codec::Msg& msg, Bytes& text) noexcept {
    if (eta::json::isUsualUpdate(msg)) [[likely]] {
        const Error e = converter_.toJson(msg, text_.start());
        text = text_.view();
        return e;
    }
    if (const Error e = eta::codec::encodeMsg(encoded_.start(), msg); !e.ok()) return e;
    return toText(encoded_.view(), text);
}

Error JsonTranslator::packedToText(Bytes body, Bytes& text) noexcept {
    eta::BeReader in(body);
    eta::BeWriter& out = text_.start();
    while (in.remaining() != 0) {
        const Bytes message = in.take(in.u16());
        if (!in.ok()) return in.error();
        if (out.size() != 0) out.u8(',');
        if (const Error e = converter_.toJson(message, out); !e.ok()) return e;
    }
    text = text_.view();
    return {};
}

eta::json::Inbound JsonTranslator::next(Bytes& message) noexcept {
    const eta::json::Inbound found = converter_.next(received_.start());
    message = received_.view();
    return found;
}

Bytes JsonTranslator::errorReply() noexcept {
    converter_.writeError(text_.start());
    return text_.view();
}

bool JsonTranslator::endsStream(bool mayEnd) const noexcept {
    const eta::json::Failure& f = converter_.failure();
    return mayEnd && !f.unsolicited && f.messageClass == static_cast<std::uint8_t>(MsgClass::Refresh);
    // A refresh that was asked for ends its stream; an unsolicited one leaves it alone.
}

bool JsonTranslator::refusedStatus(bool mayEnd, Bytes& status) {
    constexpr std::uint8_t kError = 28;  // rdm.md 1.2
    const std::string text = "a message of the peer cannot be read: " + describeFailure();
    const eta::codec::State state{endsStream(mayEnd) ? eta::codec::StreamState::closed : eta::codec::StreamState::open,
                                  eta::codec::DataState::suspect, kError, eta::asBytes(text)};
    if (!converter_.refusedStatus(state, received_.start())) return false;
    status = received_.view();
    return true;
}

Bytes JsonTranslator::closeOfRefused() noexcept {
    const eta::json::Failure& f = converter_.failure();
    eta::codec::Msg m;
    m.cls = MsgClass::Close;
    m.streamId = f.streamId;
    m.domain = f.domain;
    Bytes text;
    static_cast<void>(toText(m, text));
    return text;
}

std::string JsonTranslator::describePeerError() const {
    const eta::json::PeerError& e = converter_.peerError();
    return "the peer refused a JSON message of stream " + std::to_string(e.streamId) +
           (e.text.empty() ? ", without a reason" : ": " + std::string(e.text));
}

void JsonTranslator::trim() {
    encoded_.trim(kKept);
    text_.trim(kKept);
    received_.trim(kKept);
}

}  // namespace emissary::reactor
