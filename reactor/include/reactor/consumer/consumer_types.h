// What the consumer role and its user say to each other.
#pragma once

#include "eta/codec/Msg.h"
#include "eta/dictionary/Dictionary.h"
#include "reactor/Reactor.h"
#include "reactor/consumer/CronSchedule.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::reactor::consumer {

/// Names one registered interest; never 0, not reused.
using Handle = std::uint64_t;

/// Who receives the messages of a handle; opaque here.
struct Subscriber {
    void* client = nullptr;
    void* closure = nullptr;
    Handle parent = 0;
};

/// To whom a message goes.
struct Recipient {
    Handle handle = 0;
    void* client = nullptr;
    void* closure = nullptr;
    Handle parent = 0;
};

/// A request as the application made it: the message (stream id unused) and the service's name when it gave one.
struct RequestView {
    const eta::codec::Msg& msg;
    std::string_view serviceName;  ///< data() null: not given
};

/// Why a call was refused; empty text = it was not.
struct Refusal {
    enum class Kind : std::uint8_t {
        invalidUsage,
        invalidArgument,
        invalidData,
        invalidOperation,
        invalidHandle,
        noActiveChannel,
        noBuffers,
        conversion  ///< the message cannot be written as JSON
    };
    Kind kind = Kind::invalidUsage;
    std::string text;
    explicit operator bool() const noexcept { return !text.empty(); }
    void set(Kind k, std::string t) {
        kind = k;
        text = std::move(t);
    }
};

enum class ConnectionEvent : std::uint8_t {
    connecting,     ///< an attempt begins
    connectFailed,  ///< it failed; another follows after a pause
    up,             ///< transport handshake complete
    loggedIn,       ///< the login was accepted
    loginRefused,   ///< the login stream was closed by the peer
    ready,          ///< login, directory and dictionaries are there
    down,           ///< the connection was lost; another attempt follows
    switched,       ///< the active server of a warm-standby group was lost; another one took its place
    closed,         ///< no further attempts
};

struct ConsumerChannel {
    std::string name;
    eta::transport::ConnectOptions connect;
    /// Channels of one warm-standby group stand side by side and have the same number, not 0 (session.md section 6):
    /// one of them is active, the others are logged in and get the same requests, ready to take over.
    std::uint32_t standbyGroup = 0;
    /// Service-based groups: services whose data come from this server at first; the others' come from the active one.
    std::vector<std::string> activeServices{};
    bool serviceBased = false;  ///< the same in all channels of a group
};

/// A JSON text of the peer that cannot be converted, or one of ours that the peer refused (json.md 10).
struct JsonFailure {
    std::string text;  ///< a sentence that names the channel and the reason
    const ConsumerChannel& channel;
    const eta::transport::ChannelInfo& info;
    std::string_view session{};  ///< with request routing: name of the session channel
};

/// Receives everything. All calls come with the session lock held on the dispatching thread.
class ConsumerSink {
public:
    virtual ~ConsumerSink() = default;
    /// One message for one recipient. `msg` and `serviceName` (data() null: unknown) live until the call returns.
    virtual void onMessage(const eta::codec::Msg& msg, const Recipient& to, std::string_view serviceName) = 0;
    /// For logs and for waiting; `text` names the channel and the reason.
    virtual void onConnection(ConnectionEvent event, const std::string& text) = 0;
    /// Something worth a log line happened (a malformed message, a dropped one ...).
    virtual void onWarning(const std::string& text) = 0;
    virtual void onJsonFailure(const JsonFailure& failure) { onWarning(failure.text); }
    /// ConsumerRole::directory() is different now (`there`), or is about to go with the connection: items hear of that
    /// after this call.
    virtual void onDirectory(bool /*there*/) {}
};

/// Returning to a preferred channel (ema-config.md 9): the connection to it is made beside the one in use, which is
/// given up only once the preferred one stands.
struct PreferredHost {
    bool enabled = false;
    std::size_t channel = 0;  ///< index; of a warm-standby group: its starting active server
    /// Warm standby: only make the starting active server of the group in use the active one again.
    bool withinGroup = false;
    std::chrono::seconds interval{0};      ///< between checks; 0 = none. Not used when there is a schedule
    std::optional<CronSchedule> schedule;  ///< of the checks, in local time
};

struct ConsumerOptions {
    std::vector<ConsumerChannel> channels;  ///< in order of trying; at least one
    PreferredHost preferredHost;
    std::int64_t reconnectAttemptLimit = -1;
    std::chrono::milliseconds reconnectMinDelay{1000}, reconnectMaxDelay{5000};
    // Login request.
    std::string userName;
    std::uint8_t userNameType = 1;
    std::vector<std::byte> loginAttributes;  ///< element list (rdm::encodeLogin)
    bool enableRtt = false;
    // Directory request.
    std::uint32_t directoryFilter = 63;
    std::string directoryService;  ///< ask for this service only; needs its id
    bool hasDirectoryServiceId = false;
    std::uint16_t directoryServiceId = 0;
    bool directoryStreaming = true;
    // Dictionaries.
    bool downloadDictionaries = true;
    std::chrono::milliseconds dictionaryTimeout{45000};  ///< from the request to the last part; 0 = none
    std::size_t maxDictionaryBytes = 64u << 20;          ///< of all parts of one dictionary
    /// Answers the application's dictionary requests when set; they go to the provider otherwise.
    std::shared_ptr<const eta::dictionary::Dictionary> localDictionary;
    struct DictionaryRequest {
        std::string itemName;
        std::string serviceName;  ///< empty = the first service that offers it
        bool hasServiceId = false;
        std::uint16_t serviceId = 0;
        std::uint32_t filter = 7;
        bool streaming = true;
    };
    DictionaryRequest fieldDictionary{"RWFFld", {}, false, 0, 7, true},
        enumDictionary{"RWFEnum", {}, false, 0, 7, true};
    /// Before an item or directory stream that ended recoverably again and again is asked for once more: not at all the
    /// first time, then from the shortest, doubling up to the longest. 0 = at once, always.
    std::chrono::milliseconds recoveryMinDelay{100}, recoveryMaxDelay{5000};
    // Items.
    std::chrono::milliseconds requestTimeout{15000}, postAckTimeout{15000};  ///< 0 = none
    std::uint32_t maxOutstandingPosts = 100000;
    bool obeyOpenWindow = true, msgKeyInUpdates = true;
    std::uint32_t itemCountHint = 100000;
    std::uint32_t jitterSeed = 0;  ///< 0 = random
};

}  // namespace emissary::reactor::consumer
