// RWF to JSON text and back, with the dictionary and the service names of the role that the message is for (json.md).
#pragma once

#include "reactor/GrowingBuffer.h"
#include "reactor/JsonLayer.h"
#include "reactor/rdm/DirectoryNames.h"

namespace emissary::reactor {

/// One for a reactor, used with the session lock held: its parser and buffers keep their memory, so that connections
/// cost nothing and messages do not allocate.
class JsonTranslator {
public:
    explicit JsonTranslator(const eta::json::Options& options);

    /// Dictionary and directory of the role that the next calls are for.
    void use(const JsonSources& sources) noexcept;

    /// The RWF message as a JSON object; valid until the next call of this or toText.
    [[nodiscard]] Error toText(Bytes message, Bytes& text) noexcept;
    [[nodiscard]] Error toText(const eta::codec::Msg& msg, Bytes& text) noexcept;
    /// A packed body ({u16 length, message}...) as objects separated by commas.
    [[nodiscard]] Error packedToText(Bytes body, Bytes& text) noexcept;

    /// Begins a received text; false when it is not JSON.
    [[nodiscard]] bool start(Bytes text) noexcept { return converter_.start(eta::asText(text)); }
    /// Begins the message at `index` of a long array; false when it is not JSON.
    [[nodiscard]] bool startElement(std::string_view element, std::uint32_t index) noexcept {
        return converter_.startElement(element, index);
    }
    /// failure() says from now on what is wrong with the text.
    void refuse(Bytes text) noexcept { converter_.refuse(eta::asText(text)); }
    /// The next message of it; `message` is RWF, valid until the next call.
    [[nodiscard]] eta::json::Inbound next(Bytes& message) noexcept;
    /// The Error message that answers the last failure; valid like toText.
    [[nodiscard]] Bytes errorReply() noexcept;
    [[nodiscard]] const eta::json::Failure& failure() const noexcept { return converter_.failure(); }
    /// Whether the stream whose message was refused ends with that: an image that was asked for. `mayEnd`: false where
    /// the peer publishes unasked.
    [[nodiscard]] bool endsStream(bool mayEnd) const noexcept;
    /// The status of that stream in RWF; false when the message carries no data that anybody could miss. Valid like
    /// next()'s.
    [[nodiscard]] bool refusedStatus(bool mayEnd, Bytes& status);
    /// The Close for the peer, who does not know; valid like toText.
    [[nodiscard]] Bytes closeOfRefused() noexcept;
    [[nodiscard]] std::string describeFailure() const { return converter_.describeFailure(); }
    [[nodiscard]] std::string describePeerError() const;
    /// Gives back what an exceptionally large message took; between two texts.
    void trim();

private:
    rdm::DirectoryNames services_;
    eta::json::Converter converter_;
    GrowingBuffer encoded_{4096}, text_{8192}, received_{4096};
};

}  // namespace emissary::reactor
