// Translates between a JSON link and its handler in both directions, and decides what follows a failed conversion.
#include "eta/json/elements.h"
#include "reactor/Farewell.h"
#include "reactor/RecordLimit.h"
#include "reactor/json_text.h"
#include "json/JsonTranslator.h"

namespace emissary::reactor {
namespace {

using eta::json::Inbound;

constexpr std::string_view kPong = R"({"Type":"Pong"})";
constexpr int kMostErrors = 100;  // answers to one text: each is longer than the message that it is about may be
// Of an array, in bytes, that one turn reads: a text may have a hundred thousand messages.
constexpr std::size_t kTextOfTurn = 64u << 10;

/// Text in, RWF to the handler; RWF from the role, text out. Between two messages a handler may change what they are
/// converted with, so it is asked for every message.
class JsonLayer final : public LinkLayer {
public:
    explicit JsonLayer(const JsonOptions& options) : options_(options), translator_(options.conversion) {}

    int receive(LinkBelow link, ReceivedText& received) override {
        const JsonSources sources = link.handler().jsonSources();
        translator_.use(sources);
        // One that was begun in steps goes on so.
        const bool steps = received.text.size() > kTextOfTurn || sources.stepwise || received.done != 0;
        if (steps && eta::json::isArray(eta::asText(received.text))) return readElements(link, received);
        const Bytes text = received.text;
        received.done = text.size();
        // A text that is not JSON at all is refused as a whole.
        if (!translator_.start(text)) return refuse(link, true), 0;
        int messages = 0, refused = 0;
        while (readOne(link, messages, refused)) {}
        return messages;
    }

    Error send(LinkBelow link, const eta::codec::Msg& msg) noexcept override {
        return convert(link, [&](Bytes& text) { return translator_.toText(msg, text); });
    }
    Error send(LinkBelow link, Bytes message) noexcept override {
        return convert(link, [&](Bytes& text) { return translator_.toText(message, text); });
    }
    Error sendPacked(LinkBelow link, Bytes body) noexcept override {
        return convert(link, [&](Bytes& text) { return translator_.packedToText(body, text); });
    }
    void unsent(LinkBelow link, const std::string& what, Errc why) override {
        link.handler().onJsonFailure(link.link(), what + " " + cannotBeJson(why));
    }

private:
    /// Messages of a long array, each parsed on its own, until the turn has had its share. What stands before a fault
    /// has been delivered when the fault is found.
    int readElements(LinkBelow link, ReceivedText& received) {
        const std::string_view text = eta::asText(received.text);
        const std::size_t until = received.done + kTextOfTurn;
        int messages = 0, refused = static_cast<int>(received.refused);
        while (received.left() && received.done < until && !link.held()) {
            const auto element = eta::json::elementAt(text, received.done);
            received.done = element ? element->next : text.size();
            if (!element) translator_.refuse(received.text);
            if (element && element->begin == element->end) break;
            if (!element || !translator_.startElement(text.substr(element->begin, element->end - element->begin),
                                                      received.messages++)) {
                received.done = text.size();
                return refuse(link, true), messages;
            }
            while (readOne(link, messages, refused)) {}
            // The link may have been destroyed by the message, and `received` with it.
            if (!link.up()) return messages;
            received.refused = static_cast<std::uint32_t>(refused);
        }
        return messages;
    }

    /// Handles the next message of what the translator has begun. False: there is none, or the link is closed or
    /// destroyed.
    bool readOne(LinkBelow link, int& messages, int& refused) {
        Bytes message;
        switch (translator_.next(message)) {
        case Inbound::message:
            ++messages;
            if (!link.deliver(message)) return false;
            translator_.use(link.handler().jsonSources());
            return true;
        case Inbound::ping:
            static_cast<void>(link.write(eta::asBytes(kPong)));
            return true;
        case Inbound::pong:
            return true;
        // The peer has refused something of ours: the role gets the refusal, and the peer no answer.
        case Inbound::error:
            failed(link, [&] { return translator_.describePeerError(); },
                   {options_.closeOnFailure ? close_code::normal : kGoesOn});
            return link.up();
        case Inbound::failure:
            refuse(link, false, ++refused <= kMostErrors);
            if (!link.up() || !tellStream(link)) return false;
            translator_.use(link.handler().jsonSources());
            return true;
        case Inbound::end:
            translator_.trim();
            return false;
        }
        return false;
    }

    template <class Convert>
    Error convert(LinkBelow link, Convert toText) noexcept {
        translator_.use(link.handler().jsonSources());
        Bytes text;
        if (const Error e = toText(text); !e.ok()) return e;
        return link.write(text);
    }

    /// Tells the peer and the role. The connection ends when the text was not even JSON, unless that is switched off.
    void refuse(LinkBelow link, bool notJson, bool answers = true) {
        if (options_.sendErrors && answers) static_cast<void>(link.write(translator_.errorReply()));
        const bool beyond = translator_.failure().limit.most != 0;
        failed(link, [&] { return "JSON message refused: " + translator_.describeFailure(); },
               {!notJson || !options_.closeOnFailure ? kGoesOn
                : beyond                             ? close_code::policy
                                                     : close_code::payload,
                beyond});
    }

    /// The stream that waits for the refused message gets a status instead. False: the link is not up any more.
    bool tellStream(LinkBelow link) {
        const eta::json::Failure& failure = translator_.failure();
        if (!failure.hasStream) return true;
        const RefusedData means = link.handler().refusedData(failure.streamId);
        // Nobody waits for it, so nothing is sent.
        if (means == RefusedData::nothing) return true;
        const bool mayEnd = means == RefusedData::ended;
        Bytes status;
        if (!translator_.refusedStatus(mayEnd, status)) return true;
        // A stream that must end is closed here, because the peer believes it is still open.
        if (translator_.endsStream(mayEnd)) static_cast<void>(link.write(translator_.closeOfRefused()));
        return link.deliver(status);
    }

    static constexpr std::uint16_t kGoesOn = 0;

    /// Tells the role of what the peer has caused, and ends the connection with its code, or when it was one too many.
    /// Texts are made only when they are going to be read.
    template <class Describe>
    void failed(LinkBelow link, Describe describe, JsonEnd end) {
        const bool ends = end.closeCode != kGoesOn;
        const bool tolerated = link.handler().toleratesJsonFailure(link.link());
        const bool tell = told_.pass(link.now());
        if (!tell && tolerated && !ends) return;
        const std::string text = describe();
        if (tell) {
            const std::uint64_t others = told_.takeSuppressed();
            link.handler().onJsonFailure(link.link(), others == 0 ? text
                                                                  : text + " (" + std::to_string(others) +
                                                                        " more were refused since the last record)");
        }
        if (!link.up() || (!ends && tolerated)) return;
        if (!ends) end = {close_code::policy};
        link.handler().onJsonEnd(link.link(), text, end);
        if (link.up()) link.down(text, end.closeCode);
    }

    JsonOptions options_;
    JsonTranslator translator_;
    RecordLimit told_;  // with a log record for each failure peers could fill the disk
};

}  // namespace

std::function<std::unique_ptr<LinkLayer>()> jsonLayer(const JsonOptions& options) {
    return [options] { return std::make_unique<JsonLayer>(options); };
}

}  // namespace emissary::reactor
