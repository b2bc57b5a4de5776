// The JSON side of a link: text in, RWF to the role; RWF from the role, text out (json.md 1, 4.9, 10).
#include "loop/ReactorImpl.h"
#include "json/JsonTranslator.h"

namespace emissary::reactor {

using eta::json::Inbound;

namespace {

constexpr std::string_view kPong = R"({"Type":"Pong"})";

}  // namespace

/// The channel has become active and carries JSON.
void Link::Impl::speakJson() {
    json = true;
    if (!reactor->json) reactor->json = std::make_unique<JsonTranslator>(reactor->options.json);
}

/// Hands the messages of one text to the role, in order; returns how many. Stops when the link is closed or destroyed.
int Link::Impl::readJson(Bytes text, const bool& destroyed) {
    Reactor::Impl& r = *reactor;
    JsonTranslator& translator = *r.json;
    translator.use(handler->jsonSources());
    if (!translator.start(text)) {
        refuseJson(true, destroyed);
        return 0;
    }
    for (int messages = 0;;) {
        Bytes message;
        switch (translator.next(message)) {
        case Inbound::message:
            ++messages;
            handler->onLinkMessage(*self, message);
            if (destroyed) return messages;
            if (r.lock.wanted()) r.letWaitersIn();
            if (destroyed || phase != Phase::active) return messages;
            translator.use(handler->jsonSources());  // the message may have changed them
            break;
        case Inbound::ping:
            static_cast<void>(writeText(eta::asBytes(kPong)));
            break;
        case Inbound::pong:
            break;
        case Inbound::error: {
            jsonFailed([&] { return translator.describePeerError(); }, translator.options().closeOnFailure, destroyed);
            if (destroyed || phase != Phase::active) return messages;
            break;
        }
        case Inbound::failure:
            refuseJson(false, destroyed);
            return messages;
        case Inbound::end:
            translator.trim();
            return messages;
        }
    }
}

/// Tells the peer and the role. The connection ends when the text was not even JSON, unless that is switched off.
void Link::Impl::refuseJson(bool notJson, const bool& destroyed) {
    JsonTranslator& translator = *reactor->json;
    const auto describe = [&] { return "JSON message refused: " + translator.describeFailure(); };
    if (translator.options().sendErrors) static_cast<void>(writeText(translator.errorReply()));
    jsonFailed(describe, notJson && translator.options().closeOnFailure, destroyed);
}

/// Tells the role of what the peer has caused, and ends the connection when it `ends` or was one too many. Texts are
/// made only where somebody reads them.
template <class Describe>
void Link::Impl::jsonFailed(Describe describe, bool ends, const bool& destroyed) {
    const bool tolerated = handler->toleratesJsonFailure(*self);
    RecordLimit& told = reactor->json->told;
    const bool tell = told.pass(reactor->turnTime);
    if (!tell && tolerated && !ends) return;
    const std::string text = describe();
    if (tell) {
        const std::uint64_t others = told.takeSuppressed();
        handler->onJsonFailure(*self, others == 0 ? text
                                                  : text + " (" + std::to_string(others) +
                                                        " more were refused since the last record)");
    }
    if (!destroyed && phase == Phase::active && (ends || !tolerated)) down(text, false);
}

Error Link::Impl::writeText(Bytes text) noexcept {
    bool arm = false;
    Error e;
    {
        const std::lock_guard guard(channel->outputLock());
        e = channel->write(text);
        if (e.ok()) afterCommit(arm);
    }
    if (arm) reactor->worker->arm(output);
    if (e.code == Errc::closed) [[unlikely]]
        writeFailed();
    return e;
}

template <class Message>
Error Link::Impl::sendJson(const Message& message) noexcept {
    JsonTranslator& translator = *reactor->json;
    translator.use(handler->jsonSources());
    Bytes text;
    if (const Error e = translator.toText(message, text); !e.ok()) return e;
    return writeText(text);
}
template Error Link::Impl::sendJson(const eta::codec::Msg&) noexcept;
template Error Link::Impl::sendJson(const Bytes&) noexcept;

Error Link::Impl::sendPackedJson(Bytes body) noexcept {
    JsonTranslator& translator = *reactor->json;
    translator.use(handler->jsonSources());
    Bytes text;
    if (const Error e = translator.packedToText(body, text); !e.ok()) return e;
    return writeText(text);
}

}  // namespace emissary::reactor
