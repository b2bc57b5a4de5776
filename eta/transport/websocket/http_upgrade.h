// The HTTP part of a WebSocket connection: request and answer as text (transport.md 6.1 - 6.3). No I/O in here.
#pragma once

#include "eta/transport/options.h"

#include "eta/core/Refused.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::eta::transport::ws {

inline constexpr std::size_t kMaxHttpHeader = 32768;
inline constexpr std::size_t kMaxHttpLines = 100;

enum class Protocol : std::uint8_t { rwf, json };

/// A sub-protocol name: tr_json2 and rssl.json.v2 are the same thing, rssl.rwf and tr_rwf too. Empty: unknown.
[[nodiscard]] std::optional<Protocol> protocolNamed(std::string_view name) noexcept;
/// The names of a list separated by blanks or commas, unknown ones too.
[[nodiscard]] std::vector<std::string_view> splitProtocols(std::string_view list);
/// One of the names is that of JSON.
[[nodiscard]] bool servesJson(std::string_view list);
/// Empty when every name is known and there is at least one; else a sentence.
[[nodiscard]] Refused checkProtocols(std::string_view list);

/// What permessage-deflate was agreed with.
struct Deflate {
    bool enabled = false;
    bool serverForgets = false, clientForgets = false;  ///< server_, client_no_context_takeover
};

/// How far a header has come.
enum class Progress : std::uint8_t { needMore, complete, bad };

// --- server ----------------------------------------------------------------------------------------------------------

struct UpgradeRequest {
    Progress progress = Progress::needMore;
    std::size_t consumed = 0;  ///< bytes of the request
    int status = 400;          ///< bad: HTTP status of the answer
    std::string reason;        ///< bad: for the log
    std::string path, host, key;
    std::optional<std::string> origin;   ///< of browsers
    std::string forwardedFor;            ///< X-Forwarded-For; several headers are joined by commas
    std::string cookies;                 ///< Cookie; several headers are joined by semicolons. Secret
    std::vector<std::string> protocols;  ///< as the client wrote and ordered them
    Deflate deflate;                     ///< the first offer that can be accepted
    /// GET /sse: there is no upgrade, and none of key, protocols and deflate.
    bool events = false;
    bool preflight = false;     ///< OPTIONS /sse: a browser asks whether a page may (CORS)
    std::string query;          ///< of GET /sse, as it came
    std::string authorization;  ///< of GET /sse. Secret
    std::string site;           ///< Sec-Fetch-Site of browsers
};
/// What a port takes.
struct RequestLimits {
    std::size_t bytes = kMaxHttpHeader;
    std::size_t lines = kMaxHttpLines;  ///< the first one included
    bool anyPrefix = false;             ///< a proxy may have put something before /WebSocket, or /sse, in the path
    bool events = false;                ///< there is /sse
};
[[nodiscard]] UpgradeRequest parseUpgradeRequest(std::string_view in, const RequestLimits& limits = {});

/// The name to answer with, in the client's spelling: the first of `ownList` that the client offered.
[[nodiscard]] std::optional<std::string> chooseProtocol(std::string_view ownList,
                                                        const std::vector<std::string>& offered);
[[nodiscard]] std::string acceptAnswer(std::string_view key, std::string_view protocol, const Deflate& deflate);
/// The client gets `why`, at most 1024 bytes; with 429 and 503 when to come again.
[[nodiscard]] std::string refusal(int status, std::string_view why = {});

/// Knows how many connections there are, and how many may be. Thread of the connection.
class UpgradeGate {
public:
    struct Answer {
        int status = 0;            ///< HTTP; 0: it may
        std::string why;           ///< with a status: for the client and the log
        bool sameMachine = false;  ///< the client's address is of the loopback
        std::uint16_t port = 0;    ///< of the listener
    };
    virtual ~UpgradeGate() = default;
    /// A whole request has come, and nothing of it was looked at.
    [[nodiscard]] virtual Answer mayUpgrade(const UpgradeRequest& request) = 0;
    /// Everything else of it is right: it counts for the rate of upgrades. What is refused before does not, since it
    /// would keep others out.
    [[nodiscard]] virtual Answer withinRate() = 0;
    virtual void headRefused() noexcept = 0;
    virtual void originRefused() noexcept = 0;
};

// --- client ----------------------------------------------------------------------------------------------------------

/// `key` from makeKey(). Offers the names of `protocols` as they go on the wire. `cookies` empty: there is no such
/// header.
[[nodiscard]] std::string upgradeRequest(std::string_view host, std::string_view port, std::string_view path,
                                         std::string_view key, std::string_view protocols, bool offerDeflate,
                                         std::string_view cookies = {});
[[nodiscard]] std::string makeKey();

struct UpgradeAnswer {
    Progress progress = Progress::needMore;
    std::size_t consumed = 0;
    bool refused = false;  ///< bad: the server said why it does not want us (403 with a text)
    std::string reason;    ///< bad: for the log
    std::string protocol;  ///< as the server wrote it
    Deflate deflate;
};
[[nodiscard]] UpgradeAnswer parseUpgradeAnswer(std::string_view in, std::string_view key, std::string_view protocols,
                                               bool offeredDeflate);

/// base64(SHA-1(key + the GUID of RFC 6455)).
[[nodiscard]] std::string acceptValue(std::string_view key);

// --- proxies ---------------------------------------------------------------------------------------------------------

/// `user` empty: no authentication.
[[nodiscard]] std::string connectRequest(std::string_view host, std::string_view port, std::string_view user = {},
                                         std::string_view password = {});
struct ConnectAnswer {
    Progress progress = Progress::needMore;
    std::size_t consumed = 0;
    std::string reason;  ///< bad: the proxy's status line
};
[[nodiscard]] ConnectAnswer parseConnectAnswer(std::string_view in);

}  // namespace emissary::eta::transport::ws
