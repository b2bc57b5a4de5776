// eta/json: the simplified JSON protocol (rssl.json.v2, tr_json2): RWF messages to JSON text and back (json.md).
//
//   Converter converter;                              // one for a thread or a connection
//   converter.setDictionary(&dictionary);
//   if (const Error e = converter.toJson(rwf, out); !e.ok()) ...       // one message object, appended to `out`
//
//   if (!converter.start(text)) ...                   // not JSON: failure() says why
//   for (;;) switch (converter.next(buffer.start())) {
//       case Inbound::message: role.receive(buffer.view()); continue;
//       case Inbound::failure: converter.writeError(reply); continue;  // the others stand for themselves
//       ...
#pragma once

#include "eta/codec/Msg.h"
#include "eta/dictionary/Dictionary.h"
#include "eta/json/text_limits.h"

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace emissary::eta::json {

/// Octets of the longest text that is read (json.md 13).
inline constexpr std::size_t kMaxTextSize = 6'291'456;

/// Why a message was refused (json.md 12).
enum class ErrorClass : std::uint8_t {
    ParseError,
    InvalidTokenType,
    UnexpectedValue,
    MissingKey,
    UnexpectedKey,
    UnexpectedField,
    UnsupportedMessageType,
    UnsupportedDataType,
    InvalidPrimitiveType,
    InvalidContainerType,
    TypeMismatch,
    EncodeError,
    DictionaryNotInitialized,
};
/// "ParseError" ...; never null.
[[nodiscard]] const char* name(ErrorClass c) noexcept;

/// What was refused and where. Views are good until the converter's next start().
struct Failure {
    ErrorClass cls = ErrorClass::ParseError;
    std::int32_t streamId = 0;                        ///< of the refused message, 0 when it has none that can be read
    bool hasStream = false;                           ///< whether it has one
    std::uint8_t messageClass = 0;                    ///< codec::MsgClass; 0 when it has none that can be read
    std::uint8_t domain = codec::kMarketPriceDomain;  ///< of the refused message
    bool unsolicited = false;                         ///< it says `"Solicited":false`
    std::uint32_t offset = 0;                         ///< octets from the start of the text to the offending value
    std::string_view member;                          ///< its member name; empty when there is none
    std::string_view received;                        ///< what stood there, or empty; strings without quotes
    std::string_view reason;                          ///< why a text is not JSON, static; empty for other refusals
    TextLimit limit;                                  ///< with a reason: the bound of TextLimits that it is beyond
    bool confidential = false;  ///< a login message or one with a password or token: `received` and the text stay here
};

/// An Error message of the peer. Views are good until the converter's next start().
struct PeerError {
    std::int32_t streamId = 0;
    std::string_view text;
};

/// Service names and ids, usually those of a source directory. Called on the converter's thread.
class ServiceNames {
public:
    virtual ~ServiceNames() = default;
    /// Nothing when there is no service of that name.
    [[nodiscard]] virtual std::optional<std::uint16_t> idOf(std::string_view serviceName) const noexcept = 0;
    /// Empty when the id has no name, or names are not wanted in the text: the number is written then.
    [[nodiscard]] virtual std::string_view nameOf(std::uint16_t serviceId) const noexcept = 0;
};

/// What requests that name no quality of service ask for (json.md 9.4): any.
inline constexpr codec::Qos kAnyQos{1, 1, true, 0, 0}, kWorstOfAnyQos{2, 3, false, 0, 0xFFFF};

/// json.md 9; the defaults are those of existing connections.
struct Options {
    bool expandEnums = false;          ///< enumerated fields as display text instead of numbers
    bool catchUnknownMembers = false;  ///< refuse messages with members that the protocol does not have
    bool catchUnknownFields = true;    ///< refuse field names that the dictionary does not have (else skip them)
    bool defaultDynamicQos = true;     ///< requests without Qos ask for any quality
    bool acceptEnumText = true;        ///< read enumerated fields given as display text
    /// A request or post that names a service without an id goes on without one and carries the name
    /// (carried_service.h); else it is refused.
    bool carriesServiceNames = false;
    std::optional<std::uint16_t> defaultServiceId;  ///< for keys without Service, but not in Login and Source
    TextLimits limits;                              ///< of received messages; a text beyond them is refused as a whole
};

/// What next() found.
enum class Inbound : std::uint8_t {
    message,  ///< an RWF message was written
    ping,
    pong,
    error,    ///< the peer refused something: peerError()
    failure,  ///< this message cannot be converted: failure(); the next one stands for itself
    end,
};

/// Whether the message says the same before it is encoded and when it is decoded again: an update of fields with a key
/// of service and name, or without a key, and no other member.
[[nodiscard]] bool isUsualUpdate(const codec::Msg& m) noexcept;

/// Octets of a message object.
struct IdPlace {
    std::size_t at = 0, length = 0;
};
/// Where the digits of the stream id stand in an object that toJson() wrote: what is before and behind them serves any
/// stream. Length 0: the object has no id of its own (the close of a batch).
[[nodiscard]] IdPlace idPlace(std::string_view object) noexcept;

/// Holds parser and buffers, which keep their memory: nothing is allocated once messages of the usual size have passed.
/// Not thread safe; movable.
class Converter {
public:
    /// Without dictionary and services.
    explicit Converter(const Options& options = {});
    ~Converter();
    /// The other one may then only be destroyed or assigned to.
    Converter(Converter&&) noexcept;
    /// The same; what this one borrowed is forgotten.
    Converter& operator=(Converter&&) noexcept;

    /// May be changed between messages.
    [[nodiscard]] Options& options() noexcept;
    /// Borrowed; null: messages with Fields cannot be converted, everything else can.
    void setDictionary(const dictionary::Dictionary* dictionary) noexcept;
    /// Borrowed; null: services are numbers only.
    void setServices(const ServiceNames* services) noexcept;

    /// Appends the message as one JSON object. On failure `out` is rolled back to where it stood: malformed RWF gives
    /// the decoder's error, unsupportedType an AnsiPage, notFound field data without a dictionary, noSpace a full
    /// writer.
    [[nodiscard]] Error toJson(Bytes message, BeWriter& out) noexcept;
    /// The same for a message that was decoded, or an update that has a usual key or none and no member beside it
    /// (isUsualUpdate): it need not be encoded first.
    [[nodiscard]] Error toJson(const codec::Msg& message, BeWriter& out) noexcept;

    /// Begins a text: one message object or an array of such objects. False when it is anything else: failure().
    /// `text` must stay until the last next() and writeError() of it. For a text of one message, options, dictionary
    /// and services count as they are now, for others as they are at each next().
    [[nodiscard]] bool start(std::string_view text) noexcept;
    /// A string that ends with the statement is refused by the compiler.
    template <typename Text>
    requires std::same_as<Text, std::string>
    bool start(Text&& text) = delete;
    /// Begins the message at `index` of an array whose text is too long to be read at once (elements.h); next() gives
    /// it, and then the end. False when the element is not JSON. `element` must stay as for start().
    [[nodiscard]] bool startElement(std::string_view element, std::uint32_t index) noexcept;
    /// Refuses a text that elementAt() could not go on with: failure() says what is wrong with it.
    void refuse(std::string_view text) noexcept;
    /// The next message of the text, appended to `out` as RWF when it is one. On failure `out` is rolled back.
    [[nodiscard]] Inbound next(BeWriter& out) noexcept;
    /// Messages so far that were made from their tokens, without a tree.
    [[nodiscard]] std::uint64_t directly() const noexcept;
    /// Of the start() or next() that failed last.
    [[nodiscard]] const Failure& failure() const noexcept;
    /// Of the next() that gave Inbound::error last.
    [[nodiscard]] const PeerError& peerError() const noexcept;
    /// Appends the Error message that answers failure() (json.md 10), as one JSON object.
    void writeError(BeWriter& out) const noexcept;
    /// Appends a status with that state, in RWF, for the stream whose message next() refused last: with its key
    /// (without attributes) where that can be read. False, and nothing is appended, when the message is no refresh,
    /// update or status, or has no stream.
    [[nodiscard]] bool refusedStatus(const codec::State& state, BeWriter& out) const noexcept;
    /// A sentence for logs and applications: what was refused, and where.
    [[nodiscard]] std::string describeFailure() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace emissary::eta::json
